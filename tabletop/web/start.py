"""The routes of the page's first steps: camera, tray, dice, and a first match."""

import asyncio
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from tabletop.store.first_steps import STEPS
from tabletop.views.i18n.translate import HINT
from tabletop.web import app
from tabletop.web.payload import packed

LOOK, STEP = "/start", "/start/step"
HOW = ("done", "skipped", "open")


def routes(site: app.Site) -> list[Route]:
    """Return the routes."""

    async def marked(request: Request, sent: dict[str, Any]) -> Response:
        if (refusal := app.refusal_of(site, request)) is not None:
            return refusal
        step, how = sent.get("step"), sent.get("how")
        if site.first is None or step not in STEPS or how not in HOW:
            return Response(status_code=app.BAD)
        await asyncio.to_thread(site.first.mark, step, how)
        return await _look(site)

    return [Route(LOOK, app.let_in(site, _look)), Route(STEP, app.posted(marked), methods=["POST"])]


async def _look(site: app.Site) -> Response:
    """Return which step is due, what became of the others, and the words; null without first steps."""
    first, shown = site.first, site.shown
    if first is None:
        return app.answer_json(b"null")
    facts = {"step": first.step, "marks": first.marks, "sees": first.sees, "learns": first.learns}
    facts["trouble"] = shown.language.translate(first.trouble(), HINT)
    return app.answer_json(packed({**facts, "words": {**shown.phrases.start, "language": shown.phrases.language_code}}))
