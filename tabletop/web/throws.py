"""The pictures of a match's throws, with the reading drawn on them when somebody asks, and a second look."""

import asyncio
import base64
import os
import pickle
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import cv2
import numpy as np

from tabletop.core import Reading, reason_text, say
from tabletop.dialogs.event_text import all_faces
from tabletop.rules import Event, Throw
from tabletop.store import throws
from tabletop.views.i18n.translate import NOTE
from tabletop.views.photo import Picture, marked
from tabletop.views.snapshot import Snapshot
from tabletop.vision import second_look
from tabletop.web.payload import Lookback

QUALITY = 85  # of the JPEG: thin outlines stay sharp
LETTER = 1 / 28  # of a picture's longer side: 11 px on a phone
LOOK_S = 300.0  # a second look takes 2 s on a PC and half a minute on the smallest computer
Held = Callable[[int, int], Sequence[Picture]]
"""Returns the frames of a match's event that are still in memory, as cropped as its picture."""


WORDS = {
    "title": say("picture of the throw"),
    "again": say("look again"),
    "looking": say("looking again..."),
    "busy": say("the table is looking at another throw: try again"),
    "failed": say("the second look failed: try again"),
    "keep": say("keep pictures of throws"),
}
"""What the page says about pictures, by the name in its scripts."""


def throws_of(shown: Snapshot, store: Path | None, *, kept: bool) -> dict[str, object]:
    """Return the match, and the numbers of its throws that have a picture, numbered as for corrections; JSON values.

    kept: whether the table keeps pictures.
    """
    there = set() if store is None else throws.events_with_picture(store, shown.number)
    words = {name: shown.language.translate(text, NOTE) for name, text in WORDS.items()}
    return {
        "match": shown.number,
        "throws": [number for number, (event, *_) in Lookback(shown).throws().items() if event in there],
        "words": words | {"done": shown.phrases.page["done"]},
        "keeps": throws.are_kept(store) if kept and store else None,
    }


Shown = tuple[throws.KeptThrow, Picture, int, Event, Event]
"""What was kept, its picture, the event's number in the log, and the event as it was read and as it stands."""


def _kept(shown: Snapshot, store: Path | None, match: int, number: int) -> Shown | None:
    """Return what the shown match has of a throw, None if nothing."""
    if store is None or match != shown.number or number not in (found := Lookback(shown).throws()):
        return None
    event, read, stands = found[number]
    kept = throws.load_throw(store, match, event)
    if kept is None or not kept.picture or kept.event != replace(read, request=None).to_json():
        return None  # the last: it is of a store that was here before
    pixels = cv2.imdecode(np.frombuffer(kept.picture, np.uint8), cv2.IMREAD_COLOR)
    return None if pixels is None else (kept, np.asarray(pixels, np.uint8), event, read, stands)


def picture_of(shown: Snapshot, store: Path | None, match: int, number: int) -> dict[str, object] | None:
    """Return a throw's picture, and what was read and is right, as JSON values; None if the shown match has none."""
    if (found := _kept(shown, store, match, number)) is None:
        return None
    kept, pixels, _, read, stands = found
    was, right = (_text(_faces(event)) for event in (read, stands))
    corrected = [say("corrected to: {text}", text=right)] if right != was else []
    return _answer(shown, pixels, kept.reading, [say("read: {text}", text=was), *corrected])


async def look_again(
    shown: Snapshot, store: Path | None, held: Held | None, match: int, number: int, *, past: bool = False
) -> dict[str, object] | None:
    """Return what a second look at a throw sees, and the corrections it would need, as JSON values; None as above.

    past: the match is not on the table, so that nothing is offered.
    """
    if (found := await asyncio.to_thread(_kept, shown, store, match, number)) is None:
        return None
    kept, pixels, event, read, stands = found
    before = kept.reading
    pictures = (held and held(match, event)) or (pixels,)
    sizes = [die.size for die in before.dice or before.unsure]
    die_px = float(np.median(sizes)) * pictures[0].shape[1] / before.width if sizes else None
    seen = await _looked(pictures, len(before.dice) + len(before.unsure), die_px)
    lying = Counter(before.faces) - Counter(_faces(read))  # dice that lay there before
    faces = sorted((Counter(seen.faces) - lying).elements())
    lines = [say("seen now: {text}", text=_text(seen.faces))]
    lines += [say("in doubt: {text}", text=reason_text(one)) for one in seen.unsure]
    changes = None if seen.unsure or len(faces) != len(_faces(read)) else _changes(number, stands, faces)
    if changes is None:
        lines.append(say("no correction is certain enough"))
    elif not changes:
        lines.append(say("that is how the throw counts"))
    elif past:
        lines.append(say("only throws of the match on the table can be corrected"))
    fix = say("correct to {text}", text=_text(faces))
    return {
        **await asyncio.to_thread(_answer, shown, pictures[0], seen, lines),
        "fix": shown.language.translate(fix, NOTE) if changes and not past else "",
        "changes": [] if past else changes or [],
    }


async def _looked(pictures: Sequence[Picture], expect: int, die_px: float | None) -> Reading:
    """Return what a program of its own sees: whatever it costs, it takes no lock and no thread from the table."""
    program = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", second_look.__name__),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )
    try:
        asked = pickle.dumps((pictures, expect, die_px))
        seen, _ = await asyncio.wait_for(program.communicate(asked), LOOK_S)
    finally:
        if program.returncode is None:
            program.kill()
            await program.wait()  # so that its pipes are closed before the loop ends
    reading: Reading = pickle.loads(seen)  # noqa: S301 - our own program wrote it
    return reading


def _changes(number: int, stands: Event, faces: Sequence[int]) -> list[dict[str, object]] | None:
    """Return the corrections of dice that make these faces of a throw; None if it is not clear whose die it is."""
    gone = sorted((Counter(_faces(stands)) - Counter(faces)).elements())
    come = sorted((Counter(faces) - Counter(_faces(stands))).elements())
    whose = stands.value if isinstance(stands.value, dict) else {"": _faces(stands)}
    changes = list[dict[str, object]]()
    for was, face in zip(gone, come, strict=True):
        owners = [who for who, own in whose.items() if was in own]
        if len(owners) != 1:
            return None
        changes.append({"throw": number, "who": owners[0], "was": was, "face": face})
    return changes


def _answer(shown: Snapshot, pixels: Picture, reading: Reading, lines: Sequence[str]) -> dict[str, object]:
    said = partial(shown.language.translate, sections=NOTE)
    _, data = cv2.imencode(".jpg", marked(pixels, reading, said, LETTER), (cv2.IMWRITE_JPEG_QUALITY, QUALITY))
    return {"picture": base64.b64encode(data.tobytes()).decode(), "lines": list(map(said, lines))}


def _faces(event: Event) -> tuple[int, ...]:
    answer = event.answer
    return all_faces(answer.faces) if isinstance(answer, Throw) else ()


def _text(faces: Sequence[int]) -> str:
    return " ".join(map(str, faces))
