"""Compiled kernels on disk: never stale, never damaged, never in anybody's way."""

import pickle
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numba
import numpy as np
import pytest
from nakajima_zoo.envs.core import cache
from nakajima_zoo.envs.core.kernel import kernel
from test_cases import UNCOMPILED
from zoo import ENVIRONMENT

pytestmark = pytest.mark.skipif(UNCOMPILED, reason="nothing is compiled")

PLAY = """
import sys
from numba.core import event
class Listener(event.Listener):
    compiled = 0
    def on_start(self, event):
        self.compiled += 1
    def on_end(self, event):
        pass
listener = Listener()
event.register("numba:compile", listener)
import nakajima_zoo
from nakajima_zoo.envs.core.record import leader
assert leader(nakajima_zoo.make_game("scalas").new_states(1, [0])["scores"][0]) == -1
print("compiled" if listener.compiled else "loaded")
"""


def play(folder=None, code=PLAY, **environment):
    """What a new process says that plays a little."""
    env = {**ENVIRONMENT, **environment} | ({"NUMBA_CACHE_DIR": str(folder)} if folder else {})
    env = {name: value for name, value in env.items() if value is not None}
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout.split()[-1], done.stderr


def test_the_second_process_compiles_nothing(tmp_path):
    assert play(tmp_path)[0] == "compiled" and play(tmp_path)[0] == "loaded"
    assert all(path.suffix == ".kernel" for path in tmp_path.iterdir())


@pytest.mark.parametrize("damage", [lambda kept: kept[: len(kept) // 2], lambda kept: b"", lambda kept: kept[::-1]])
def test_a_damaged_file_is_compiled_again(damage, tmp_path):
    """A truncated file failed for ever."""
    assert play(tmp_path)[0] == "compiled"
    for path in tmp_path.iterdir():
        path.write_bytes(damage(path.read_bytes()))
    assert play(tmp_path) == ("compiled", "") and play(tmp_path)[0] == "loaded"


def test_nowhere_to_write(tmp_path):
    """One warning and a compilation, in place of an error: a folder that is a file, or below one."""
    file = tmp_path / "file"
    file.write_text("")
    for folder in (file, file / "below"):
        said, errors = play(folder)
        assert said == "compiled" and errors.count("compiles its rules anew in every process") == 1


def test_an_unknown_user_without_home():
    """A container's user without a name and a home: importing failed."""
    nobody = "import pwd\ndef unknown(uid): raise KeyError(uid)\npwd.getpwuid = unknown\n"
    said, errors = play(code=nobody + PLAY, HOME=None, XDG_CACHE_HOME=None, NUMBA_CACHE_DIR=None)
    assert said == "compiled" and errors.count("compiles its rules anew in every process") == 1


def test_no_home_but_a_cache_folder(tmp_path):
    """XDG_CACHE_HOME was not enough where HOME was missing."""
    assert play(HOME=None, XDG_CACHE_HOME=str(tmp_path), NUMBA_CACHE_DIR=None)[0] == "compiled"
    assert list((tmp_path / "nakajima_zoo").glob("*.kernel"))


def test_a_full_disk_costs_a_warning(tmp_path):
    """It failed at the first use."""
    full = "import os, tempfile\ndef full(*a, **k): raise OSError(28, 'No space left on device')\nos.replace = full\n"
    said, errors = play(tmp_path, full + PLAY)
    assert said == "compiled" and errors.count("No space left on device") == 1
    assert not list(tmp_path.iterdir())  # nothing half-written is left


def test_processes_at_once_do_not_disturb_each_other(tmp_path):
    """Two that compiled at the same time could leave an index that points at the other's code."""
    with ThreadPoolExecutor(4) as pool:
        assert {said for said, _ in pool.map(lambda _: play(tmp_path), range(4))} <= {"compiled", "loaded"}
    assert play(tmp_path)[0] == "loaded"


def test_others_compile_as_without_us():
    """A listener of ours raised in compilations of functions without a module."""
    code = """
import nakajima_zoo.envs, numba
from numba.experimental import jitclass
names = {}
exec("def twice(x): return 2 * x", names)
names["twice"].__module__ = None
assert numba.njit(names["twice"])(2) == 4
@jitclass([("a", numba.int64)])
class Box:
    def __init__(self):
        self.a = 1
assert Box().a == 1 and numba.njit(lambda x: x + 1)(1) == 2
from numba.core import event
assert not event._registered.get("numba:compile")
print("fine")
"""
    assert play(code=code) == ("fine", "")


TABLE = np.array([1, 2, 3])
SCALE = 2


def test_a_kernel_is_what_it_is_made_of():
    """Its code, the tables and constants that it names, and those of all kernels that it calls; not the remarks."""

    def made(body, **names):
        scope = {"kernel": kernel, "np": np, "TABLE": TABLE, "SCALE": SCALE, **names}
        exec(f"def function(x):\n    {body}", scope)
        return kernel(scope["function"])

    inner = made("return TABLE[x]")
    base = made("return inner(x) * SCALE", inner=inner)
    same = made("return inner(x) * SCALE  # a remark", inner=made("return TABLE[x]"))
    others = [
        made("return inner(x) + SCALE", inner=inner),
        made("return inner(x) * SCALE", inner=inner, SCALE=3),
        made("return inner(x) * SCALE", inner=made("return TABLE[x]", TABLE=TABLE + 1)),
        made("return inner(x) * SCALE", inner=made("return -TABLE[x]")),
        made("return inner(x) * 2", inner=inner),
    ]
    prints = [cache.fingerprint(function) for function in (base, *others)]
    assert cache.fingerprint(same) == prints[0] and len(set(prints)) == len(prints)


def test_kernels_name_what_a_fingerprint_can_see():
    """Every global name in a kernel is a table, a constant, a kernel, NumPy or math, or one that goes by the types."""
    import gc

    from nakajima_zoo.envs.core import dispatch
    from nakajima_zoo.players import network_search  # noqa: F401 - its kernels

    known = {dispatch.reset, dispatch.legal_actions, dispatch.play, dispatch.observe, dispatch.is_legal}
    kernels = [each for each in gc.get_objects() if issubclass(type(each), cache.Dispatcher)]
    ours = [each.py_func for each in kernels if (each.py_func.__module__ or "").startswith("nakajima_zoo")]
    assert len(ours) > 200
    for function in ours:
        for name in cache.global_names(function.__code__) & set(function.__globals__):
            value = function.__globals__[name]
            fine = isinstance(value, np.ndarray | int | float | str | tuple | np.generic | cache.Dispatcher)
            assert fine or value in known or value.__name__ in ("numpy", "math"), f"{function} names {name}"


def test_files_say_what_they_are(tmp_path):
    path = tmp_path / "a"
    cache.write(path, pickle.dumps([1, 2]))
    assert cache.read(path) == [1, 2] and cache.read(tmp_path / "b") is None
    assert [each.name for each in tmp_path.iterdir()] == ["a"] and numba.__version__ in cache.versions()
