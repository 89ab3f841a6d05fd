"""The pictures of the shown match's throws, with the reading drawn on them when somebody asks."""

import base64
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from tabletop.core.message import say
from tabletop.dialogs.event_text import all_faces
from tabletop.rules import Event, Throw
from tabletop.store.throws import events_with_picture, load_throw
from tabletop.views.i18n.translate import NOTE
from tabletop.views.photo import marked
from tabletop.views.snapshot import Snapshot
from tabletop.web.payload import Lookback

QUALITY = 85  # of the JPEG: thin outlines stay sharp


def throws_of(shown: Snapshot, store: Path | None) -> dict[str, object]:
    """Return the match, and the numbers of its throws that have a picture, numbered as for corrections; JSON values."""
    kept = set() if store is None else events_with_picture(store, shown.number)
    throws = [number for number, (event, *_) in Lookback(shown).throws().items() if event in kept]
    return {
        "match": shown.number,
        "throws": throws,
        "title": shown.language.translate(say("picture of the throw"), NOTE),
    }


def picture_of(shown: Snapshot, store: Path | None, match: int, number: int) -> dict[str, object] | None:
    """Return a throw's picture, and what was read and is right, as JSON values; None if the shown match has none."""
    event, *throw = Lookback(shown).throws().get(number, (0,)) if match == shown.number else (0,)
    kept = load_throw(store, match, event) if store is not None and throw else None
    if kept is None or kept.event != replace(throw[0], request=None).to_json():
        return None  # the last: it is of a store that was here before
    pixels = cv2.imdecode(np.frombuffer(kept.picture, np.uint8), cv2.IMREAD_COLOR) if kept.picture else None
    if pixels is None:
        return None
    drawn = marked(np.asarray(pixels, np.uint8), kept.reading)
    _, data = cv2.imencode(".jpg", drawn, (cv2.IMWRITE_JPEG_QUALITY, QUALITY))
    read, right = (" ".join(map(str, _faces(event))) for event in throw)
    lines = [say("read: {text}", text=read), *([say("corrected to: {text}", text=right)] if right != read else [])]
    return {
        "picture": base64.b64encode(data.tobytes()).decode(),
        "lines": [shown.language.translate(line, NOTE) for line in lines],
    }


def _faces(event: Event) -> tuple[int, ...]:
    answer = event.answer
    return all_faces(answer.faces) if isinstance(answer, Throw) else ()
