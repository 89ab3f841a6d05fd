"""The table's settings on the page: what is set, what was found, tests, and a trial of new values. For paired devices.

The table itself only reads its configuration: root's helper writes it, starts the table again, and brings the old one
back unless somebody keeps the new one (systemd/admin).
"""

import asyncio
import time
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from importlib.metadata import entry_points
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from tabletop.cameras import probing, words
from tabletop.config.file import LISTEN, PICTURES, default_path
from tabletop.core.checks import Check
from tabletop.core.message import join, say
from tabletop.core.ports import FREE_PINS, PINS
from tabletop.dialogs.commands import MenuAction
from tabletop.service import admin
from tabletop.store import LANGUAGE
from tabletop.views.i18n.catalogue import languages
from tabletop.views.i18n.translate import ITEM, NOTE
from tabletop.web import app, payload

NOW, SAVE, DO = "/settings/now", "/settings/save", "/settings/do"
AGAIN_S = 60.0  # until the table looks for cameras again
FRESH_S = 5.0  # a camera that gave no picture for longer does not answer
ACCEPTED = 202  # RFC 9110, 15.3.3: the table starts again
WORDS = {
    "title": say("Settings"), "back": say("To the table"),
    "looking": say("Looking at the parts. This takes some seconds."),
    "save": say("Save"), "take": say("Take it"), "test": say("Test"), "end": say("End the test"),
    "keep": say("Keep"), "old": say("Back to the old ones"),
    "restarts": say("The table starts again with the new settings. This takes up to a minute."),
    "trial": say("New settings: do they stay? Without an answer the old ones come back after a minute and a half."),
    "kept": say("The new settings stay."), "returned": say("The old settings are back."),
    "upright": say("The display shows a text now. Is it upright?"), "yes": say("yes"), "turn": say("no, turn it"),
    "press": say("Press HOLD, then BANK."), "pressed": say("{text} was pressed"),
    "swap": say("The other way round? Swap them"), "gone": say("The table does not answer."),
    "late": say("The table has not come back. Look at its display."),
}  # fmt: skip
WHY = {
    "not-installed": say("Settings can be changed here only on an installed table."),
    "busy": say("The table is busy with another change. Try again in a minute."),
    "on-trial": say("Other new settings are still on trial: keep them or go back first."),
    "unreadable-settings": say("The file tabletop.toml has a mistake, so it was left as it is."),
    "bad-setting": say("The table cannot use this value."),
    "came-back": WORDS["returned"],
    "not-ready": say("The table did not start with these settings, so the old ones are back."),
}
FAILED = say("That failed.")


@dataclass(frozen=True, slots=True)
class Item:
    """One setting. key: in the file; behind a device's dot one of its options. choices: value -> label; none: a text.

    usual: what holds if the file says nothing.
    """

    key: str
    label: str
    choices: Mapping[str, str]
    usual: str = ""


