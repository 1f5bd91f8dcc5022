"""The table in a real browser: Debian's chromium, by Playwright."""

from __future__ import annotations

import random
import re
import shutil
from pathlib import Path

import pytest
from nakajima_zoo.arena.recordings import Recording
from nakajima_zoo.envs import GAMES
from nakajima_zoo.play.table import Table
from zoo import DEFAULTS, VARIANTS, game_of

pytest.importorskip("uvicorn")
playwright = pytest.importorskip("playwright.sync_api")
from served import served  # noqa: E402

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium on this machine")

DESKTOP = {"width": 1280, "height": 650}
PHONE = {"width": 390, "height": 844}
CAN = ".marks .can, #beside button"
NEXT = f"{CAN}, #table.over"
FORMS = (*DEFAULTS, "ring_world-L4-staged", "tsukiji-joint", "renaissance-phase2-joint")
QUICK = {"atonce": "true", "animated": "false"}  # settings of the page
SLOW = {"atonce": "false", "animated": "true"}

PARTS = """() => [...document.querySelectorAll('.marks .can, #beside button')].map((mark) => {
  const box = mark.getBoundingClientRect();
  return { part: mark.dataset.part, x: box.x + box.width / 2, y: box.y + box.height / 2 };
})"""

MOVING = """async () => {
  let most = 0;
  for (let frame = 0; frame < 40; frame++) {
    await new Promise(requestAnimationFrame);
    most = Math.max(most, document.getAnimations().length);
  }
  return most;
}"""

# What can be chosen after some things, read off the page alone: every part is clicked or turned through.
LOOK = """(chosen) => {
  const press = (key) => document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
  const marks = () => [...document.querySelectorAll('.marks .can, #beside button')];
  const shown = () => [...document.querySelectorAll('.marks .preview')].map((mark) => mark.dataset.part);
  const key = (parts) => [...parts].sort().join('+');
  const choose = (thing) => {
    const [part] = thing.split('+');
    const mark = marks().find((each) => each.dataset.part === part);
    mark.dispatchEvent(new PointerEvent('pointerenter', { pointerType: 'mouse' }));
    for (let i = 0; i < 200 && shown().length && key(shown()) !== key(thing.split('+')); i++) press('r');
    mark.dispatchEvent(new MouseEvent('click', { bubbles: true }));
  };
  chosen.forEach(choose);
  const found = new Set();
  for (const part of new Set(marks().map((mark) => mark.dataset.part))) {
    const mark = marks().find((each) => each.dataset.part === part);
    mark.dispatchEvent(new PointerEvent('pointerenter', { pointerType: 'mouse' }));
    if (!shown().length) { found.add(part); continue; }
    const first = key(shown());
    do { found.add(key(shown())); press('r'); } while (key(shown()) !== first);
  }
  chosen.forEach(() => press('Escape'));
  return [...found];
}"""


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with served(tmp_path_factory.mktemp("tables")) as found:
        yield found


@pytest.fixture(scope="module")
def browser():
    with playwright.sync_playwright() as started:
        launched = started.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        yield launched
        launched.close()


class Screen:
    """A page in the browser, with what went wrong in it."""

    def __init__(self, browser, server):
        self.server = server
        self.context = browser.new_context(viewport=DESKTOP, accept_downloads=True)
        self.page = self.context.new_page()
        self.page.set_default_timeout(20_000)
        self.wrong = []
        self.visits = 0
        self.page.on("pageerror", lambda error: self.wrong.append(str(error)))
        self.page.on("console", lambda message: self.wrong.append(message.text) if message.type == "error" else None)
        self.page.on("request", lambda request: self.note(request.url))
        self.page.on("dialog", lambda dialog: dialog.accept())
        self.page.goto(f"http://{server.host}/")

    def begin(self, settings=SLOW):
        """Go to the first page, with these settings."""
        self.page.set_viewport_size(DESKTOP)
        self.page.evaluate("(all) => Object.assign(localStorage, all)", settings)
        self.visits += 1
        self.page.goto(f"http://{self.server.host}/?{self.visits}")
        self.page.wait_for_selector("#choose select")
        return self

    def note(self, url):
        if not url.startswith((f"http://{self.server.host}/", "data:", "blob:")):
            self.wrong.append(url)

    def new(self, game, first="human", second="human", **parameters):
        page = self.page
        page.select_option("[name=game]", game)
        page.select_option("[name=first]", first)
        page.select_option("[name=second]", second)
        for name, value in parameters.items():
            page.select_option(f"[data-parameter={name}]", label=str(value))
        page.click("#choose button.main")
        page.wait_for_selector(NEXT, state="attached")

    def load(self, recording):
        """Load a recording by the first page."""
        file = {"name": "game.jsonl", "mimeType": "text/plain", "buffer": recording.to_json().encode()}
        self.page.set_input_files("#file", [file])
        self.page.wait_for_selector(NEXT, state="attached")

    def click_something(self, rng):
        """Click one thing of those that can be clicked; whether there was one."""
        self.page.wait_for_selector(NEXT, state="attached")
        parts = self.page.evaluate(PARTS)
        if not parts:
            return False
        chosen = rng.choice(parts)
        self.page.mouse.click(chosen["x"], chosen["y"])
        return True

    @property
    def name(self):
        return re.search(r"table=([\w-]+)", self.page.url)[1]

    def kept(self) -> Recording:
        return Recording.from_json(self.server.kept()[self.name])

    def number(self):
        return int(self.page.inner_text("#number").split("/")[1])

    def wait(self, number):
        """Wait until so many actions were played."""
        self.page.wait_for_selector(f".move[data-number='{number}']", state="attached")

    def close(self):
        self.context.close()
        assert self.wrong == []


