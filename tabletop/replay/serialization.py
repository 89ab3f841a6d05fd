"""Values as JSON, and back: readings, edges of buttons, the profile."""

import re
from collections.abc import Mapping
from dataclasses import asdict, fields
from math import inf, isfinite
from typing import Any

from tabletop.core.ports import Edge
from tabletop.core.values import Die, Profile, Reading, Unsure, UnsureReason

# Older recordings hold an English sentence in place of the reason's name. Frozen: those files stay readable.
_OLD_SENTENCES: Mapping[str, UnsureReason] = {
    "may be no die": UnsureReason.MAY_BE_NO_DIE,
    "leans": UnsureReason.LEANS,
    "part of it is hidden": UnsureReason.PARTLY_HIDDEN,
    "part of it is outside the picture": UnsureReason.OUTSIDE_PICTURE,
    "too dark": UnsureReason.TOO_DARK,
    "glare": UnsureReason.GLARE,
    "its face cannot be told": UnsureReason.UNREADABLE,
    "on the edge": UnsureReason.ON_EDGE,
}
_OLD_TWO_FACES = re.compile("could be ([1-6]) or ([1-6])")
DIGITS = 3  # after the point: thousandths of a pixel and of a degree


def reading_json(reading: Reading) -> dict[str, Any]:
    """Return what a frame shows, in pixels; its time stands elsewhere."""
    data: dict[str, Any] = {"size": [reading.width, reading.height]}
    data["dice"] = [_short(asdict(die)) for die in reading.dice]
    if reading.unsure:
        data["unsure"] = [_unsure_json(unsure) for unsure in reading.unsure]
    return data


def reading_from(data: Mapping[str, Any], time_s: float) -> Reading:
    """Read back what `reading_json` wrote."""
    width, height = data["size"]
    dice = tuple(Die(**{**die, "up": tuple(die.get("up", (0.0, 0.0)))}) for die in data["dice"])
    return Reading(time_s, width, height, dice, tuple(map(_unsure_from, data.get("unsure", ()))))


def _unsure_json(unsure: Unsure) -> dict[str, Any]:
    """Return an unsure thing with the name of its reason; `faces` is there only if two faces are likely."""
    facts = {"x": unsure.x, "y": unsure.y, "size": unsure.size, "reason": unsure.reason.name, "where": unsure.where}
    return _short(facts) | ({"faces": list(unsure.faces)} if unsure.faces else {})


def _unsure_from(facts: Mapping[str, Any]) -> Unsure:
    """Read back what `_unsure_json` wrote, or an older program."""
    reason, faces = old_reason(facts["reason"])
    if facts["reason"] in UnsureReason.__members__:
        reason, faces = UnsureReason[facts["reason"]], tuple(facts.get("faces", ()))
    return Unsure(facts["x"], facts["y"], facts["size"], reason, facts.get("where", "tray"), faces)


def old_reason(sentence: str) -> tuple[UnsureReason, tuple[int, ...]]:
    """Return the reason and the two faces that a sentence of an older recording means; an unknown one: `UNREADABLE`."""
    if two_faces := _OLD_TWO_FACES.fullmatch(sentence):
        return UnsureReason.TWO_FACES, (int(two_faces[1]), int(two_faces[2]))
    return _OLD_SENTENCES.get(sentence, UnsureReason.UNREADABLE), ()


def edge_json(edge: Edge) -> list[Any]:
    """Return an edge as [time, button, down]; the time is null for a button that was down before the program began."""
    return [edge.time_s if isfinite(edge.time_s) else None, edge.button, edge.down]


def edge_from(data: list[Any]) -> Edge:
    """Read back what `edge_json` wrote."""
    time_s, button, down = data
    return Edge(-inf if time_s is None else float(time_s), button, bool(down))


def profile_json(profile: Profile | None) -> dict[str, Any] | None:
    """Return the profile's facts."""
    return None if profile is None else asdict(profile)


def profile_from(data: Mapping[str, Any] | None) -> Profile | None:
    """Read back what `profile_json` wrote."""
    if data is None:
        return None
    return Profile(**{field.name: _tuples(data[field.name]) for field in fields(Profile)})


def _short(data: dict[str, Any]) -> dict[str, Any]:
    return {name: _rounded(value) for name, value in data.items()}


def _rounded(value: object) -> object:
    if isinstance(value, float):
        return round(value, DIGITS)
    return [_rounded(part) for part in value] if isinstance(value, tuple) else value


def _tuples(value: object) -> Any:  # noqa: ANN401 - whatever the profile has there
    return tuple(_tuples(part) for part in value) if isinstance(value, list) else value
