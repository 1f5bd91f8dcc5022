"""Time our games against those of PettingZoo, pgx and OpenSpiel, all in one run, and write docs/performance.md.

    python benchmarks/speed.py
    python benchmarks/speed.py --games scalas --sections aec batch --seconds 0.5 --output /dev/stdout

The peers come with the extra `bench`; one that is not installed is left out.
"""

from __future__ import annotations

import argparse
import platform
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import NamedTuple

import costs
import ours
import pandas as pd
import peers
from measure import Work, interleave, ratio
from nakajima_zoo import GAMES, Game
from nakajima_zoo.arguments import at_least, make_parser, positive
from nakajima_zoo.envs import cores

PAGE = Path(__file__).resolve().parent.parent / "docs" / "performance.md"
PACKAGES = ("nakajima-zoo", "numpy", "numba", "pettingzoo", "gymnasium", "pgx", "jax", "open-spiel", "chess")
TRAINING_PACKAGES = ("stable-baselines3", "sb3-contrib", "torch")
TRAINING_ROUNDS = 3  # at most: one with a single environment takes many seconds
TRAINED = ("scalas-5", "tsukiji-staged")
CUT = 20  # decisions


class Goal(NamedTuple):
    """How many times as fast as a peer the variants whose names begin with `variant` are to be."""

    section: str
    variant: str
    peer: str
    reach: float


GOALS = (
    Goal("aec", "scalas", "PettingZoo connect_four_v3", 8),
    Goal("aec", "ring_world-L3", "PettingZoo connect_four_v3", 8),
    Goal("aec", "ring_world-L4-joint", "PettingZoo connect_four_v3", 1),
    Goal("aec", "tsukiji", "PettingZoo connect_four_v3", 4),
    Goal("aec", "renaissance", "PettingZoo connect_four_v3", 4),
    Goal("batch", "scalas", "pgx connect_four", 1),
    Goal("batch", "ring_world-L3", "pgx othello", 1),
    Goal("batch", "tsukiji", "pgx othello", 1),
    Goal("batch", "renaissance", "pgx othello", 1),
    Goal("clone", "", "OpenSpiel othello", 1),
    Goal("copies", "", "deepcopy", 20),
    Goal("training", "", "DummyVecEnv, 1 environment", 5),
)


BOUNDS = (
    "What bounds the forms that fall behind: the joint masks of Tsukiji and Renaissance have 76 611 and 303 971 entries"
    ", and clearing, copying and reading so much memory takes longer than the rules; their staged forms play the same"
    " games without. In a batch, an observation is float32 by contract (Scalas 7: 3.5 KB a game) where pgx writes"
    " booleans (connect_four: 84 bytes). When training on Tsukiji, four fifths of the time go into updates of the"
    " convolutional network, which are the same for every kind of environment."
)