@pytest.fixture(scope="module")
def only(browser, server):
    found = Screen(browser, server)
    yield found
    found.close()


@pytest.fixture
def screen(only):
    yield only.begin()
    assert only.wrong == []


@pytest.fixture
def quick(only):
    yield only.begin(QUICK)
    assert only.wrong == []


@pytest.mark.parametrize(("game", "opponent"), [*((game, "random") for game in GAMES), ("scalas", "greedy")])
def test_a_whole_game_by_clicks(quick, game, opponent):
    shorter = {"variant": "phase2"} if game == "renaissance" else {}  # the other phases: without a browser
    quick.new(game, second=opponent, **shorter)
    rng = random.Random(1)
    while quick.click_something(rng):
        pass
    kept = quick.kept()
    assert kept.replay().result is not None
    assert len(kept.actions) == quick.number()


@pytest.mark.parametrize("variant", FORMS)
def test_what_can_be_clicked_is_what_is_legal(quick, variant):
    """In random positions: at the beginning of a choice, and after a few random things of it."""
    rng = random.Random(2)
    for decisions in (rng.randrange(3), rng.randrange(8, 40)):
        table = Table(game_of(variant), seed=5)
        for _ in range(decisions):
            if not table.over:
                table.play(rng.choice(list(table.choices.actions)), table.number)
        if table.over:
            continue
        quick.page.evaluate("localStorage.setItem('atonce', 'false')")
        quick.load(table.recording())
        sequence = rng.choice(list(table.choices.actions))
        for count in range(len(sequence)):
            expected = table.choices.after(sequence[:count])
            found = quick.page.evaluate(LOOK, list(sequence[:count]))
            assert {key(thing) for thing in found} == {key(thing) for thing in expected}
        quick.page.click("#home")


def key(thing):
    return tuple(sorted(thing.split("+")))


def test_keys_alone(screen):
    """From the first page to the end of a few turns, with Submit, a piece that is turned, and things taken back."""
    page = screen.page
    screen.new("renaissance")
    for _ in range(2):
        before = screen.number()
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        page.wait_for_selector(".marks .chosen", state="attached")
        page.keyboard.press("Escape")
        assert page.locator(".marks .chosen").count() == 0
        page.keyboard.press("Enter")
        page.keyboard.press("ArrowLeft")
        page.keyboard.press("ArrowLeft")
        shapes = set()
        for _ in range(3):
            shapes.add(page.inner_text("#under"))
            page.keyboard.press("r")
        assert len(shapes) >= 2
        page.keyboard.press("f")
        page.keyboard.press("Enter")
        page.wait_for_selector("#submit:enabled")
        page.keyboard.press("Enter")
        screen.wait(before + 1)
    page.keyboard.press("u")
    page.wait_for_selector(".move[data-number='2']", state="detached")
    page.keyboard.press("Home")
    assert page.inner_text("#number") == "0 / 1"


def test_cancel_and_submit(screen):
    page = screen.page
    screen.new("scalas")
    page.locator(".marks .can[data-part='square:c3']").click()
    page.wait_for_selector("#submit:enabled")
    page.wait_for_selector("#words:has-text('Red: c3')")  # the server's word, which follows the click
    page.wait_for_selector("#stage.previewing")
    page.click("#cancel")
    assert page.is_disabled("#submit") and page.locator("#stage.previewing").count() == 0
    page.locator(".marks .can[data-part='square:c3']").click()
    page.click("#submit")
    screen.wait(1)
    page.locator("#board [data-thing='square:e1']").hover(force=True)
    assert page.inner_text("#tip") == "e1"


