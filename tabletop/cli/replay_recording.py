"""`tabletop replay --frames FILE`: process a recording with the current code, and report different decisions.

With `--why`, also report what was read in each frame, and what delayed a rest.
"""

import argparse
import json
import sys
from typing import Any

from tabletop.cli.progress import Progress
from tabletop.core.errors import InputError
from tabletop.dialogs.event_text import entry_text
from tabletop.perception import pipeline, settler
from tabletop.replay import player, recording
from tabletop.rules import Event
from tabletop.vision.reader import read

SAME_STATUS, DIFFERS_STATUS = 0, 1  # as `diff` and `cmp` have it; 2 is for what cannot be played at all


def replay_frames(options: argparse.Namespace) -> int:
    """Process the recording, or cut out a part of it; with --why write a line for each frame."""
    with recording.Recording(options.frames) as played, Progress("replay") as progress:
        if options.cut is not None:
            if options.out is None:
                raise InputError("expected --out FILE with --cut FROM TO, got none")
            from_s, to_s = options.cut
            recording.cut(played, from_s, to_s, options.out)
            return SAME_STATUS
        begun_s, end_s = played.span_s
        length = _clock(end_s - begun_s)

        def look_on(seen: pipeline.FrameResult) -> None:
            progress.erase()
            _write(json.dumps(why_json(seen, begun_s)) if options.json else why_text(seen, begun_s))

        again = player.RecordingReplay(played, read, look_on if options.why else None)
        differing = 0
        for difference in again.differences(lambda at_s: progress.show(f"{_clock(at_s)} of {length} minutes")):
            differing += 1
            progress.erase()
            _write(json.dumps(facts(difference)) if options.json else difference_text(difference))
        progress.erase()
        if not options.json:
            _write(_summary(again, length, differing))
    return DIFFERS_STATUS if differing else SAME_STATUS


def why_text(seen: pipeline.FrameResult, zero_s: float) -> str:
    """Return the reading of a frame and why it is not a rest, as text; times are relative to `zero_s`."""
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


def why_json(seen: pipeline.FrameResult, zero_s: float) -> dict[str, Any]:
    """Return the same as JSON values."""
    return {
        "time_s": round(seen.frame.time_s - zero_s, 3),
        "dice": list(seen.reading.faces),
        "unsure": len(seen.reading.unsure),
        "rest": list(seen.rest.reading.faces) if seen.rest is not None else None,
        "held_back_by": [
            {"face": one.face, "x": round(one.x, 1), "y": round(one.y, 1), "cause": one.cause}
            | {"amount": round(one.amount, 3)}
            for one in (() if seen.rest is not None else seen.hindrances)
        ],
    }


def hindrance_text(one: settler.Hindrance) -> str:
    """Return as text how a die delays a rest."""
    die = f"the {one.face} at {one.x:.0f},{one.y:.0f}" if one.face else f"the die at {one.x:.0f},{one.y:.0f}"
    return {
        "hidden": f"{die} is not seen, for {one.amount:.2f} s",
        "held": f"{die} counts as held: a hand is round it",
        "maybe held": f"{die} may be held; it has lain for {one.amount:.2f} s",
        "moves": f"{die} moves by {one.amount:.2f} edges",
        "creeps": f"{die} slides on slowly",
        "too short": f"{die} has lain for {one.amount:.2f} s only",
    }[one.cause]


def _dice(faces: tuple[int, ...]) -> str:
    return " ".join(map(str, faces)) if faces else "no dice"


def difference_text(difference: player.DecisionDifference) -> str:
    """Return a difference as text."""
    read_so = f" (the reader says {difference.read[1]}, then {difference.read[0]})" if difference.read else ""
    number = f"event {difference.number}" if difference.then else f"before event {difference.number}"
    return (
        f"{_clock(difference.time_s)} {number}: then {_event(difference.then)}, now {_event(difference.now)}{read_so}"
    )


def facts(difference: player.DecisionDifference) -> dict[str, Any]:
    """Return a difference as JSON values."""
    return {
        "event": difference.number,
        "time_s": round(difference.time_s, 3),
        "then": _event_json(difference.then),
        "now": _event_json(difference.now),
        "read_then": difference.read[0] if difference.read else None,
        "read_now": difference.read[1] if difference.read else None,
    }


def _summary(again: player.RecordingReplay, length: str, differing: int) -> str:
    counted = again.counted
    blind = f", {counted.blind} of them without a picture: taken as read then" if counted.blind else ""
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


def _write(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()