NO = {"": say("none")}
YES_NO = {"true": say("yes"), "false": say("no")}
GPIO = {str(number): f"GPIO{number}" for number in FREE_PINS}
CHIPS = {"ssd1306": 'SSD1306 (0.96")', "sh1106": 'SH1106 (1.3")', "none": say("none")}
SIZES = {size: size.replace("x", " x ") for size in ("640x480", "1280x720", "1920x1080")}
LABELS = (say("everyone in the local network"), say("this machine only"), say("everyone"), say("devices let in"))
GROUPS: Mapping[str, tuple[Item, ...]] = {
    say("camera"): (
        Item("camera", say("camera"), {"none": say("none")}, "sim"),
        Item("camera.size", say("picture"), SIZES, f"{words.WIDTH_PX}x{words.HEIGHT_PX}"),
    ),
    say("display"): (
        Item("screen", say("display"), CHIPS, "none"),
        Item("screen.address", say("address"), {"0x3c": "0x3c", "0x3d": "0x3d"}, "0x3c"),
        Item("screen.height", say("rows"), {"64": "64", "32": "32"}, "64"),
        Item("screen.rotate", say("mounted"), {"0": say("upright"), "180": say("upside down")}, "0"),
    ),
    say("buttons"): (
        Item("buttons", say("buttons"), {"gpio": say("on the header"), "none": say("none")}, "none"),
        *(Item(f"pins.{name}", name.upper(), GPIO, str(PINS[name])) for name in ("bank", "hold")),
        *(Item(f"pins.{name}", label, NO | GPIO) for name, label in (("menu", "MENU"), ("buzzer", say("buzzer")))),
    ),
    say("table"): (
        Item("name", say("name"), {}),
        Item("language", say("language"), {"": say("as the system"), **languages()}),
    ),
    say("page"): (
        Item("listen", say("who may see it"), dict(zip(reversed(LISTEN), LABELS[:2], strict=True)), LISTEN[0]),
        Item("pictures", say("who sees pictures"), dict(zip(PICTURES, LABELS[2:], strict=True)), PICTURES[0]),
    ),
    say("recording"): (
        Item("throw_pictures", say("a picture of every throw"), YES_NO, "true"),
        Item("record", say("a film of every frame"), YES_NO, "false"),
    ),
}
ITEMS = {item.key: item for items in GROUPS.values() for item in items}
DEVICES = ("camera", "screen")


def split(word: str) -> tuple[str, dict[str, str]]:
    """Return a device and its options: "usb:0,fps=30" is "usb:0" with fps."""
    kind, _, rest = word.partition(":")
    first, *others = rest.split(",")
    named = "=" in first
    options = dict(part.split("=", 1) for part in ((first, *others) if named else others) if "=" in part)
    return kind if named or not first else f"{kind}:{first}", options


def joined(device: str, options: Mapping[str, str]) -> str:
    """Return the word of a device with these options."""
    named = ",".join(f"{name}={value}" for name, value in options.items())
    return f"{device}{',' if ':' in device else ':'}{named}" if named else device


def shown_values(file: Mapping[str, Any]) -> dict[str, str]:
    """Return the value of each setting as text. file: what tabletop.toml says."""
    flat = {name: value for name, value in file.items() if not isinstance(value, dict)}
    flat |= {f"pins.{name}": value for name, value in _pins(file).items()}
    for device in DEVICES:
        flat[device], options = split(str(file.get(device, ITEMS[device].usual)))
        flat |= {f"{device}.{name}": value for name, value in options.items()}
    flat["record"] = "record" in file
    found = {key: flat.get(key, item.usual) for key, item in ITEMS.items()}
    return {key: str(value).lower() if isinstance(value, bool) else str(value) for key, value in found.items()}


def to_write(file: Mapping[str, Any], sent: Mapping[str, str]) -> dict[str, object]:
    """Return what the helper must write, None for a key that goes. sent: settings as in `shown_values`."""
    values: dict[str, object] = {}
    for device in DEVICES:
        own = {key.partition(".")[2]: value for key, value in sent.items() if key.partition(".")[0] == device}
        if own:
            before, options = split(str(file.get(device, ITEMS[device].usual)))
            named = own.pop("", before)
            if device == "camera" and named.partition(":")[0] != before.partition(":")[0]:
                options = {}  # another kind may not know them
            options |= own
            usual = {name for name, value in options.items() if value == _usual(f"{device}.{name}")}
            kept = {name: value for name, value in options.items() if name not in usual}
            values[device] = named if named == "none" else joined(named, kept)
    values |= {key: _value(key, text) for key, text in sent.items() if key.partition(".")[0] not in DEVICES}
    if values.get("buttons") == "none":
        values |= {f"pins.{name}": None for name in _pins(file) if name != "buzzer"}
    return values


def _pins(file: Mapping[str, Any]) -> dict[str, Any]:
    pins = file.get("pins")
    return pins if isinstance(pins, dict) else {}


