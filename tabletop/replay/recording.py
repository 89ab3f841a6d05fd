"""The file of a recording: a tar with pictures and lines of JSON, written, read back, and cut.

A tar needs no directory: a truncated file can be read up to the cut.
"""

import json
import os
import re
import tarfile
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, fields
from math import inf, isfinite
from pathlib import Path
from typing import Any, BinaryIO, Self

import cv2
import numpy as np
from numpy.typing import NDArray

from tabletop.core import Die, InputError, Profile, Reading, Unsure, UnsureReason, ports

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
    """Return a reading as JSON values, in pixels; its time is stored elsewhere."""
    data: dict[str, Any] = {"size": [reading.width, reading.height]}
    data["dice"] = [_short(asdict(die)) for die in reading.dice]
    if reading.unsure:
        data["unsure"] = [_unsure_json(unsure) for unsure in reading.unsure]
    return data


def reading_from(data: Mapping[str, Any], time_s: float) -> Reading:
    """Parse the output of `reading_json`."""
    width, height = data["size"]
    dice = tuple(Die(**{**die, "up": tuple(die.get("up", (0.0, 0.0)))}) for die in data["dice"])
    return Reading(time_s, width, height, dice, tuple(map(_unsure_from, data.get("unsure", ()))))


def _unsure_json(unsure: Unsure) -> dict[str, Any]:
    """Return an unsure thing with the name of its reason; `faces` is there only if two faces are likely."""
    facts = {"x": unsure.x, "y": unsure.y, "size": unsure.size, "reason": unsure.reason.name, "where": unsure.where}
    return _short(facts) | ({"faces": list(unsure.faces)} if unsure.faces else {})


def _unsure_from(facts: Mapping[str, Any]) -> Unsure:
    reason, faces = old_reason(facts["reason"])
    if facts["reason"] in UnsureReason.__members__:
        reason, faces = UnsureReason[facts["reason"]], tuple(facts.get("faces", ()))
    return Unsure(facts["x"], facts["y"], facts["size"], reason, facts.get("where", "tray"), faces)


def old_reason(sentence: str) -> tuple[UnsureReason, tuple[int, ...]]:
    """Return the reason and the two faces for a sentence in an older recording; an unknown one: `UNREADABLE`."""
    if two_faces := _OLD_TWO_FACES.fullmatch(sentence):
        return UnsureReason.TWO_FACES, (int(two_faces[1]), int(two_faces[2]))
    return _OLD_SENTENCES.get(sentence, UnsureReason.UNREADABLE), ()


def edge_json(edge: ports.Edge) -> list[Any]:
    """Return an edge as [time, button, down]; the time is null for a button held since before the program began."""
    return [edge.time_s if isfinite(edge.time_s) else None, edge.button, edge.down]


def edge_from(data: list[Any]) -> ports.Edge:
    """Parse the output of `edge_json`."""
    time_s, button, down = data
    return ports.Edge(-inf if time_s is None else float(time_s), button, bool(down))


def profile_json(profile: Profile | None) -> dict[str, Any] | None:
    """Return the profile as JSON values."""
    return None if profile is None else asdict(profile)


def profile_from(data: Mapping[str, Any] | None) -> Profile | None:
    """Parse the output of `profile_json`."""
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


VERSION = 1  # format version, in the first line of a recording
Line = Mapping[str, Any]
BLOCK = 512  # bytes; POSIX ustar: headers are a block, data is filled up to whole ones
END = bytes(2 * BLOCK)  # POSIX: two blocks of zeros end an archive
LINES_A_CHUNK = 1000
STANDING = ("match", "attention", "laying")  # keys that a turn writes only when they change


class TarWriter:
    """A new tar file that never exceeds `limit` bytes. Raises InputError if it exists or cannot be created.

    Every member is appended. `sync` flushes them to the card.
    """

    def __init__(self, path: Path, limit: float) -> None:
        try:
            self._file: BinaryIO = path.open("xb")
        except FileExistsError:
            raise InputError(f"expected a new file after --record, got one that exists: {path}") from None
        except OSError as error:
            raise InputError(f"expected a file that can be written after --record: {path}: {error.strerror}") from None
        self._limit, self._size = limit - len(END), 0

    def add(self, name: str, data: bytes, share: float = 1.0) -> bool:
        """Append a member; return False if it does not fit into this share of the limit."""
        header = tarfile.TarInfo(name)
        header.size = len(data)
        member = header.tobuf(tarfile.USTAR_FORMAT) + data + bytes(-len(data) % BLOCK)
        if self._size + len(member) > share * self._limit:
            return False
        self._size += self._file.write(member)
        return True

    def sync(self) -> None:
        """Flush everything to the card."""
        self._file.flush()
        os.fsync(self._file.fileno())

    def close(self) -> None:
        """Write the end-of-archive blocks and close the file."""
        with self._file:
            self._file.write(END)

    def leave(self) -> None:
        """Close the file as it is after an error: its content stays readable."""
        with suppress(OSError):
            self._file.close()


@dataclass(frozen=True, slots=True)
class Shot:
    """A recorded frame.

    pixels: None if its picture was not stored. reading: as recorded, in pixels.
    """

    number: int
    time_s: float
    at_rest: bool
    pixels: NDArray[np.uint8] | None
    reading: Reading


