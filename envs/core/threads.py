"""Work shared out over threads: kernels hold no lock, so several can run at once."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

SHARES = 4  # for each thread

_pools: dict[tuple[int, int], ThreadPoolExecutor] = {}  # by process and size, since threads do not survive a fork


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def share_out(run: Callable[[int, int], None], size: int, most_shares: int, num_threads: int) -> None:
    """Call `run(start, stop)` for at most `most_shares` shares of `range(size)`, on several threads and on this one.

    A thread that is done takes the next share, since cores are seldom equally fast.
    """
    shares = max(1, min(SHARES * num_threads, most_shares))
    bounds = [size * share // shares for share in range(shares + 1)]
    waiting = itertools.pairwise(bounds)  # the threads take from one iterator, which only one can do at a time

    def work() -> None:
        for start, stop in waiting:
            run(start, stop)

    jobs = [thread_pool(num_threads).submit(work) for _ in range(min(num_threads, shares) - 1)]
    try:
        work()
    finally:
        for _ in waiting:  # after an error or an interruption nobody takes what is left
            pass
        for job in jobs:
            job.result()


def thread_pool(num_threads: int) -> ThreadPoolExecutor:
    """The threads that all batches of this process share."""
    key = os.getpid(), num_threads
    if key not in _pools:
        _pools[key] = ThreadPoolExecutor(num_threads, thread_name_prefix="nakajima_zoo")
    return _pools[key]