def _value(key: str, text: str) -> object:
    if ITEMS[key].choices is YES_NO:
        return text == "true"
    return int(text) if key.startswith("pins.") and text in GPIO else text or None


def _usual(key: str) -> str | None:
    return ITEMS[key].usual if key in ITEMS else None


def routes(site: app.Site) -> tuple[Route, ...]:
    """Return what the page of settings asks for."""
    return (
        Route(NOW, app.let_in(site, partial(_now, _Looking()))),
        Route(SAVE, app.posted(partial(_save, site)), methods=["POST"]),
        Route(DO, app.posted(partial(_do, site)), methods=["POST"]),
    )


@dataclass(slots=True)
class _Looking:
    """What was found when the table last looked for cameras, which takes seconds: one at a time, and rarely."""

    turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    cameras: tuple[str, ...] = ()
    fresh_until_s: float = float("-inf")

    async def other_cameras(self, site: app.Site, word: str) -> tuple[str, ...]:
        """Return the cameras that give a picture, if the one that is set does not."""
        async with self.turn:
            frame, now_s = site.tray.frame, time.monotonic()
            if frame is not None and now_s - frame.time_s < FRESH_S:
                return ()
            if now_s > self.fresh_until_s:
                self.cameras = await asyncio.to_thread(lambda: tuple(probing.answering(split(word)[0])))
                self.fresh_until_s = time.monotonic() + AGAIN_S
            return self.cameras


async def _now(looking: _Looking, site: app.Site) -> Response:
    said = site.shown.language.translate
    state, why, file = await asyncio.to_thread(_ask, "state"), "", dict[str, Any]()
    if "refused" in state:
        why = _why(site, state)
    try:
        file = await asyncio.to_thread(_read, site)
    except (OSError, ValueError):
        why = said(WHY["unreadable-settings"], NOTE)
    done = state.get("done", {})
    last = done.get("last") or {}
    checks = await asyncio.to_thread(site.check) if site.check else ()
    cameras = await looking.other_cameras(site, str(file.get("camera", "none")))
    values = shown_values(file)
    template = site.shown.language.template
    facts = {
        "language": site.shown.phrases.language_code,
        "words": {name: template(text, (*ITEM, *NOTE, "screen")) for name, text in WORDS.items()},
        "why": why,
        "busy": bool(done.get("busy")),
        "last": _why(site, last) if last.get("do") == "settings" and "refused" in last else "",
        "trial": bool(done.get("trial")) and done["trial"]["of"] == "settings",
        "groups": [
            {
                "part": part,
                "title": said(part, ITEM),
                "found": [_found(check, site) for check in checks if check.part == part and _tells(check, checks)],
                "offers": [_offer(key, word, site) for key, word in _offers(part, checks, cameras)],
                "items": [_item(item, values[item.key], cameras, site) for item in items],
            }
            for part, items in GROUPS.items()
        ],
    }
    return app.answer_json(payload.packed(facts))


def _read(site: app.Site) -> dict[str, Any]:
    with suppress(FileNotFoundError):
        return tomllib.loads((site.config or default_path()).read_text(encoding="utf-8-sig"))
    return {}


def _tells(check: Check, checks: Any) -> bool:  # noqa: ANN401
    """Return whether a check is shown: what is wrong, and else the first of its part."""
    own = [one for one in checks if one.part == check.part]
    return check.right is False or check is own[0]


def _found(check: Check, site: app.Site) -> dict[str, Any]:
    said = site.shown.language.translate
    text = join(": ", (check.name, check.figure))
    return {"text": said(text, (*ITEM, *NOTE)), "remedy": said(check.remedy, NOTE), "right": check.right}


def _offers(part: str, checks: Any, cameras: tuple[str, ...]) -> Iterator[tuple[str, str]]:  # noqa: ANN401
    yield from (("camera", word) for word in cameras if part == "camera")
    for check in checks:
        if check.part == part and check.instead:
            key, _, word = check.instead.partition("=")
            yield key, word


