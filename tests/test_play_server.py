"""The server of the table, without a browser: whole games, many at once, and those who mean it harm."""

from __future__ import annotations

import contextlib
import http.client
import json
import random

import pytest
from nakajima_zoo.arena.recordings import Recording
from nakajima_zoo.envs import GAMES

pytest.importorskip("uvicorn")
from served import Page, Server, served
from websockets.exceptions import ConnectionClosed, InvalidStatus

MANY = 50


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with served(tmp_path_factory.mktemp("tables")) as found:
        yield found


@pytest.fixture
def page(server):
    found = Page(server)
    yield found
    found.close()


# Games


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game(page, server, game):
    """Against a random player; what is kept replays to the same end."""
    page.new(game, ("human", "random"), parameters={}, seed=4)
    pick = random.Random(5)
    while not page.settled()["over"]:
        page.play(pick.randrange(1000))
    kept = Recording.from_json(server.kept()[page.table["table"]])
    assert kept.replay().result is not None
    assert len(kept.actions) == page.table["last"] and kept.players == ["human", "random"]


def test_two_pages_at_one_table(server):
    """Each sees what the other plays, and plays for its own seat alone."""
    first, second = Page(server), Page(server)
    name = first.new("scalas")["table"]
    for page, seat in ((first, 0), (second, 1)):
        page.say("join", table=name, seat=seat)
        page.hear("table")
    first.say("play", things=["square:c3"], number=0)
    assert second.hear("table")["last"] == 1
    first.hear("table")
    first.say("play", things=["square:a1"], number=1)
    assert "Blue is to act" in first.hear("error")["text"]
    second.say("play", things=["square:a1"], number=1)
    assert first.hear("table")["moves"][-1]["text"] == "a1"
    second.say("resign")
    assert first.hear("table")["position"]["words"] == "Red wins (resigned, 1 to 1)"
    first.close()
    second.close()


def test_thinking_can_be_watched_hurried_and_given_up(page):
    page.new("ring_world", ("human", "mcts:100000"), parameters={"levels": 4})
    page.say("play", things=page.sequence(), number=0)
    seen = page.hear("thinking")
    assert 0 < seen["done"] < seen["of"] == 100_000
    page.say("look", number=0)
    assert page.hear("position")["position"]["number"] == 0
    page.say("hurry")
    while page.table["last"] < 2:
        page.hear("table")
    page.say("play", things=page.sequence(), number=2)
    page.hear("thinking")
    page.say("undo")
    while page.table["last"] != 2:
        page.hear("table")
    assert "choices" in page.table["position"]


def test_auto(page):
    """Random legal play, until it is stopped."""
    page.new("renaissance", parameters={})
    page.say("auto", on=True)
    while page.table["last"] < 10:
        page.hear("table")
    page.say("auto", on=False)
    while page.table["auto"]:
        page.hear("table")
    last = page.table["last"]
    page.say("look", number=last)
    assert page.hear("position")["position"]["number"] == last


def test_machines_alone(page):
    page.new("scalas", ("random", "greedy"))
    while not page.table["over"]:
        page.hear("table")


def test_branch_text_load_and_save(page):
    page.new("tsukiji", parameters={})
    for pick in range(6):
        page.play(pick)
    first = page.table["table"]
    page.say("save")
    saved = page.hear("file")["text"]
    page.say("branch", number=3)
    assert page.hear("table")["last"] == 3 and page.table["table"] != first
    page.say("load", text="\n".join([saved.strip()] * 3), number=2)
    assert page.hear("table")["last"] == 6
    assert page.hear("loaded")["games"] == 3
    page.say("analyse", number=6, player="random")
    text = page.hear("analysis")["text"]
    page.say("text", text=text)
    assert page.hear("table")["last"] == 0
    page.say("analyse", number=0, player="random")
    assert page.hear("analysis")["text"] == text
    page.say("export")
    assert page.hear("file")["text"].startswith("<!DOCTYPE html>")


@pytest.mark.parametrize("player", ["random", "greedy", "mcts:40"])
@pytest.mark.parametrize("game", ["ring_world", "renaissance"])
def test_analysis(page, game, player):
    table = page.new(game, parameters={})
    page.say("analyse", number=0, player=player)
    found = page.hear("analysis")
    assert found["legal"] == table["position"]["legal"]
    assert 0 < sum(each["share"] for each in found["actions"]) <= 1.001
    if player == "mcts:40":
        assert sum(each["visits"] for each in found["actions"]) <= 40 and -1 <= found["value"] <= 1
    assert len(found["planes"]) == len(found["channels"])


