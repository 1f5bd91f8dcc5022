"""Work shared out over threads: kernels hold no lock, so several can run at once."""

from __future__ import annotations

import itertools
import os
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import suppress
from typing import Any

SHARES = 4  # for each thread

_pools: dict[tuple[int, int], ThreadPoolExecutor] = {}  # by process and size, since threads do not survive a fork


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def share_out(run: Callable[[int, int], Iterator[None] | None], size: int, most_shares: int, num_threads: int) -> None:
    """Call `run(start, stop)` for at most `most_shares` shares of `range(size)`, on several threads and on this one.

    A thread that is done takes the next share, since cores are seldom equally fast. `run` may be a generator, if it
    takes long: it yields where it can be left. After an error or an interruption nobody goes on with what is left;
    it is raised when all threads have stopped.
    """
    shares = max(1, min(SHARES * num_threads, most_shares)) if num_threads > 1 else 1
    bounds = [size * share // shares for share in range(shares + 1)]
    work, jobs = Work(run, list(itertools.pairwise(bounds))), list[Future[None]]()
    try:
        submit(jobs, work, min(num_threads, shares) - 1, num_threads)
        work()
    finally:
        wait_for(jobs, work)
    for job in jobs:
        if not job.cancelled():
            job.result()


class Work:
    """Shares that are left to do: each thread calls it, and takes one after the other."""

    def __init__(self, run: Callable[[int, int], Iterator[None] | None], shares: list[tuple[int, int]]) -> None:
        self.run = run
        self.shares = shares[::-1]
        self.lock = threading.Lock()
        self.stopped = False

    def __call__(self) -> None:
        """Do shares until there are none left, or another thread has failed."""
        try:
            for start, stop in iter(self.next_share, None):
                for _ in self.run(start, stop) or ():
                    if self.stopped:
                        return
        except BaseException:
            self.stopped = True
            raise

    def next_share(self) -> Any:
        """A share that nobody has taken; None: there is none."""
        with self.lock:
            return None if self.stopped or not self.shares else self.shares.pop()


def submit(jobs: list[Future[None]], work: Work, count: int, num_threads: int) -> None:
    """Let up to `count` threads work beside this one, as `jobs`; fewer when none can start, as at the program's end."""
    with suppress(RuntimeError):
        for _ in range(count):
            jobs.append(thread_pool(num_threads).submit(work))


def wait_for(jobs: list[Future[None]], work: Work) -> None:
    """Wait until no thread writes any more; interrupted, tell them to stop, and still wait."""
    running = [job for job in jobs if not job.cancel()]  # whoever has not begun need not
    try:
        wait(running)
    except BaseException:
        work.stopped = True
        wait(running)
        raise


def thread_pool(num_threads: int) -> ThreadPoolExecutor:
    """The threads that all batches of this process share."""
    key = os.getpid(), num_threads
    if key not in _pools:
        _pools.setdefault(key, ThreadPoolExecutor(num_threads, thread_name_prefix="nakajima_zoo"))
    return _pools[key]
