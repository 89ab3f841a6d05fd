"""When something happened: by the wall clock, and by a clock that nobody sets."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ClockState:
    """What the machine's clocks were worth at a moment.

    boot: names the run of the machine, from switching it on to switching it off. monotonic_s: seconds since some time
    in this run; it never jumps, so two moments of one run are as far apart as their difference. trusted: whether the
    wall clock was known to be right.
    """

    boot: str
    monotonic_s: float
    trusted: bool


@dataclass(frozen=True, slots=True)
class Moment:
    """A moment. time: ISO 8601, UTC. clock: None where the time is a film's or the simulation's own."""

    time: str
    clock: ClockState | None = None
