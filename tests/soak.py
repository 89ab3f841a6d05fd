"""`make soak`: the tests marked `soak`, one by one in the background, going on where they stopped.

State lies in .soak/COMMIT/: `passed` and `failed` (one test a line) and `log`. Asking again while it runs only tells
how far it is; asking after a stop, a failure or a restart of the machine runs what has not passed yet. Tests of
watching the tray leave their figures there as `throws-N.json`; they are told together.
"""

import fcntl
import json
import os
import subprocess
import sys
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parents[1]
KINDS = ("wrong", "missed", "false", "unread", "asked")
COUNTS = ("throws", "early", "peer_right", "peer_rests")
PYTEST = (sys.executable, "-m", "pytest", "-n0", "-q")


def main() -> int:
    """Start the soak or say how far it is."""
    head = ["git", "rev-parse", "--short", "HEAD"]
    commit = subprocess.run(head, cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()
    state = ROOT / ".soak" / commit
    state.mkdir(parents=True, exist_ok=True)
    lock = (state / "lock").open("w")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        say(f"running; {_told(state)}")
        return 0
    say(f"{_told(state)}; goes on in the background, ask again with `make soak`")
    if os.fork() == 0:  # the child keeps the lock, and outlives the terminal
        os.setsid()
        _soak(state)
        os._exit(0)
    return 0


def _soak(state: Path) -> None:
    os.environ["SOAK_FOLDER"] = str(state)
    with (state / "log").open("a") as log:
        os.dup2(log.fileno(), sys.stdout.fileno())  # else who waits for the end of our output waits for hours
        os.dup2(log.fileno(), sys.stderr.fileno())
        listing = subprocess.run(
            [*PYTEST, "-m", "soak", "--collect-only"],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
            check=False,
        )
        (state / "failed").write_text("")
        for test in [line for line in listing.stdout.splitlines() if "::" in line]:
            if test not in _lines(state / "passed"):
                done = subprocess.run([*PYTEST, "-m", "soak", test], cwd=ROOT, stdout=log, stderr=log, check=False)
                with (state / ("failed" if done.returncode else "passed")).open("a") as list_of_tests:
                    list_of_tests.write(test + "\n")
        log.write("end\n")


def _told(state: Path) -> str:
    failed = _lines(state / "failed")
    tests = f"{len(_lines(state / 'passed'))} passed, {len(failed)} failed, see {state.relative_to(ROOT)}/log"
    return f"{tests}{_throws_told(state)}"


def _throws_told(state: Path) -> str:
    """Add up what came of the throws so far; empty before the first."""
    parts = [json.loads(file.read_text(encoding="utf-8")) for file in sorted(state.glob("throws-*.json"))]
    delays_s = [delay_s for part in parts for delay_s in part["delays_s"]]
    if not delays_s:
        return ""
    wrong, missed, false, unread, nudges = (sum(len(part[kind]) for part in parts) for kind in KINDS)
    throws, early, right, rests = (sum(part[kind] for part in parts) for kind in COUNTS)
    return (
        f"\n      {throws} throws: {wrong} wrong, {missed} missed, {false} false (of 1,000 two may be wrong); "
        f"{unread} never read, and said so; {nudges} nudges asked for, {early} taken while a die leaned"
        f"\n      from rest to throw: median {median(delays_s):.3f} s, worst {max(delays_s):.3f} s; "
        f"a plain blob reader has {right} of {rests} rests right"
    )


def _lines(path: Path) -> list[str]:
    return path.read_text().splitlines() if path.exists() else []


def say(text: str) -> None:
    """Tell the person who asked."""
    sys.stdout.write(f"soak: {text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