class Recording:
    """The lines and pictures of a recording; a truncated one is read up to the cut.

    Raises InputError if the file is not a recording. head: its first line. lines: the others. pictures: their number.
    """

    def __init__(self, path: Path) -> None:
        self._members: dict[str, tuple[int, int]] = {}
        try:
            self._file = path.open("rb")
        except OSError as error:
            raise InputError(
                f"expected a recording of `tabletop play --record`, got {path}: {error.strerror}"
            ) from None
        lines = list(self._json_lines(self._index()))
        if not lines or lines[0].get("recording") != VERSION:
            self._file.close()
            raise InputError(f"expected a recording of `tabletop play --record FILE.tar`, got another file: {path}")
        self.head, self.lines = lines[0], tuple(lines[1:])
        self.pictures = sum(name.startswith("pictures/") for name in self._members)
        self._by_number = {line["frame"]: line for line in self.lines if "time" in line}
        self._last: tuple[int, NDArray[np.uint8] | None] = (-1, None)

    def __enter__(self) -> Self:
        """Return the recording."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the file."""
        self._file.close()

    @property
    def profile(self) -> Profile | None:
        """The profile used in the recorded match."""
        return profile_from(self.head.get("profile"))

    @property
    def span_s(self) -> tuple[float, float]:
        """The time of the first and of the last line, on the clock of the frames."""
        times = [time_of(line) for line in self.lines]
        return (min(times), max(times)) if times else (0.0, 0.0)

    def shot(self, line: Line) -> Shot:
        """Return the frame of a line that has one."""
        line_read = self.line(line["like"]) if "like" in line else line
        time_s = float(line["time"])
        pixels = self._pixels(int(line_read["frame"])) if line_read.get("picture") else None
        return Shot(line["frame"], time_s, bool(line.get("at_rest")), pixels, reading_from(line_read, time_s))

    def picture(self, number: int) -> bytes | None:
        """Return the JPEG of a frame as stored in the file, None if it was not stored."""
        return self._data(picture_name(number))

    def line(self, number: int) -> Line:
        """Return the line of a frame by its number; a line without a reading if the recording is truncated there."""
        return self._by_number.get(number, {"frame": number, "picture": False, "size": [1, 1], "dice": []})

    def _pixels(self, number: int) -> NDArray[np.uint8] | None:
        if self._last[0] != number:
            data = self.picture(number)
            decoded = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR) if data else None
            self._last = number, None if decoded is None else np.asarray(decoded, np.uint8)
        return self._last[1]

    def _data(self, name: str) -> bytes | None:
        if name not in self._members:
            return None
        offset, size = self._members[name]
        self._file.seek(offset)
        data = self._file.read(size)
        return data if len(data) == size else None

    def _index(self) -> list[str]:
        """Find where each member lies, and return the names of those with lines, in their order."""
        try:
            with tarfile.open(fileobj=self._file, mode="r:", ignore_zeros=True) as archive:
                while (member := archive.next()) is not None:
                    self._members[member.name] = member.offset_data, member.size
        except (tarfile.TarError, OSError):
            pass  # truncated: everything before is valid
        return sorted(name for name in self._members if name.startswith("lines/"))

    def _json_lines(self, chunks: list[str]) -> Iterator[Line]:
        for name in chunks:
            for line in (self._data(name) or b"").splitlines():
                try:
                    line_read = json.loads(line)
                except ValueError:
                    continue  # written over half, when the plug was pulled
                if isinstance(line_read, dict):
                    yield line_read


def picture_name(number: int) -> str:
    """Return the name of a frame's picture in the archive."""
    return f"pictures/{number:07}.jpg"


def time_of(line: Line) -> float:
    """Return the time of a frame or iteration."""
    return float(line["time"] if "time" in line else line["turn"])


def cut(played: Recording, from_s: float, to_s: float, out: Path) -> int:
    """Write the part between two times, in seconds from the beginning; return its number of lines.

    It begins with the state of the match at that time. Raises InputError if the part is empty, or `out` exists.
    """
    zero_s = played.span_s[0]
    before = [line for line in played.lines if time_of(line) - zero_s < from_s]
    lines = [line for line in played.lines if from_s <= time_of(line) - zero_s <= to_s]
    if not lines:
        end_s = played.span_s[1] - zero_s
        raise InputError(f"expected FROM and TO in seconds, within 0 and {end_s:.1f}, got {from_s:g} and {to_s:g}")
    tar = TarWriter(out, inf)
    whole, pictures = _whole(played, lines)
    lines_out = [dict(played.head), *_as_it_stood(before, time_of(lines[0])), *whole]
    for at in range(0, len(lines_out), LINES_A_CHUNK):
        data = "".join(json.dumps(line) + "\n" for line in lines_out[at : at + LINES_A_CHUNK]).encode()
        tar.add(f"lines/{at // LINES_A_CHUNK:06}.jsonl", data)
    for number, source in pictures.items():
        if (picture := played.picture(source)) is not None:
            tar.add(picture_name(number), picture)
    tar.close()
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
