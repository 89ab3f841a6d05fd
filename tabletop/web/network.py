"""The network on the page: what is in reach, and joining it. For paired devices; the root-owned helper does it."""

import asyncio
from collections.abc import Mapping
from functools import partial
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from tabletop.core.message import join, say
from tabletop.dialogs import commands, hotspot
from tabletop.service import admin
from tabletop.views.i18n.translate import NOTE
from tabletop.web import app, payload

JOIN, LIST = "/network", "/networks"
MOST_TEXT = 200  # letters of a name or password
WORDS = {
    "title": say("Network"),
    "searching": say("Looking for networks. This takes half a minute."),
    "again": say("Look again"),
    "none": say("No network is in reach."),
    "strength": say("signal: {n} of 100"),
    "password": say("Password of {text}"),
    "join": say("Join {text}"),
    "joining": say("The table tries {text}. This takes up to two minutes."),
    "leaves": say(
        "The table closes its hotspot to try. If that works, connect this phone to {text} too, and scan the"
        " code on the display. If not, the hotspot comes back, and this page says why."
    ),
    "joined": say("The table is on {text}."),
    "failed": say("The table could not join {text}."),
    "close": say("Close the hotspot"),
    "closed": say("The hotspot is closed."),
    "impossible": hotspot.WHY["not-possible"],
}


def routes(site: app.Site) -> tuple[Route, ...]:
    """Return what the page's section on the network asks for."""
    turn = asyncio.Lock()  # one at a time: each holds a thread
    return (
        Route(LIST, app.let_in(site, partial(_networks, turn))),
        Route(JOIN, app.posted(partial(_change, site, turn)), methods=["POST"]),
    )


async def _networks(turn: asyncio.Lock, site: app.Site) -> Response:
    last = await _ask(turn, "networks", {})
    if not isinstance(done := last.get("done"), Mapping):
        return _refused(site, last)
    template = site.shown.language.template
    tried = done.get("last")
    facts = {
        "words": {name: template(text, NOTE) for name, text in WORDS.items()},
        "hotspot": done["hotspot"],
        "networks": [
            {**{name: one[name] for name in ("ssid", "strength", "secured")}, "possible": one["keys"] != "other"}
            for one in done["networks"]
        ],
        "last": tried and {"ssid": tried["ssid"], "why": tried["refused"] and _why(site, tried)},
    }
    return app.answer_json(payload.packed(facts))


async def _change(site: app.Site, turn: asyncio.Lock, request: Request, sent: dict[str, Any]) -> Response:
    """Join a network, or close the hotspot; the display follows."""
    if (refusal := app.refusal_of(site, request)) is not None:
        return refusal
    ssid, password = sent.get("ssid"), sent.get("password")
    if sent.get("hotspot") is False:
        last = await _ask(turn, "hotspot", {"on": False})
    elif all(isinstance(text, str) and len(text) <= MOST_TEXT for text in (ssid, password)):
        last = await _ask(turn, "join", {"ssid": ssid, "password": password})
    else:
        return Response(status_code=app.BAD)
    if "done" not in last:
        return _refused(site, last)
    site.inbox.put(commands.CloseHotspot())
    return Response(status_code=204)


async def _ask(turn: asyncio.Lock, verb: str, fields: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the helper's last answer."""
    if turn.locked():
        return admin.BUSY
    async with turn:
        try:
            return (await asyncio.to_thread(lambda: [*admin.ask(verb, fields)]))[-1]
        except admin.AdminMissing:
            return {"refused": "not-installed"}


def _refused(site: app.Site, last: Mapping[str, Any]) -> Response:
    return app.answer_json(payload.packed({"why": _why(site, last)}), app.UNKNOWN)


def _why(site: app.Site, last: Mapping[str, Any]) -> str:
    """Return why not, in words; what NetworkManager says about anything else."""
    why = hotspot.WHY.get(str(last.get("refused"))) or join(": ", (hotspot.FAILED, str(last.get("about", ""))))
    return site.shown.language.translate(why, NOTE)