def test_graph(page):
    page.new("scalas", ("human", "random"))
    for pick in range(3):
        page.play(pick)
    page.say("resign")
    page.hear("table")
    page.say("graph", simulations=5)
    points, message = {}, page.hear("graph", "graphed")
    while message["is"] == "graph":
        points[message["number"]] = message["value"]
        message = page.hear("graph", "graphed")
    assert sorted(points) == list(range(page.table["last"] + 1))
    assert points[page.table["last"]] == -1.0 and all(-1 <= value <= 1 for value in points.values())


@pytest.mark.parametrize(
    ("game", "things", "why"),
    [
        ("scalas", ["square:c3"], "descend"),
        ("ring_world", ["ring:0.0", "ring:5"], "owns|own"),
        ("tsukiji", ["ship:red"], "land"),
        ("renaissance", ["piece:pool:L4", "square:a7"], "cannot be chosen"),
    ],
)
def test_refusals(page, game, things, why):
    """In the game's words; the position is as it was."""
    page.new(game, parameters={})
    if game == "scalas":
        for square in ("square:c3", "square:c3", "square:c3"):
            page.say("play", things=[square], number=page.table["position"]["number"])
            if page.hear("table", "error")["is"] == "error":
                break
    number = page.table["position"]["number"]
    page.say("why", number=number, things=things)
    text = page.hear("refusal")["text"]
    assert any(word in text for word in why.split("|")), text
    page.say("look", number=number)
    assert page.hear("position")["position"]["picture"] == page.table["position"]["picture"]


def test_previews_do_not_tell_what_chance_will_do(page):
    page.new("renaissance", parameters={"variant": "phase2"}, seed=1)
    told = set()
    for _ in range(4):
        page.say("preview", things=page.sequence(), number=page.table["position"]["number"])
        told.add(bool(page.hear("preview")["picture"]))
        page.play()
    assert told == {True, False}


# Harm


def get(server: Server, path: str, host: str | None = None) -> tuple[int, str, str]:
    """Status, policy and text of a page."""
    with contextlib.closing(http.client.HTTPConnection(server.host, timeout=20)) as connection:
        connection.request("GET", path, headers={"Host": host or server.host})
        answer = connection.getresponse()
        return answer.status, answer.getheader("Content-Security-Policy", ""), answer.read().decode()


def test_pages_load_nothing_from_elsewhere(server):
    status, policy, text = get(server, "/")
    assert status == 200
    assert policy.startswith("default-src 'none'") and "unsafe" not in policy and "http" not in policy
    assert "http" not in text.replace("http-equiv", "")
    for name in ("table.js", "picture.js", "style.css"):
        assert get(server, f"/page/{name}")[0] == 200


@pytest.mark.parametrize("path", ["/page/../server.py", "/page/%2e%2e%2freplay.py", "/page/nothing.js", "/etc/passwd"])
def test_other_files_are_not_served(server, path):
    assert get(server, path)[0] == 404


def test_foreign_hosts_and_origins(server):
    """F: another site in the same browser gets nothing, nor a name that somebody points at this machine."""
    assert get(server, "/", "evil.example")[0] == 400
    for origin in ("http://evil.example", f"http://{server.host}.evil.example", "null"):
        with pytest.raises(InvalidStatus):
            Page(server, origin=origin)