@dataclass
class Bench:
    """One run: what is measured, for how long, and which goals were reached."""

    games: dict[str, Game]
    peers: tuple[str, ...] | None
    seconds: float
    rounds: int
    rollout: int
    verdicts: list[dict[str, object]] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)

    def rivals(self, library: str, names: Sequence[str], loop: Callable[[str], Callable[[], int]]) -> list[Work]:
        """The peers of a library that are wanted and installed; notes the others."""
        wanted = [name for name in names if self.peers is None or name in self.peers]
        found, missing = peers.works(library, wanted, loop)
        for line in missing:
            print(line)
        self.missing += missing
        return found

    def against(self, section: str, loop: Callable[[Game], Callable[[], int]], rivals: Sequence[Work]) -> pd.DataFrame:
        """Time all variants and the rivals; one row each, the ratios to the rivals in columns."""
        works = [Work(variant, loop(game)) for variant, game in self.games.items()]
        interleave(section, [*works, *rivals], self.seconds, self.rounds)
        rows = {work.name: time_of(work) for work in (*works, *rivals)}
        for work in works:
            rows[work.name] |= {f"x {rival.name}": ratio(work, rival) for rival in rivals}
            self.judge(section, work.name, {rival.name: ratio(work, rival) for rival in rivals})
        return rounded(pd.DataFrame.from_dict(rows, orient="index"))

    def judge(self, section: str, variant: str, ratios: dict[str, float]) -> None:
        """Note whether the goals of this variant are reached."""
        for goal in GOALS:
            if goal.section == section and variant.startswith(goal.variant) and goal.peer in ratios:
                found = ratios[goal.peer]
                self.verdicts.append(
                    {
                        "work": SECTIONS[section].short,
                        "variant": variant,
                        "compared with": goal.peer,
                        "reach": f">= {goal.reach:g}x",
                        "measured": f"{found:.3g}x",
                        "": "reached" if found >= goal.reach else "**not reached**",
                    }
                )

    def aec(self) -> pd.DataFrame:
        """One environment, random play."""
        rivals = self.rivals("PettingZoo", peers.PETTINGZOO, peers.pettingzoo_loop)
        return self.against("aec", lambda game: ours.aec_loop(ours.environment(game)), rivals)

    def batch(self) -> pd.DataFrame:
        """Many games, random play."""
        return self.against("batch", ours.batch_loop, self.rivals("pgx", peers.PGX, peers.pgx_loop))

    def clone(self) -> pd.DataFrame:
        """One record, copied and played on."""
        rivals = self.rivals("OpenSpiel", peers.OPENSPIEL, peers.openspiel_loop)
        return self.against("clone", ours.clone_loop, rivals)

    def copies(self) -> pd.DataFrame:
        """One environment, copied."""
        rows = {}
        for variant, game in self.games.items():
            clone, deepcopy = ours.environment_copies(game)
            interleave(f"copies {variant}", (clone, deepcopy), self.seconds, self.rounds)
            found = ratio(clone, deepcopy)
            rows[variant] = {"clone, us": clone.time * 1e6, "deepcopy, us": deepcopy.time * 1e6, "ratio": found}
            self.judge("copies", variant, {"deepcopy": found})
        return rounded(pd.DataFrame.from_dict(rows, orient="index"))

    def search(self) -> pd.DataFrame:
        """MCTS with random games."""
        rows: dict[str, dict[str, object]] = {}
        for variant, game in self.games.items():
            whole = Work(variant, ours.search_loop(game))
            cut = Work(f"{variant}, cut", ours.search_loop(game, CUT))
            interleave(f"search {variant}", (whole, cut), self.seconds, self.rounds)
            rows[variant] = {
                "us": whole.time * 1e6,
                "simulations/s": 1 / whole.time,
                f"simulations/s, random games cut after {CUT} decisions": 1 / cut.time,
                "cores busy": whole.cores,
            }
        return rounded(pd.DataFrame.from_dict(rows, orient="index"))

    def memory(self) -> pd.DataFrame:
        """Masks and observations of a rollout."""
        return costs.memory(self.games)

    def compilation(self) -> pd.DataFrame:
        """First use and later ones."""
        return costs.compilation()

    def training(self) -> pd.DataFrame:
        """Decisions of a learner."""
        rows: dict[str, dict[str, object]] = {}
        for variant in [name for name in TRAINED if name in self.games]:
            many, *single = costs.training(self.games[variant], self.rollout)
            interleave(f"training {variant}", (many, *single), self.seconds, min(self.rounds, TRAINING_ROUNDS))
            for work in (many, *single):
                rows[f"{variant}: {work.name}"] = {
                    "decisions/s": 1 / work.time,
                    "speed of BatchVecEnv / this": ratio(many, work),
                }
            self.judge("training", variant, {work.name: ratio(many, work) for work in single})
        return rounded(pd.DataFrame.from_dict(rows, orient="index"))


class Section(NamedTuple):
    """A section of the page."""

    short: str
    title: str
    text: str
    table: Callable[[Bench], pd.DataFrame]


SECTIONS = {
    "aec": Section(
        "AEC loop",
        "One environment: AEC loop",
        "Random legal play through `env()`: `last` and `step`, resets and dead steps included. Both sides draw actions"
        " with the same lines of Python. A decision is one `step`; in joint forms it is a whole turn.",
        Bench.aec,
    ),
    "batch": Section(
        "batch",
        f"Many games: batch of {ours.BATCH_SIZE}",
        "Random legal play with mask and observation of every game at every step, automatic resets included. Ours:"
        " `Batch` and `RandomPlayer`; pgx: `jit` and `vmap` on the CPU, `auto_reset`. Both may use all cores"
        " (`cores busy` says how many they did), and draw an action as the n-th legal one, n from one uniform"
        " number per game; where pgx is compiled as a whole, drawing"
        " included, so that nothing but the call of a step is left to Python.",
        Bench.batch,
    ),
    "clone": Section(
        "clone, play, mask",
        "One game: clone, play, legal actions",
        "What a search does at every node, from Python, on positions of random games. Ours: `copy_records` and"
        " kernels `play_at` and `describe`, which write mask and result into arrays of the caller; OpenSpiel: `clone`,"
        " `apply_action`, `legal_actions_mask`.",
        Bench.clone,
    ),
    "copies": Section(
        "copy of an environment",
        "Copies of an environment",
        "`clone()` against `copy.deepcopy`, in the middle of a game, spaces made.",
        Bench.copies,
    ),
    "search": Section(
        "search",
        "MCTS",
        f"`MCTSPlayer` with {ours.SIMULATIONS} simulations from the start position, on one core. A simulation is the"
        " way down the tree, a new node and a random game to its end; from the start position that is longest.",
        Bench.search,
    ),
    "training": Section(
        "training",
        "Training",
        "Decisions of the learner per second with MaskablePPO, learning included, against the random player. Network"
        " and hyperparameters are those of `examples/train.py` for all three, and so is the number of decisions in a"
        " rollout; only the environments differ.",
        Bench.training,
    ),
    "memory": Section(
        "memory",
        "Memory of a rollout",
        f"Of {costs.ROLLOUT_STEPS} steps in {costs.ROLLOUT_GAMES} games. sb3-contrib's buffer keeps masks as float32."
        " A program that keeps records or packed masks (`numpy.packbits`) instead needs a fraction: masks and"
        " observations can be worked out again from the records.",
        Bench.memory,
    ),
    "compilation": Section(
        "compilation",
        "First use",
        "Seconds, the start of Python included. `nakajima-zoo compile` compiles rules, greedy player and search of each"
        " game with its default board, on all cores; another board size or level compiles when it is first used, or by"
        " its name: `nakajima-zoo compile 'scalas(size=7)'`.",
        Bench.compilation,
    ),
}


