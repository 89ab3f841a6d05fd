"""A measured figure of `make bench`, and timing functions."""

import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import cv2

MS_PER_S = 1000.0


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured figure. value: the median of `runs` runs, a ratio or a share; None if it could not be measured."""

    name: str
    value: float | None
    unit: str
    runs: int = 1
    note: str = ""


def median_ms(work: Callable[[], object], runs: int, *, warm: bool = False) -> float:
    """Return the median of `runs` runs in milliseconds, after a warm-up run unless everything is warm already."""
    if not warm:
        work()
    return statistics.median(_once_ms(work) for _ in range(runs))


def _once_ms(work: Callable[[], object]) -> float:
    """Return how long one run took, in milliseconds."""
    start_s = time.perf_counter()
    work()
    return (time.perf_counter() - start_s) * MS_PER_S


@contextmanager
def one_core() -> Iterator[None]:
    """Limit OpenCV to one thread inside the `with` block."""
    before = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        yield
    finally:
        cv2.setNumThreads(before)
