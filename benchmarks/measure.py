"""Measurements that alternate, so that a machine with other things to do disturbs their ratios least."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from tqdm import tqdm


@dataclass
class Work:
    """Something to be timed."""

    name: str
    run: Callable[[], int]
    """Does some of the work, at least a few hundred microseconds, and returns how many units that were."""
    times: list[float] = field(default_factory=list)
    """Seconds per unit, one entry a round."""
    busy: list[float] = field(default_factory=list)
    """Processor time over time, one entry a round."""

    @property
    def time(self) -> float:
        """Seconds per unit: the median of the rounds."""
        return float(np.median(self.times))

    @property
    def cores(self) -> float:
        """How many cores were busy on average; fewer than the work asks for if the machine has other things to do."""
        return float(np.median(self.busy))

    def measure(self, seconds: float) -> None:
        """Work for `seconds`, and at least once."""
        units, processor = 0, time.process_time()
        start = now = time.perf_counter()
        while now - start < seconds or not units:
            units += self.run()
            now = time.perf_counter()
        self.times.append((now - start) / units)
        self.busy.append((time.process_time() - processor) / (now - start))


def interleave(title: str, works: Sequence[Work], seconds: float, rounds: int) -> None:
    """Time each of the works for `seconds` in all, spread over `rounds`, in turns."""
    with tqdm(total=len(works) * (rounds + 1), desc=title, unit="part") as progress:
        for number in range(-1, rounds):
            for work in works if number % 2 else works[::-1]:
                progress.set_postfix_str(work.name)
                if number < 0:
                    work.run()  # compiles
                else:
                    work.measure(seconds / rounds)
                progress.update()


def ratio(ours: Work, peer: Work) -> float:
    """How many times as fast as `peer` we are: the median of what the rounds say."""
    return float(np.median(np.array(peer.times) / np.array(ours.times)))