@pytest.mark.parametrize("animated", ["true", "false"])
def test_animation(only, animated):
    """What a turn changes moves, unless that is switched off."""
    only.begin({"atonce": "false", "animated": animated})
    only.new("ring_world")
    only.page.locator(".marks .can[data-part='ring:0.0']").click()
    only.page.locator(".marks .can[data-part='ring:0']").click()
    assert (only.page.evaluate(MOVING) > 0) == (animated == "true")
    only.page.click("#submit:enabled")
    only.wait(1)


def test_a_staged_turn_is_one_turn(screen):
    """The first half needs no Submit, and Cancel takes it back; the second half ends the turn."""
    page = screen.page
    screen.new("ring_world", turns="staged")
    page.locator(".marks .can[data-part='ring:0.0']").click()
    screen.wait(1)
    page.wait_for_selector(".marks .can[data-part='ring:0']", state="attached")
    page.keyboard.press("Escape")
    page.wait_for_selector(".move[data-number='1']", state="detached")
    page.locator(".marks .can[data-part='ring:0.0']").click()
    page.locator(".marks .can[data-part='ring:0']").click()
    page.wait_for_selector("#submit:enabled")
    page.click("#submit")
    screen.wait(2)


def test_reload_in_the_middle_of_a_turn(screen):
    page = screen.page
    screen.new("ring_world")
    page.locator(".marks .can[data-part='ring:0.0']").click()
    page.wait_for_selector(".marks .chosen", state="attached")
    page.reload()
    page.wait_for_selector(".marks .chosen[data-part='ring:0.0']", state="attached")
    page.locator(".marks .can[data-part='ring:0']").click()
    page.click("#submit:enabled")
    screen.wait(1)
    page.reload()
    screen.wait(1)


def test_undo_resign_restart_and_review(quick):
    page, rng = quick.page, random.Random(3)
    quick.new("scalas")
    for number in range(1, 4):
        quick.click_something(rng)
        quick.wait(number)
    page.click("#undo")
    page.wait_for_selector(".move[data-number='3']", state="detached")
    page.click("#resign")
    page.wait_for_selector("#table.over")
    assert "Blue wins (resigned" in page.inner_text("#words") or "Red wins (resigned" in page.inner_text("#words")
    assert quick.kept().result["reason"] == "resigned"
    page.click("#undo")
    page.wait_for_selector("#table:not(.over)")
    for number in range(3, 6):
        quick.click_something(rng)
        quick.wait(number)
    last = quick.number()
    for button, number in (("first", 0), ("next", 1), ("next", 2), ("previous", 1), ("last", last)):
        page.click(f"#{button}")
        assert page.inner_text("#number") == f"{number} / {last}"
    page.click(".move[data-number='4']")
    page.wait_for_selector(".move.now[data-number='4']")
    page.click("#branch")
    page.wait_for_selector(".move[data-number='5']", state="detached")
    assert quick.number() == 4
    page.click("#restart")
    page.wait_for_selector(".move[data-number='1']", state="detached")


def test_auto(quick):
    """Random legal play that can be stopped; on the large board it takes long enough for that."""
    page = quick.page
    quick.new("ring_world", levels=4)
    page.click("#auto")
    quick.wait(3)
    page.click("#auto")
    page.wait_for_selector("#auto[aria-pressed=false]")
    last = quick.number()
    assert quick.click_something(random.Random(0)) and quick.number() == last and last < 400


def test_graph_research_and_refusal(quick):
    page, rng = quick.page, random.Random(3)
    quick.new("scalas")
    for number in range(1, 5):
        quick.click_something(rng)
        quick.wait(number)
    page.click("[data-tab=graph]")
    page.fill("#simulations", "5")
    page.click("#evaluate")
    page.wait_for_selector("#chart circle:nth-of-type(5)", state="attached")
    page.click("[data-tab=research]")
    page.select_option("#thinker", "mcts:50")
    page.click("#analyse")
    page.wait_for_selector("#considered tr")
    assert page.locator("#planes canvas").count() == len(game_of("scalas-5").channels)
    assert page.input_value("#text").startswith("red to place")
    page.hover("#considered tr")
    assert page.locator(".marks .considered").count() == 1
    page.click("#goon")
    page.wait_for_selector(".move[data-number='1']", state="detached")
    page.fill("#text", "nonsense")
    page.click("#goon")
    page.wait_for_selector("#note:not(:empty)")
    quick.page.click("[data-tab=record]")


def test_refusals_are_shown(screen):
    """A click on what cannot be chosen says why; what can be chosen is still there."""
    page, rng, table = screen.page, random.Random(7), Table(game_of("scalas-5"), seed=1)
    while len(table.choices.actions) == 25:
        table.play(rng.choice(list(table.choices.actions)), table.number)
    screen.load(table.recording())
    names = {f"{file}{rank}" for file in "abcde" for rank in "12345"}
    closed = min(names - {things[0].removeprefix("square:") for things in table.choices.actions})
    box = page.locator(f"#board [data-thing='square:{closed}']").bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.wait_for_selector("#note:not(:empty)")
    assert closed in page.inner_text("#note")
    assert page.locator(".marks .can").count() == len(table.choices.actions)


