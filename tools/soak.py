"""`make soak`: run the tests marked `soak`, one by one in the background, resuming after interruptions.

The tests of a file share a process, so that shared setup costs once. `make soak ARGS="tests/service -k memory"` runs
some of them: the arguments are for pytest.

State is kept in .soak/COMMIT/: `passed`, `failed` and `skipped` (one test a line), `at` (the current test, or the one
that was interrupted) and `log`. Calling it again during a run only prints the progress; after a stop, a failure or a
restart of the machine it runs the remaining tests. Perception tests write their figures there as `throws-N.json` and
`hands-N.json`. These are summed up and compared with the limits: if they fail, the exit status is 1.
"""

import fcntl
import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from statistics import median

import pytest

ROOT = Path(__file__).resolve().parents[1]
KINDS = ("wrong", "missed", "false", "unread", "asked")
COUNTS = ("throws", "early", "peer_right", "peer_rests")
THROWS, HANDS_S = 1000, 300.0  # of all parts together
MOST_WRONG, MOST_DELAY_S = 2, 0.25  # the limits
QUIET = ("-n0", "-q")
RUN = "--run"  # the first word of the process that runs the tests of one file


def main() -> int:
    """Start the soak or print its progress."""
    if sys.argv[1:2] == [RUN]:
        folder, *tests = sys.argv[2:]
        sys.path.insert(0, str(ROOT))
        return int(pytest.main([*QUIET, "-m", "soak", *tests], plugins=[Progress(Path(folder))]))
    head = ["git", "rev-parse", "--short", "HEAD"]
    commit = subprocess.run(head, cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()
    state = ROOT / ".soak" / commit
    state.mkdir(parents=True, exist_ok=True)
    lock = (state / "lock").open("w")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        say(_told(state, "running"))
        return int(bool(_watched(state).broken))
    say(_told(state, "goes on in the background, ask again with `make soak`"))
    if os.fork() == 0:  # the child keeps the lock, and outlives the terminal
        os.setsid()
        _soak(state, sys.argv[1:])
        os._exit(0)
    return int(bool(_watched(state).broken))


def _soak(state: Path, chosen: Sequence[str]) -> None:
    os.environ["SOAK_FOLDER"] = str(state)
    with (state / "log").open("a") as log:
        os.dup2(log.fileno(), sys.stdout.fileno())  # else who waits for the end of our output waits for hours
        os.dup2(log.fileno(), sys.stderr.fileno())
        listing = subprocess.run(
            [sys.executable, "-m", "pytest", *QUIET, "-m", "soak", "--collect-only", *chosen],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
            check=False,
        )
        for kind in ("failed", "skipped"):
            (state / kind).write_text("")
        tests = [line for line in listing.stdout.splitlines() if "::" in line]
        (state / "tests").write_text("".join(f"{test}\n" for test in tests))
        for _, of_file in groupby(tests, key=lambda test: test.partition("::")[0]):
            file = list(of_file)
            while left := _left(state, file):
                subprocess.run(
                    [sys.executable, __file__, RUN, str(state), *left], cwd=ROOT, stdout=log, stderr=log, check=False
                )
                if _left(state, file) == left or _at(state) in _left(state, file):  # it crashed
                    _note(state, "failed", _at(state) if _at(state) in left else left[0])
        (state / "at").unlink(missing_ok=True)
        log.write("end\n")


def _left(state: Path, tests: Sequence[str]) -> list[str]:
    """Return the tests of which nothing is known in this round."""
    known = {test for kind in ("passed", "failed", "skipped") for test in _lines(state / kind)}
    return [test for test in tests if test not in known]


def _at(state: Path) -> str:
    """Return the test that runs, or ran when its process ended."""
    return "".join(_lines(state / "at")).partition(", ")[2]


def _note(state: Path, kind: str, test: str) -> None:
    with (state / kind).open("a") as tests:
        tests.write(test + "\n")


@dataclass
class Progress:
    """A pytest plugin that records progress for a file's tests. state: the folder for it."""

    state: Path
    _outcomes: set[str] = field(default_factory=set)

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """Record the current test."""
        tests = _lines(self.state / "tests")
        self._outcomes.clear()
        (self.state / "at").write_text(f"{tests.index(nodeid) + 1} of {len(tests)}, {nodeid}")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Collect the outcome of a test's phase: setup, call or teardown."""
        self._outcomes.add(report.outcome)

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        """Record the test's outcome at once: the next test may be interrupted."""
        worst = next(kind for kind in ("failed", "skipped", "passed") if kind in self._outcomes)
        _note(self.state, worst, nodeid)


def _told(state: Path, doing: str) -> str:
    failed = _lines(state / "failed")
    skipped = len(_lines(state / "skipped"))
    left_out = f", {skipped} skipped" if skipped else ""
    passed = len(_lines(state / "passed"))
    tests = f"{passed} passed, {len(failed)} failed{left_out}, see {state.relative_to(ROOT)}/log; {doing}"
    tests += "".join(f"\n      at {line}" for line in _lines(state / "at"))
    watched = _watched(state)
    return f"{tests}{_throws_told(watched)}{_hands_told(watched)}{_verdict(watched)}"


@dataclass(frozen=True, slots=True)
class Watched:
    """The sum of all parts: counts of each of `KINDS` and `COUNTS`; delays, time with hands, and false throws."""

    counts: Mapping[str, int]
    delays_s: tuple[float, ...]
    hands_s: float
    hands_false: int

    @property
    def broken(self) -> list[str]:
        """The limits that are exceeded, as text; empty if there are none."""
        most_wrong = MOST_WRONG * max(self.counts["throws"], THROWS) / THROWS
        broken = [kind for kind in ("missed", "false") if self.counts[kind]]
        broken += ["wrong"] if self.counts["wrong"] > most_wrong else []
        broken += ["the median delay"] if self.delays_s and median(self.delays_s) > MOST_DELAY_S else []
        return broken + (["false among hands"] if self.hands_false else [])


def _watched(state: Path) -> Watched:
    """Add up what came of the throws and the hands so far."""
    parts = [json.loads(file.read_text(encoding="utf-8")) for file in sorted(state.glob("throws-*.json"))]
    hands = [json.loads(file.read_text(encoding="utf-8")) for file in sorted(state.glob("hands-*.json"))]
    counts = {kind: sum(len(part[kind]) for part in parts) for kind in KINDS}
    counts |= {count: sum(part[count] for part in parts) for count in COUNTS}
    delays_s = tuple(delay_s for part in parts for delay_s in part["delays_s"])
    return Watched(counts, delays_s, sum(part["seconds"] for part in hands), sum(part["false"] for part in hands))


def _throws_told(all_parts: Watched) -> str:
    """Tell what came of the throws; empty before the first."""
    if not all_parts.delays_s:
        return ""
    wrong, missed, false, unread, nudges = (all_parts.counts[kind] for kind in KINDS)
    throws, early, right, rests = (all_parts.counts[count] for count in COUNTS)
    middle_s, worst_s = median(all_parts.delays_s), max(all_parts.delays_s)
    return (
        f"\n      {throws} throws: {wrong} wrong, {missed} missed, {false} false; {nudges} nudges asked for, "
        f"{unread} times faces told with the buttons, {early} taken while a die leaned"
        f"\n      from rest to throw: median {middle_s:.3f} s, worst {worst_s:.3f} s; "
        f"a plain blob reader has {right} of {rests} rests right"
    )


def _hands_told(all_parts: Watched) -> str:
    if not all_parts.hands_s:
        return ""
    return f"\n      {all_parts.hands_s / 60:.1f} minutes of hands: {all_parts.hands_false} false"


def _verdict(all_parts: Watched) -> str:
    """Say whether the bounds hold so far, in the last line; empty before anything was watched."""
    if not all_parts.delays_s and not all_parts.hands_s:
        return ""
    broken = all_parts.broken
    bounds = f"of {THROWS} at most {MOST_WRONG} wrong, none missed or false, median delay {MOST_DELAY_S} s"
    whole = all_parts.counts["throws"] >= THROWS and all_parts.hands_s >= HANDS_S
    said = f"\n      {bounds}: " + (f"does not hold: {', '.join(broken)}" if broken else "holds")
    return f"{said}{'' if whole else ' so far'}"


def _lines(path: Path) -> list[str]:
    return path.read_text().splitlines() if path.exists() else []


def say(text: str) -> None:
    """Print a message."""
    sys.stdout.write(f"soak: {text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
