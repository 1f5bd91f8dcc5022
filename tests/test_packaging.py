"""The wheel holds all packages and works without the clone; H3."""

import subprocess
import sys
import zipfile
from pathlib import Path

import nakajima_zoo
from zoo import ROOT


def tracked_files() -> list[str]:
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()


ROOMS = ("arena", "envs", "learning", "package", "play", "players", "wrappers")  # what a wheel holds


def test_wheel(tmp_path):
    """H3: built, unpacked elsewhere, imported from there; one version everywhere; every file of every room."""
    files = {name for name in tracked_files() if name.startswith(tuple(f"{room}/" for room in ROOMS))}
    for name in (*files, "pyproject.toml", "README.md", "LICENSE"):
        target = tmp_path / "source" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes((ROOT / name).read_bytes())
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(tmp_path)]
    built = subprocess.run([*command, str(tmp_path / "source")], capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stdout[-3000:] + built.stderr[-3000:]
    (wheel,) = tmp_path.glob("*.whl")
    assert nakajima_zoo.__version__ in wheel.name
    unpacked = tmp_path / "unpacked"
    zipfile.ZipFile(wheel).extractall(unpacked)
    package = unpacked / "nakajima_zoo"
    packed = {path.relative_to(package).as_posix() for path in package.rglob("*") if path.is_file()}
    assert packed == {name.removeprefix("package/") for name in files} and "py.typed" in packed
    code = (
        f"import sys; sys.path.insert(0, {str(unpacked)!r})\n"
        "import nakajima_zoo\n"
        f"assert nakajima_zoo.__file__.startswith({str(unpacked)!r})\n"
        "[nakajima_zoo.make_game(name) for name in nakajima_zoo.GAMES]\n"
        "nakajima_zoo.evaluate('scalas', 'greedy', 'random', 1)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=tmp_path)


def test_no_workplace_in_the_project():
    """Nothing in the project speaks of the machine that it was written on."""
    words = ["/wo" + "rk/", "/ro" + "ot", "sha" + "red/", "/tm" + "p/dev"]
    for name in tracked_files():
        path = Path(ROOT / name)
        if path.suffix in (".py", ".md", ".toml", ".txt", ".yaml", "") and path.is_file():
            text = path.read_text(errors="ignore")
            assert not [word for word in words if word in text], name
