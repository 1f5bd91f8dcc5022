"""The games are built alike: the same files, the same functions with the same parameters, the same facts."""

import inspect
import re
from importlib import import_module
from pathlib import Path

import pytest
from nakajima_zoo import make_game, register_game
from nakajima_zoo.envs import GAMES
from nakajima_zoo.envs.core import cache
from nakajima_zoo.envs.core.types import Record
from test_cases import UNCOMPILED

register_game("tic_tac_toe", "toy")
HOUSES = (*GAMES, "tic_tac_toe")  # the fifth game keeps to it, too
FUNCTIONS = {  # by file: the functions that core relies on, and their parameters
    "rules": {"reset": ["state"], "legal_actions": ["state", "mask"], "play": ["state", "action"]},
    "observation": {"observe": ["state", "player", "observation"]},
    "position": {"check_position": ["state"]},
    "notation": {
        "action_to_text": ["state", "action"],
        "text_to_action": ["state", "text"],
        "state_to_text": ["state"],
        "text_to_state": ["text", "state"],
    },
    "drawing": {"draw": ["state", "before", "actions"]},
    "symmetry": {"symmetries": ["game"]},
    "planes": {"planes": ["game"]},
    "things": {"things": ["state", "action"]},
    "environment": {},
    "game": {},
}
FUNCTIONS_OF_OURS = {  # a game from outside can do without: masks and general words are used instead
    "rules": {"is_legal": ["state", "action", "room"]},
    "refusals": {"why_illegal": ["state", "action"]},
}
FACTS = ("VERSION", "DECISIONS", "REASONS")

every_house = pytest.mark.parametrize("name", HOUSES)


def check_functions(name, file, functions):
    module = import_module(f"{make_game(name).package}.{file}")
    assert module.__doc__
    for function, parameters in functions.items():
        found = getattr(module, function)
        assert list(inspect.signature(found).parameters) == parameters and found.__doc__
        assert found.__module__ == module.__name__, f"{function} stands in {found.__module__}"


@every_house
@pytest.mark.parametrize("file", FUNCTIONS)
def test_the_same_files(name, file):
    check_functions(name, file, FUNCTIONS[file])


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("file", FUNCTIONS_OF_OURS)
def test_the_same_files_of_our_games(name, file):
    check_functions(name, file, FUNCTIONS_OF_OURS[file])


@every_house
def test_a_package_offers_its_game_and_its_environments(name):
    package = import_module(make_game(name).package)
    assert package.__doc__ and package.__all__ == ["env", "game", "raw_env"]


@every_house
def test_facts_stand_at_the_head_of_the_rules(name):
    game = make_game(name)
    rules = import_module(f"{game.package}.rules")
    assert (game.version, game.decisions, game.reasons) == (rules.VERSION, rules.DECISIONS, rules.REASONS)
    assert rules.REASONS[0] == "illegal_action" and game.package.split(".")[-1] in (name, "toy")
    text = Path(rules.__file__).read_text()
    facts = [re.search(rf"^(\w+, )*{fact}(, \w+)* = ", text, re.MULTILINE).start() for fact in FACTS]
    assert max(facts) < text.index("np.dtype(") and facts[0] == min(facts)


@every_house
def test_environments_take_what_the_game_takes(name):
    """`env` and `raw_env` are written out: they must not forget a parameter, nor a default."""
    package = import_module(make_game(name).package)
    parameters = inspect.signature(package.game).parameters
    for function in (package.env, package.raw_env):
        found = inspect.signature(function).parameters
        assert all(found[key].default == value.default for key, value in parameters.items())
        assert all(each.kind is each.KEYWORD_ONLY for each in found.values())
        assert {"illegal_action", "render_mode"} >= set(found) - set(parameters)


@pytest.mark.skipif(UNCOMPILED, reason="nothing is compiled")
def test_every_kernel_is_annotated():
    import gc

    from nakajima_zoo.players import MCTSPlayer, NetworkSearch  # noqa: F401 - their kernels

    found = 0
    for kernel in [each.py_func for each in gc.get_objects() if issubclass(type(each), cache.Dispatcher)]:
        if (kernel.__module__ or "").startswith("nakajima_zoo") and kernel.__name__ != "<lambda>":  # of `dispatch`
            found += 1
            assert set(inspect.signature(kernel).parameters) | {"return"} == set(kernel.__annotations__), kernel
    assert found > 200


def test_a_record_is_a_numpy_record():
    for name in HOUSES:
        assert isinstance(make_game(name).new_states(1, [0])[0], Record)
