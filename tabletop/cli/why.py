"""`tabletop replay --frames FILE --why`: for each frame what was read, and what held a rest back."""

import json
from collections.abc import Callable
from pathlib import Path

from tabletop.cameras.opening import camera_with_pictures
from tabletop.core.errors import DeviceError, InputError
from tabletop.perception.pipeline import FrameResult, PerceptionPipeline
from tabletop.perception.settler import Hindrance
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