def main() -> None:
    """Measure, and write the page."""
    arguments = parse_arguments()
    bench = Bench(
        ours.variants(arguments.games),
        None if arguments.peers is None else tuple(arguments.peers),
        arguments.seconds,
        arguments.rounds,
        arguments.rollout,
    )
    parts = []
    for section in (SECTIONS[name] for name in arguments.sections):
        table = section.table(bench).to_markdown(disable_numparse=True)
        parts.append(f"## {section.title}\n\n{section.text}\n\n{table}")
    verdicts = pd.DataFrame(bench.verdicts).to_markdown(index=False, disable_numparse=True)
    head = ["\n".join(["# Performance\n", introduction(arguments), *(f"- {line}" for line in bench.missing)])]
    if bench.verdicts:
        head.append(f"## Ratios of the design\n\n{verdicts}\n\n{BOUNDS}")
    arguments.output.write_text("\n\n".join([*head, *parts]) + "\n")
    print(f"\n{verdicts}\n\nwritten: {arguments.output}")


def parse_arguments() -> argparse.Namespace:
    """What to measure, and for how long."""
    parser = make_parser(__doc__)
    parser.add_argument("--seconds", type=positive, default=4.0, help="time per measurement")
    parser.add_argument("--rounds", type=at_least(1), default=9, help="parts that a measurement is cut into")
    parser.add_argument("--rollout", type=at_least(64), default=8192, help="decisions per rollout when training")
    parser.add_argument("--games", nargs="*", choices=GAMES, default=list(GAMES), help="whose variants are timed")
    parser.add_argument("--sections", nargs="*", choices=SECTIONS, default=list(SECTIONS), help="of the page")
    parser.add_argument("--peers", nargs="*", help="games of the peers, by name (default: all)")
    parser.add_argument("--output", type=Path, default=PAGE, help="the page to write")
    return parser.parse_args()


def introduction(arguments: argparse.Namespace) -> str:
    """What the numbers are, and how they were made."""
    words = " ".join(["python benchmarks/speed.py", *sys.argv[1:]])
    command = words.replace(f" --output {arguments.output}", "")
    return (
        "Made by `make bench`. The numbers of one run on one machine: read the ratios, the rest depends on the machine."
        " Measurements alternate between all that a table compares; a number is the median of the rounds, a ratio the"
        f" median of the rounds' ratios.\n\n- command: `{command}`\n"
        f"- {arguments.seconds:g} s per measurement in {arguments.rounds} rounds\n"
        f"- machine: {processor()}, {cores()} cores, {platform.system()} {platform.machine()}\n"
        f"- Python {platform.python_version()}, {', '.join(versions())}"
    )


def processor() -> str:
    """The name of the processor, as far as the system tells it."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or "unknown processor"


def versions() -> list[str]:
    """Names and versions of the packages that take part."""
    found = []
    for package in (*PACKAGES, *TRAINING_PACKAGES):
        try:
            found.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            found.append(f"{package} not installed")
    return found


def time_of(work: Work) -> dict[str, float]:
    """What a table says about the time of some work."""
    return {"us": work.time * 1e6, "per second": 1 / work.time, "cores busy": work.cores}


def rounded(table: pd.DataFrame) -> pd.DataFrame:
    """Three significant digits are more than a machine repeats; nothing where there is no number."""
    return table.map(lambda value: "" if pd.isna(value) else f"{float(f'{value:.3g}'):,.12g}".replace(",", " "))


if __name__ == "__main__":
    main()