def test_save_load_and_export(quick, tmp_path, browser):
    page, rng = quick.page, random.Random(3)
    quick.new("tsukiji")
    while quick.number() < 6:
        quick.click_something(rng)
    page.click("#resign")
    page.wait_for_selector("#table.over")
    with page.expect_download() as saved:
        page.click("#save")
    recording = Recording.from_json(Path(saved.value.path()).read_text())
    assert recording == quick.kept()
    with page.expect_download() as exported:
        page.click("#export")
    file = tmp_path / "game.html"
    exported.value.save_as(file)
    page.click("#home")
    quick.load(recording)
    page.wait_for_selector("#table.over")
    assert quick.kept().actions == recording.actions and quick.kept().result == recording.result
    check_replay(browser, file, len(recording.actions) + 1)


def check_replay(browser, file, last):
    """The page without a server: it asks for nothing, shows all, and can be gone through by keys."""
    page = browser.new_page(viewport=DESKTOP)
    wrong = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("request", lambda request: wrong.append(request.url) if request.url != file.as_uri() else None)
    page.goto(file.as_uri())
    assert page.inner_text("#number") == f"0 / {last}"
    page.keyboard.press("End")
    assert "resigns" in page.inner_text("#words")
    page.keyboard.press("ArrowLeft")
    assert page.inner_text("#number") == f"{last - 1} / {last}"
    assert page.evaluate(
        "[...document.querySelectorAll('.move')].every((each) => each.scrollWidth <= each.clientWidth)"
    )
    assert inside(page, "button")
    page.set_viewport_size(PHONE)
    assert page.locator("#board svg").bounding_box()["width"] > 340
    page.close()
    assert wrong == []


def inside(page, selector):
    """Whether all that is shown of a kind lies in the window."""
    size = page.viewport_size
    boxes = [each.bounding_box() for each in page.locator(selector).all() if each.is_visible()]
    return all(box["x"] >= 0 and box["y"] >= 0 and box["x"] + box["width"] <= size["width"]
               and box["y"] + box["height"] <= size["height"] for box in boxes)  # fmt: skip


@pytest.mark.parametrize("variant", DEFAULTS)
def test_all_fits(screen, variant):
    """F: no button off-screen at 1280 x 650, a board as wide as the phone, nothing wider than it."""
    page = screen.page
    screen.new(VARIANTS[variant].game)
    assert inside(page, "button")
    assert page.locator("#board svg").bounding_box()["height"] > 480
    page.set_viewport_size(PHONE)
    page.reload()
    page.wait_for_selector(CAN, state="attached")
    assert page.locator("#board svg").bounding_box()["width"] > 340
    assert all(mark in page.inner_text("#beside") for mark in (["piece pool D"] if "renaissance" in variant else []))
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    assert page.locator("#submit").bounding_box()["y"] < PHONE["height"]


def test_two_pages_in_one_game(browser, server):
    first, second = Screen(browser, server).begin(QUICK), Screen(browser, server).begin(QUICK)
    first.new("scalas")
    first.page.click("#share")
    first.page.select_option("#linkseat", label="Blue")
    second.page.goto(first.page.input_value("#linktext"))
    first.page.click("[data-close=link]")
    second.page.wait_for_selector("#board svg")
    assert second.page.locator(CAN).count() == 0
    first.page.locator(".marks .can[data-part='square:c3']").click()
    second.wait(1)
    second.page.locator(".marks .can[data-part='square:a1']").click()
    first.wait(2)
    assert first.page.inner_text(".move.now .text") == "a1"
    first.close()
    second.close()


def test_a_server_that_is_gone(browser, tmp_path):
    """The page says so, and tries again."""
    with served(tmp_path) as server:
        screen = Screen(browser, server).begin(QUICK)
        screen.new("scalas")
        server.process.kill()
        screen.page.wait_for_selector("#gone:not([hidden])")
        screen.context.close()


def test_the_first_page_says_what_it_refuses(screen, tmp_path):
    """A refusal was written where nobody could see it."""
    (tmp_path / "garbage.jsonl").write_text("garbage")
    screen.page.goto(screen.page.url.split("#")[0])
    screen.page.wait_for_selector("#start:not([hidden])")
    screen.page.set_input_files("#file", tmp_path / "garbage.jsonl")
    screen.page.wait_for_selector("#told:has-text('line 1')")
    assert screen.page.is_visible("#told")