def hostile(table: dict, rng: random.Random) -> list:
    """200 messages that nobody should send: wrong types, huge ones, out of turn, unknown, half ones."""
    values = [
        None,
        True,
        -1,
        10**30,
        1.5,
        "",
        "x" * 5000,
        [],
        [[]],
        {},
        {"a": {}},
        ["square:a1"] * 99,
        "../../x",
        "\u0000",
        [None],
    ]
    commands = ["play", "look", "preview", "why", "join", "new", "load", "text", "branch", "seats", "auto", "graph"]
    commands += ["analyse", "remove", "hello", "nothing", "__class__"]
    fields = ["number", "things", "table", "game", "parameters", "seats", "text", "simulations", "player", "on", "seat"]
    found = [
        {"do": rng.choice(commands), **{name: rng.choice(values) for name in rng.sample(fields, 4)}} for _ in range(180)
    ]
    found += [{"do": value} for value in values] + values
    found += [
        {"do": "new", "game": "scalas", "seats": ["human", player]}
        for player in (
            "model.zip",
            "/etc/passwd",
            "os:system",
            "mcts:999999999",
            "mcts(simulations=9)",
            "human\n",
            "mcts:-1",
        )
    ]
    found += [{"do": "new", "game": game, "seats": ["human", "human"]} for game in ("scalas(size=6)", "os", "", "toy")]
    found += [{"do": "new", "game": "scalas", "seats": ["human", "human"], "parameters": {"size": 10**9}}]
    found += [{"do": "play", "number": number, "things": ["square:a1"]} for number in (-1, 5, 10**9)]
    recording = {"game": "scalas", "parameters": {}, "actions": [0] * 500, "result": None, "versions": {}}
    found += [
        {"do": "load", "text": json.dumps({**recording, **change})}
        for change in (
            {},
            {"parameters": {"size": "x"}},
            {"actions": "all"},
            {"result": {}},
            {"origin": "!"},
            {"versions": 0},
        )
    ]
    return found  # fmt: skip


def test_hostile_messages_leave_the_game_as_it_was(server, page):
    page.new("scalas", ("human", "human"))
    for pick in range(4):
        page.play(pick)
    name, before = page.table["table"], server.kept()
    rng = random.Random(0)
    messages = [message for message in hostile(page.table, rng) if not harmless(message)]
    assert len(messages) >= 200
    texts = [json.dumps(message) for message in messages] + [
        "",
        "{",
        "[" * 10_000,
        "nul",
        '{"do": "play"',
        "\ud83d"[:0] + "{}",
    ]
    for text in texts:
        page.send(text)
        assert page.hear("error", "tables", "refusal")["is"] in ("error", "tables", "refusal"), text
        if page.table["table"] != name:
            raise AssertionError(text)
    page.send(b"\x00\xff")
    again = Page(server)
    again.say("join", table=name)
    table = again.hear("table")
    assert table["last"] == 4 and server.kept() == before
    again.close()


def harmless(message: object) -> bool:
    """What may be asked for, though nobody would: it gets another answer than an error, and changes nothing here."""
    if not isinstance(message, dict):
        return False
    on, simulations = message.get("on"), message.get("simulations", 1)
    return (message.get("do") == "auto" and isinstance(on, bool)) or (message.get("do") == "graph" and simulations == 1)


def test_messages_that_are_too_large(server, page):
    page.new("scalas")
    name = page.table["table"]
    page.send(json.dumps({"do": "load", "text": "x" * 3_000_000}))
    assert page.closed()
    again = Page(server)
    again.say("join", table=name)
    assert again.hear("table")["last"] == 0
    again.close()


def test_many_games_survive_a_server_that_is_killed(tmp_path):
    """50 at once, a few actions each; what was played is there again after the server was killed, and goes on."""
    server = Server(tmp_path)
    try:
        lasts = play_at_many_tables(server)
    finally:
        server.stop(kill=True)
    assert len(lasts) == MANY
    with served(tmp_path) as again:
        page = Page(again)
        for name, last in lasts.items():
            page.say("join", table=name)
            assert page.hear("table")["last"] == last
            page.settled()
        page.play()
        page.close()


def play_at_many_tables(server: Server) -> dict[str, int]:
    """How many actions were played at each."""
    pages = [Page(server) for _ in range(MANY)]
    for number, page in enumerate(pages):
        page.say(
            "new",
            game=GAMES[number % 4],
            seats=["human", "human" if number % 2 else "random"],
            parameters={},
            seed=number,
        )
    for page in pages:
        page.hear("table")
        page.settled()
    for pick, page in enumerate(pages):
        page.play(pick)
    lasts = {page.table["table"]: page.table["last"] for page in pages}
    for page in pages:
        page.close()
    return lasts


def test_a_network_needs_the_link(tmp_path):
    with served(tmp_path, network=True) as server:
        token = server.place.partition("token=")[2]
        assert len(token) > 20
        for wrong in (None, "x" * len(token)):
            with pytest.raises(ConnectionClosed):
                Page(server, wrong)
        Page(server, token).close()


def test_too_many_pages_are_sent_away(tmp_path):
    with served(tmp_path) as server:
        pages = [Page(server) for _ in range(100)]
        with pytest.raises((InvalidStatus, ConnectionClosed)):
            Page(server)
        pages.pop().close()
        pages[0].new("scalas")
        for page in pages:
            page.close()