def _offer(key: str, word: str, site: app.Site) -> dict[str, Any]:
    name = _camera(word) if key == "camera" else word
    return {"key": key, "value": word, "text": site.shown.language.translate(name, ITEM)}


def _camera(word: str) -> str:
    kind, _, number = word.partition(":")
    named = {"usb": say("USB camera {n}", n=int(number) + 1 if number.isdigit() else 1), "pi": say("ribbon camera")}
    return named.get(kind, word)


def _item(item: Item, value: str, cameras: tuple[str, ...], site: app.Site) -> dict[str, Any]:
    choices = dict(item.choices)
    if item.key == "camera":
        choices = {word: _camera(word) for word in ("usb:0", "usb:1", "pi", *cameras)} | choices
    if choices:
        choices.setdefault(value, _camera(value) if item.key == "camera" else value)
    said = site.shown.language.translate
    labels = [[one, said(label, ITEM)] for one, label in choices.items()]
    return {"key": item.key, "label": said(item.label, ITEM), "value": value, "choices": labels}


async def _save(site: app.Site, request: Request, sent: dict[str, Any]) -> Response:
    """Let the table try these values: it starts again with them, if they can be right."""
    if (refusal := app.refusal_of(site, request)) is not None:
        return refusal
    values = sent.get("values")
    if not isinstance(values, dict) or not all(key in ITEMS and isinstance(text, str) for key, text in values.items()):
        return Response(status_code=app.BAD)
    try:
        file = await asyncio.to_thread(_read, site)
    except (OSError, ValueError):
        return _refused(site, {"refused": "unreadable-settings"})
    answer = await asyncio.to_thread(_ask, "settings", values=to_write(file, values))
    if "refused" in answer:
        return _refused(site, answer)
    if "language" in values and site.store is not None:  # the menu's choice would hold longer
        with suppress(OSError):
            await asyncio.to_thread(site.store.with_name(LANGUAGE).unlink, missing_ok=True)
    return Response(status_code=ACCEPTED)


async def _do(site: app.Site, request: Request, sent: dict[str, Any]) -> Response:
    """Begin or end a test on the table, or answer what it asks during a trial."""
    if (refusal := app.refusal_of(site, request)) is not None:
        return refusal
    if sent.get("do") == "find":  # a button on another pin
        pin = await asyncio.to_thread(_pressed_pin)
        return app.answer_json(payload.packed({"pin": pin}))
    over = MenuAction.BACK if site.shown.number else MenuAction.START_MENU
    actions = {"test": MenuAction.TEST_PARTS, "end": over, "keep": MenuAction.KEEP_SETTINGS}
    action = (actions | {"back": MenuAction.OLD_SETTINGS}).get(str(sent.get("do")))
    if action is None:
        return Response(status_code=app.BAD)
    site.inbox.put(action)
    return Response(status_code=204)


def _pressed_pin() -> int | None:
    """Return the pin that the first search on offer finds pressed; None if there is no search, as without buttons."""
    search = next((point.load() for point in entry_points(group="tabletop.button_search")), None)
    found: int | None = search() if search else None
    return found


def _ask(verb: str, **fields: object) -> Mapping[str, Any]:
    """Return the helper's first answer: a step says that it has agreed."""
    try:
        return next(admin.ask(verb, fields))
    except admin.AdminMissing:
        return {"refused": "not-installed"}


def _refused(site: app.Site, answer: Mapping[str, Any]) -> Response:
    return app.answer_json(payload.packed({"why": _why(site, answer)}), app.UNKNOWN)


def _why(site: app.Site, answer: Mapping[str, Any]) -> str:
    """Return why not, in words, with the name of the setting or the helper's details, which are English."""
    said, about = site.shown.language.translate, str(answer.get("about", ""))
    if about in ITEMS:
        about = said(ITEMS[about].label, ITEM)
    elif site.shown.phrases.language_code != "en":
        about = ""
    return " ".join(filter(None, (said(WHY.get(str(answer["refused"]), FAILED), NOTE), about)))
