"""What the documentation says against the code, and the README's code run."""

import re
import shlex
import subprocess
import sys

import pytest
from nakajima_zoo.envs import GAMES
from zoo import ENVIRONMENT, ROOT, VARIANTS, game_of

PAGES = {name: (ROOT / "docs" / f"{name}.md").read_text() for name in GAMES}
README = (ROOT / "README.md").read_text()
MARKS = {  # [S] and [R] of the rules
    "scalas": (18, 9),
    "ring_world": (13, 12),
    "tsukiji": (23, 20),
    "renaissance": (34, 25),
}


@pytest.mark.parametrize("name", GAMES)
def test_numbers_of_a_page(name):
    """C3: number of actions, shape of observations, names of decisions and reasons, for every variant."""
    page = PAGES[name]
    games = [game_of(variant) for variant, (game, _) in VARIANTS.items() if game == name]
    assert {int(n) for n in re.findall(r"Discrete\((\d+)\)", page)} == {game.num_actions for game in games}
    for game in games:
        assert str(game.observation_shape) in page
        for word in (*game.decisions, *game.reasons):
            assert f"`{word}`" in page, word
        for word in game.parameters:
            assert word in page, word


@pytest.mark.parametrize("name", GAMES)
def test_marks_of_a_page(name):
    """Every statement of the rules is marked as stated by the source or ruled by us."""
    stated, ruled = MARKS[name]
    assert PAGES[name].count("[S]") >= stated
    assert PAGES[name].count("[R]") >= ruled


@pytest.mark.parametrize("name", GAMES)
def test_positions_of_a_page(name):
    """The example positions parse, and print as they stand."""
    page = PAGES[name]
    found = 0
    for block in re.findall(r"(?:^(?: {4}.*)?\n)+", page, re.MULTILINE):
        text = "\n".join(line[4:] for line in block.strip("\n").split("\n"))
        if not re.match(r"\w+ to \w+; turns", text):
            continue
        parsed = []
        for variant, (game, _) in VARIANTS.items():
            if game == name:
                try:
                    state = game_of(variant).state_from_text(text)
                except ValueError:
                    continue
                parsed.append(game_of(variant).notation.state_to_text(state))
        assert text in parsed
        found += 1
    assert found


def test_readme_table():
    """The README's table of games has the right numbers."""
    rows = {
        match["game"]: match
        for match in re.finditer(
            r"\| \[[\w ]+\]\(docs/(?P<game>\w+)\.md\) \| [^|]* \| (?P<actions>[^|]*) \| (?P<shape>[^|]*) \|",
            README,
        )
    }
    assert set(rows) == set(GAMES)
    for variant, (name, _) in VARIANTS.items():
        game = game_of(variant)
        assert re.search(rf"\b{game.num_actions:,}\b".replace(",", " ?"), rows[name]["actions"]), variant
        assert str(game.observation_shape) in rows[name]["shape"], variant


def python_blocks(text):
    return re.findall(r"```python\n(.*?)```", text, re.DOTALL)


@pytest.mark.parametrize("page", ["README.md", *(f"docs/{name}.md" for name in GAMES)])
def test_code_of_a_page_runs(page, tmp_path):
    """B4: the blocks of a page run, one after the other, as they stand."""
    blocks = python_blocks((ROOT / page).read_text())
    if page == "README.md":
        assert len(blocks) >= 4
    if blocks:
        subprocess.run(
            [sys.executable, "-W", "ignore", "-c", "\n".join(blocks)],
            check=True,
            capture_output=True,
            text=True,
            cwd=tmp_path,
            env={**ENVIRONMENT, "MPLBACKEND": "Agg"},
        )


def test_readme_installation():
    """What the README gives to `pip install` is a requirement or a folder of the clone."""
    for words in re.findall(r"^ +(?:\S*python -m )?pip install (.*?)(?: {2,}#.*)?$", README, re.MULTILINE):
        target = shlex.split(words)[-1]
        assert re.fullmatch(r"\.(\[\w+\])?", target), target


def test_promises_name_their_tests():
    """Every row of docs/promises.md names tests that exist."""
    text = (ROOT / "docs" / "promises.md").read_text()
    tests = {
        name
        for path in (ROOT / "tests").rglob("test_*.py")
        for name in re.findall(r"^def (test_\w+)", path.read_text(), re.M)
    }
    named = set(re.findall(r"`(test_\w+)`", text))
    assert named <= tests, named - tests
    rows = re.findall(r"^\| ([A-I]\d+) \|", text, re.MULTILINE)
    counts = {"A": 10, "B": 10, "C": 9, "D": 10, "E": 5, "F": 5, "G": 20, "H": 4, "I": 9}
    assert rows == [f"{letter}{number}" for letter, count in counts.items() for number in range(1, count + 1)]
