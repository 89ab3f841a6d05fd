"""What the table's page may set in /etc/tabletop/tabletop.toml: a fixed list of keys, each with the values allowed.

Everything else in that file stays as it is, comments too. A new line is put below its explanation.
"""

import re
import tempfile
import tomllib
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import tomlkit
from request import BAD, SETTINGS, Refused, Request

from tabletop.cameras.words import check_camera
from tabletop.config.file import LISTEN, PICTURES, load_configuration
from tabletop.core.errors import InputError
from tabletop.core.ports import FREE_PINS

CONFIG = SETTINGS / "tabletop.toml"
RECORD = "/var/lib/tabletop/evening.avi"  # the only film that a page can ask for
PLAIN = r"[^\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]"
PLAINER = "expected a plainer file"
MOST_BYTES = 1_000_000  # of a file that people write

Allowed = Callable[[Any], bool]


def text(pattern: str) -> Allowed:
    """Allow texts of this form."""
    return lambda value: isinstance(value, str) and re.fullmatch(pattern, value) is not None


def flag(value: object) -> bool:
    """Allow true and false."""
    return isinstance(value, bool)


def pin(value: object) -> bool:
    """Allow the GPIO numbers that a part may have."""
    return type(value) is int and value in FREE_PINS


KEYS: Mapping[str, Allowed] = {
    "camera": text(r"none|(usb|pi)(:[0-9a-z=x.,]{0,120})?"),
    "buttons": text("gpio|none"),
    "pins.bank": pin,
    "pins.hold": pin,
    "pins.menu": pin,
    "pins.buzzer": pin,
    "screen": text(r"none|(ssd1306|sh1106)(:[0-9a-z=,]{0,60})?"),
    "language": text("[a-z]{2,3}"),
    "name": text(rf"(?! ){PLAIN}{{1,40}}(?<! )"),
    "listen": text("|".join(LISTEN)),
    "pictures": text("|".join(PICTURES)),
    "throw_pictures": flag,
    "record": flag,
}


def change(request: Request) -> dict[str, object]:
    """Let the table try these values. Raises Refused, and changes nothing then."""
    from trial import must_be_over, try_settings  # noqa: PLC0415 - editing needs no systemd

    values = request.fields.get("values")
    if not isinstance(values, dict):
        raise Refused(BAD, "values")
    try:
        raw = CONFIG.read_bytes() if CONFIG.exists() else b""
    except OSError as error:
        raise Refused("unreadable-settings", str(error)) from None
    new = edited(raw, values)
    must_be_over()
    request.step("restart", 1, 1)  # the table ends: who has asked reads no more than this
    return try_settings(new)


def edited(old: bytes, values: Mapping[str, object]) -> bytes:
    """Return the file with these values, None for a key to be removed. Raises Refused."""
    for name, value in values.items():
        if name not in KEYS or not (value is None or KEYS[name](value)):
            raise Refused("bad-setting", name)
    try:
        before = old.decode("utf-8-sig")
        parsed = tomllib.loads(before)
        wanted = _wanted(parsed, values)
        after = _written(before, parsed, wanted)
        plain = tomllib.loads(after) == wanted
    except (ValueError, RecursionError, tomlkit.exceptions.TOMLKitError, LookupError, TypeError) as error:
        raise Refused("unreadable-settings", str(error)) from None
    if not plain or len(old) > MOST_BYTES:
        raise Refused("unreadable-settings", PLAINER)
    _check(wanted, values)
    return after.encode()


def _wanted(parsed: Mapping[str, Any], values: Mapping[str, object]) -> dict[str, Any]:
    """Return what the file must say at the end. A film that it names already goes on."""
    wanted = {name: dict(value) if isinstance(value, dict) else value for name, value in parsed.items()}
    for name, value in values.items():
        table, _, key = name.rpartition(".")
        place = wanted.setdefault(table, {}) if table else wanted
        if name == "record":
            value = wanted.get(name, RECORD) if value else None  # noqa: PLW2901 - the helper chooses the file
        if value is None:
            place.pop(key, None)
        else:
            place[key] = value
        if table and not place:
            del wanted[table]
    return wanted


def _written(text: str, parsed: Mapping[str, Any], wanted: Mapping[str, Any]) -> str:
    """Return the text with what differs written into it."""
    document = tomlkit.parse(text)
    for name in [name for name in parsed if name not in wanted]:
        document.remove(name)
    for name, value in wanted.items():
        if name not in parsed:
            continue
        if isinstance(value, dict):
            for key in [key for key in parsed[name] if key not in value]:
                del document[name][key]
            for key in [key for key in value if value[key] != parsed[name].get(key)]:
                document[name][key] = value[key]
        elif value != parsed[name]:
            document[name] = value
    text = tomlkit.dumps(document)
    for name in [name for name in wanted if name not in parsed]:
        text = _added(text, name, wanted[name])
    return text


def _added(text: str, name: str, value: Any) -> str:  # noqa: ANN401 - a value of TOML
    """Return the text with a new line below the one that explains it, else above the first table; a new table last."""
    line = tomlkit.dumps({name: value})
    if isinstance(value, dict):
        return f"{text}{'' if text.endswith(chr(10)) or not text else chr(10)}{line}"
    lines = text.removesuffix("\n").split("\n") if text else []
    table = next((at for at, one in enumerate(lines) if one.lstrip().startswith("[")), len(lines))
    explained = [at + 1 for at, one in enumerate(lines[:table]) if re.match(rf"#\s*{name}\s*=", one)]
    for at in (*explained, table, 0):  # the first line is no part of a value of several lines
        added = "\n".join([*lines[:at], line.rstrip("\n"), *lines[at:], ""])
        with suppress(ValueError):
            if tomllib.loads(added) == {**tomllib.loads(text), name: value}:
                return added
    raise ValueError(PLAINER)


def _check(wanted: Mapping[str, Any], values: Mapping[str, object]) -> None:
    """Let the table's own reader look at what is set. Other keys of the file are not the page's."""
    names = {"buttons", "pins", *(name.partition(".")[0] for name in values)}
    looked_at = {name: value for name, value in wanted.items() if name in names}
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / CONFIG.name
        file.write_text(tomlkit.dumps(looked_at), encoding="utf-8")
        try:
            load_configuration(file)
            check_camera(str(wanted.get("camera", "none")) if "camera" in values else "none")
        except InputError as error:
            raise Refused("bad-setting", re.sub(rf"^{re.escape(str(file))}[^:]*: ", "", str(error))) from None
