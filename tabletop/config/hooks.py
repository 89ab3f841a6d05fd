"""The webhooks of the configuration file: `[[hooks]]`, one for each receiver."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from tabletop.core.toml_file import TomlFile

TABLE, ALL, WLED = "hooks", "all", "wled"
HTTP, HTTPS, HIGHEST_PORT = 80, 443, 65535
KINDS = ["match_started", "turn", "throw", "keep", "choose", "bust", "score", "lead_changed", "undo", "correct"]
KINDS += ["leave", "join", "abandon", "match_over", "needs_help", "table"]
FIELDS = "v id match n time kind player game name players options scores ask faces notation kept choice lost changes"
FIELDS += " leaders event dropped carried winners why needed text state"  # of all kinds: docs/events-v1.json
METHODS = ("POST", "PUT", "GET")
FIELD = re.compile(r"\{([a-z_]+)\}")
URL = re.compile(
    r"http(?P<tls>s)?://(?P<host>[\w.-]+|\[[\da-fA-F:]+\])(:(?P<port>[1-9]\d{0,4}))?(?P<target>([/?][!-\"$-~]*)?)",
    re.ASCII,
)
HEADER = re.compile(r"(?!(?i:host|connection|content-length|transfer-encoding)$)[\w-]+", re.ASCII)


@dataclass(frozen=True, slots=True)
class Hook:
    """One webhook. name: for people. host: without brackets. target: path and query, as a template.

    player: None for all. body: a template: text, or JSON as Python values; None for the event itself. preset: or empty.
    """

    name: str
    host: str
    port: int
    tls: bool
    target: str
    on: frozenset[str] = frozenset(KINDS)
    player: str | None = None
    method: str = METHODS[0]
    headers: Mapping[str, str] | None = None
    body: Any = None
    preset: str = ""


def _kinds(on: Any) -> list[str]:  # noqa: ANN401 - TOML
    """Return the kinds that are meant, empty if some are wrong."""
    kinds = KINDS if on == ALL else on if isinstance(on, list) else [on]
    return kinds if all(kind in KINDS for kind in kinds) else []


def _is_template(text: object) -> bool:
    return isinstance(text, str) and all(name in FIELDS.split() for name in FIELD.findall(text))


def _is_url(text: object) -> bool:
    found = URL.fullmatch(str(text))
    return found is not None and int(found["port"] or 1) <= HIGHEST_PORT and _is_template(text)


def _is_header(name: str, text: object) -> bool:
    return bool(HEADER.fullmatch(name)) and isinstance(text, str) and text.isascii() and text.isprintable()


CHECKS: Mapping[str, tuple[str, Callable[[Any], bool]]] = {
    "preset": (WLED, lambda word: word == WLED),
    "url": ("http://NAME/... or https://, without user, space and #, in braces a field of events", _is_url),
    "headers": (
        '{ NAME = "TEXT" }',
        lambda found: isinstance(found, dict) and all(map(_is_header, found, found.values())),
    ),
    "on": (f'"{ALL}", or some of {", ".join(KINDS)}', lambda on: bool(_kinds(on))),
    "player": ('a name in "quotes"', lambda name: isinstance(name, str)),
    "method": (" or ".join(METHODS), lambda word: word in METHODS),
    "body": (f"a text, in braces one of {FIELDS}", _is_template),
}
PRESET_KEYS = ("preset", "url", "headers")
SECRET = ("url", "headers")  # never quoted in an error


def configured_hooks(file: TomlFile) -> tuple[Hook, ...]:
    """Return the webhooks of a file; raises InputError naming the line and the expected value."""
    return tuple(_hook(entry, number) for number, entry in enumerate(file.entries(TABLE), start=1))


def _hook(file: TomlFile, number: int) -> Hook:
    values = {"url": None, **file.values}
    file.check_names(PRESET_KEYS if "preset" in values else tuple(CHECKS))
    for key, value in values.items():
        expected, is_right = CHECKS[key]
        if not is_right(value):
            raise file.wrong(key, expected, "something else" if key in SECRET else value)
    found = URL.fullmatch(values["url"])
    assert found is not None  # noqa: S101 - checked above
    host, tls = found["host"].strip("[]"), found["tls"] is not None
    target = found["target"] if found["target"].startswith("/") else f"/{found['target']}"
    target = f"{target.rstrip('/')}/json/state" if "preset" in values else target
    port, on = int(found["port"] or (HTTPS if tls else HTTP)), frozenset(_kinds(values.get("on", ALL)))
    given = {key: values[key] for key in ("player", "method", "headers", "preset") if key in values}
    body = _body(file, "" if values.get("method") == "GET" else None)
    return Hook(f"hook {number}, {host}", host, port, tls, target, on, body=body, **given)


def _body(file: TomlFile, usual: str | None) -> Any:  # noqa: ANN401 - JSON
    """Return the template of the body: JSON as its values, so that no name can break out of it, any other as text."""
    text = file.values.get("body", usual)
    try:
        found = json.loads(text or "null")
    except (ValueError, RecursionError):
        if text.lstrip().startswith(("[", '{"', "{ ", "{\n")):
            raise file.wrong("body", 'JSON, fields in quotes as in {"who": "{player}"}', text) from None
        return text
    return found if isinstance(found, dict | list) else text
