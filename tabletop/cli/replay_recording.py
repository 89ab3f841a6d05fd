"""`tabletop replay --frames FILE`: a recording through the present code, and where that would decide otherwise.

With `--why`, of a film too: what was read in each frame, and what held a rest back.
"""

import argparse
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tabletop.cameras.opening import camera_with_pictures
from tabletop.core.errors import DeviceError, InputError
from tabletop.dialogs.event_text import entry_text
from tabletop.perception.pipeline import FrameResult, PerceptionPipeline
from tabletop.perception.settler import Hindrance
from tabletop.replay.player import DecisionDifference, RecordingReplay
from tabletop.replay.recording import Recording, cut
from tabletop.rules import Event
from tabletop.vision.reader import read

RECORDING_SUFFIX = ".tar"  # whatever else is given is a film


class Why:
    """Writes a line for each frame. write: takes the line; as_json: as one JSON object."""

    def __init__(self, write: Callable[[str], None], *, as_json: bool) -> None:
        self._write, self._as_json = write, as_json
        self._zero_s: float | None = None

    def tell(self, seen: FrameResult) -> None:
        """Write the line of a frame; times count from the first one."""
        self._zero_s = seen.frame.time_s if self._zero_s is None else self._zero_s
        self._write(self._json(seen, self._zero_s) if self._as_json else self._text(seen, self._zero_s))

    def _text(self, seen: FrameResult, zero_s: float) -> str:
        unsure = f", {len(seen.reading.unsure)} unsure" if seen.reading.unsure else ""
        parts = [f"{_dice(seen.reading.faces)} read{unsure}"]
        if seen.rest is not None:
            doubts = f", {len(seen.rest.reading.unsure)} unsure" if seen.rest.reading.unsure else ""
            late_s = seen.reading.time_s - seen.rest.reading.time_s
            late = f", {late_s:.2f} s ago, until a hand came" if late_s > 0 else ""
            parts.append(f"at rest: {_dice(seen.rest.reading.faces)}{doubts}{late}")
        else:
            parts += [hindrance_text(one) for one in seen.hindrances]
        if seen.trouble:
            parts.append(seen.trouble)
        return f"{seen.frame.time_s - zero_s:8.3f} s  {'; '.join(parts)}"

    def _json(self, seen: FrameResult, zero_s: float) -> str:
        held_back = () if seen.rest is not None else seen.hindrances
        facts = {
            "time_s": round(seen.frame.time_s - zero_s, 3),
            "dice": list(seen.reading.faces),
            "unsure": len(seen.reading.unsure),
            "rest": list(seen.rest.reading.faces) if seen.rest is not None else None,
            "held_back_by": [
                {"face": one.face, "x": round(one.x, 1), "y": round(one.y, 1), "cause": one.cause}
                | {"amount": round(one.amount, 3)}
                for one in held_back
            ],
        }
        return json.dumps(facts)


def hindrance_text(one: Hindrance) -> str:
    """Return what a die does that holds a rest back, for people."""
    die = f"the {one.face} at {one.x:.0f},{one.y:.0f}" if one.face else f"the die at {one.x:.0f},{one.y:.0f}"
    return {
        "hidden": f"{die} is not seen, for {one.amount:.2f} s",
        "held": f"{die} counts as held: a hand is round it",
        "maybe held": f"{die} may be held; it has lain for {one.amount:.2f} s",
        "moves": f"{die} moves by {one.amount:.2f} edges",
        "creeps": f"{die} slides on slowly",
        "too short": f"{die} has lain for {one.amount:.2f} s only",
    }[one.cause]


def why_film(path: Path, dice: int | None, why: Why, tell: Callable[[str], None]) -> int:
    """Read a film and tell of each frame. dice: how many should lie there, None if unknown."""
    if not path.is_file():
        raise InputError(f"expected a recording or a film after --frames, got {path}")
    camera, pipeline = camera_with_pictures(str(path), tell), PerceptionPipeline(read)
    try:
        while True:
            try:
                frame = camera.read()
            except DeviceError as error:
                tell(str(error))
                continue
            if frame is None:
                return 0
            why.tell(pipeline.process(frame, dice))
    finally:
        camera.close()


def _dice(faces: tuple[int, ...]) -> str:
    return " ".join(map(str, faces)) if faces else "no dice"


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
