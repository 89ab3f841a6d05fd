"""A part of a recording as a recording of its own: small enough for a test, or for a message."""

import json
from pathlib import Path
from typing import Any

from tabletop.core.errors import InputError
from tabletop.replay.archive import Archive
from tabletop.replay.recording import Line, Recording, picture_name, time_of

NO_LIMIT = 1 << 62  # bytes: a part is never larger than the whole
LINES_A_CHUNK = 1000
STANDING = ("match", "attention", "laying")  # keys that a turn writes only when they change


def cut(played: Recording, from_s: float, to_s: float, out: Path) -> int:
    """Write what happened between two times, in seconds from the beginning, and return how many lines that is.

    It begins with the match as it stood then. Raises InputError if nothing is between them, or `out` exists.
    """
    zero_s = played.span_s[0]
    before = [line for line in played.lines if time_of(line) - zero_s < from_s]
    lines = [line for line in played.lines if from_s <= time_of(line) - zero_s <= to_s]
    if not lines:
        end_s = played.span_s[1] - zero_s
        raise InputError(f"expected FROM and TO in seconds, within 0 and {end_s:.1f}, got {from_s:g} and {to_s:g}")
    archive = Archive(out, NO_LIMIT)
    whole, pictures = _whole(played, lines)
    lines_out = [dict(played.head), *_as_it_stood(before, time_of(lines[0])), *whole]
    for at in range(0, len(lines_out), LINES_A_CHUNK):
        data = "".join(json.dumps(line) + "\n" for line in lines_out[at : at + LINES_A_CHUNK]).encode()
        archive.add(f"lines/{at // LINES_A_CHUNK:06}.jsonl", data)
    for number, source in pictures.items():
        if (picture := played.picture(source)) is not None:
            archive.add(picture_name(number), picture)
    archive.close()
    return len(lines)


def _as_it_stood(before: list[Line], now_s: float) -> list[dict[str, Any]]:
    """Return a turn that begins the match as the lines before have left it; none if there is none."""
    base: dict[str, Any] | None = None
    for line in before:
        if "match" in line:
            base = {"turn": now_s, "frame": None, **{name: line.get(name) for name in STANDING}}
        if base is not None:
            log = [*base["match"]["log"], *line.get("events", ())]
            base["match"] = {**base["match"], "log": log}
            base |= {name: line.get(name, base[name]) for name in STANDING[1:]}
    return [] if base is None else [base]


def _whole(played: Recording, lines: list[Line]) -> tuple[list[Line], dict[int, int]]:
    """Return lines that need none from before, and which frame's picture each frame has; both by number.

    The first of the frames that look like one from before stands in its place.
    """
    lines_out, pictures = list[Line](), dict[int, int]()
    stands_for: dict[int, int] = {}
    for line in lines:
        if "time" not in line:
            lines_out.append(line)
            continue
        source = int(line.get("like", line["frame"]))
        if source in stands_for:
            lines_out.append({**line, "like": stands_for[source]})
            continue
        stands_for[source] = number = int(line["frame"])
        new = {**played.line(source), "frame": number, "time": line["time"]}
        lines_out.append(new)
        if new.get("picture"):
            pictures[number] = source
    return lines_out, pictures
