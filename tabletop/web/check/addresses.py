"""The checks of the table as the page shows them: each with its figure and what to do, those not right first."""

import asyncio
import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from starlette.responses import Response

from tabletop.core.checks import Check
from tabletop.core.message import say
from tabletop.views.i18n.catalogue import Language
from tabletop.views.i18n.translate import ITEM, NOTE, TITLE, phrases

UNKNOWN = 422  # RFC 9110, 15
JSON = {"content-type": "application/json", "cache-control": "no-store"}
ORDER = (False, None, True)

CheckSource = Callable[[], tuple[Sequence[Check], Language]]
"""Checks the table, in any thread, and says in which language it speaks."""


async def checked(source: CheckSource | None) -> Response:
    """Answer with the checks as they stand now. source: None where the table has none."""
    if source is None:
        return Response(status_code=UNKNOWN)
    told = await asyncio.to_thread(lambda: told_of(*source()))
    return Response(json.dumps(told, ensure_ascii=False, separators=(",", ":")).encode(), headers=JSON)


def told_of(checks: Sequence[Check], language: Language) -> dict[str, Any]:
    """Return checks as JSON in this language: its code, `title`, `back`, and `parts`, each with its `checks`."""
    parts = sorted(dict.fromkeys(check.part for check in checks), key=lambda part: _rank(checks, part))
    return {
        "language": phrases(language).language_code,
        "title": language.translate(say("Check"), TITLE),
        "back": language.translate(say("back"), ITEM),
        "parts": [
            {"part": language.translate(part, ITEM), "checks": list(_lines(checks, part, language))} for part in parts
        ],
    }


def _lines(checks: Sequence[Check], part: str, language: Language) -> Iterator[dict[str, Any]]:
    of_part = [check for check in checks if check.part == part]
    for check in sorted(of_part, key=lambda check: ORDER.index(check.right)):
        yield {
            "name": language.translate(check.name, ITEM),
            "right": check.right,
            "figure": language.translate(check.figure, NOTE),
            "remedy": language.translate(check.remedy, NOTE),
        }


def _rank(checks: Sequence[Check], part: str) -> int:
    return min(ORDER.index(check.right) for check in checks if check.part == part)
