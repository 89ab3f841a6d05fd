"""`tabletop replay --frames FILE`: a recording through the present code, and where that would decide otherwise."""

import argparse
import json
import sys
import time
from collections.abc import Callable
from typing import Any

from tabletop.cli.why import RECORDING_SUFFIX, Why, why_film
from tabletop.core.errors import InputError
from tabletop.dialogs.event_text import entry_text
from tabletop.replay.player import DecisionDifference, RecordingReplay
from tabletop.replay.recording import Recording, cut
from tabletop.rules import Event
from tabletop.vision.reader import read

SAME_STATUS, DIFFERS_STATUS = 0, 1  # as `diff` and `cmp` have it; 2 is for what cannot be played at all
TOLD_EVERY_S = 0.5  # of real time, in a terminal
TOLD_EVERY_PIPED_S = 10.0  # where each time is a line of its own


def replay_frames(options: argparse.Namespace) -> int:
    """Play the recording, or cut a part out of it; with --why tell of each frame, of a film as well."""
    why = Why(_write, as_json=options.json) if options.why else None
    if why is not None and options.frames.suffix.lower() != RECORDING_SUFFIX:
        return why_film(options.frames, options.dice, why, _tell)
    if options.dice is not None:
        raise InputError("expected --dice with --why and a film, a recording knows how many dice are due")
    with Recording(options.frames) as played:
        if options.cut is not None:
            return _cut(played, options)
        again = RecordingReplay(played, read, why.tell if why else None)
        differing = 0
        tell_progress = _Progress(played.span_s[1] - played.span_s[0])
        for difference in again.differences(tell_progress):
            differing += 1
            tell_progress.clear()
            _write(json.dumps(facts(difference)) if options.json else difference_text(difference))
        tell_progress.clear()
        if not options.json:
            _write(_summary(again, played, differing))
    return DIFFERS_STATUS if differing else SAME_STATUS


def difference_text(difference: DecisionDifference) -> str:
    """Return the line for people."""
    read_so = f" (the reader says {difference.read[1]}, then {difference.read[0]})" if difference.read else ""
    number = f"event {difference.number}" if difference.then else f"before event {difference.number}"
    return (
        f"{_clock(difference.time_s)} {number}: then {_event(difference.then)}, now {_event(difference.now)}{read_so}"
    )


def facts(difference: DecisionDifference) -> dict[str, Any]:
    """Return the line for programs."""
    return {
        "event": difference.number,
        "time_s": round(difference.time_s, 3),
        "then": _event_json(difference.then),
        "now": _event_json(difference.now),
        "read_then": difference.read[0] if difference.read else None,
        "read_now": difference.read[1] if difference.read else None,
    }


def _cut(played: Recording, options: argparse.Namespace) -> int:
    if options.out is None:
        raise InputError("expected --out FILE with --cut FROM TO, got none")
    from_s, to_s = options.cut
    cut(played, from_s, to_s, options.out)
    return SAME_STATUS


def _summary(again: RecordingReplay, played: Recording, differing: int) -> str:
    counted = again.counted
    blind = f", {counted.blind} of them without a picture: taken as read then" if counted.blind else ""
    length = _clock(played.span_s[1] - played.span_s[0])
    what = f"{differing} decided otherwise" if differing else "all decided the same"
    return f"{length} minutes, {counted.frames} frames{blind}; {counted.events} events, {what}"


def _event(event: Event | None) -> str:
    if event is None:
        return "nothing"
    return "undo" if event.kind == "undo" else entry_text(event)


def _event_json(event: Event | None) -> dict[str, Any] | None:
    if event is None:
        return None
    return {key: value for key, value in event.to_json().items() if key != "request"}


def _clock(seconds: float) -> str:
    minutes, rest = divmod(max(seconds, 0.0), 60.0)
    return f"{int(minutes)}:{rest:04.1f}"


class _Progress:
    """Says on standard error how far it is: in a terminal on one line, else now and then a line."""

    def __init__(self, whole_s: float, now: Callable[[], float] = time.monotonic) -> None:
        self._whole_s, self._now, self._next_s = whole_s, now, now()
        self._line = sys.stderr.isatty()
        self._shown = False
        if not self._line:
            self._next_s += TOLD_EVERY_PIPED_S

    def __call__(self, at_s: float) -> None:
        """Say so if it is time to."""
        if self._now() < self._next_s:
            return
        self._next_s = self._now() + (TOLD_EVERY_S if self._line else TOLD_EVERY_PIPED_S)
        text = f"tabletop replay: {_clock(at_s)} of {_clock(self._whole_s)} minutes"
        sys.stderr.write(f"\r{text}" if self._line else f"{text}\n")
        sys.stderr.flush()
        self._shown = self._line

    def clear(self) -> None:
        """Leave the line to what is written next."""
        if self._shown:
            sys.stderr.write("\r\x1b[K")
            self._shown = False


def _tell(line: str) -> None:
    sys.stderr.write(f"tabletop replay: {line}\n")


def _write(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()
