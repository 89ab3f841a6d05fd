"""Read the broker from the table [mqtt] of the configuration, or from `--mqtt`."""

import re
import socket
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from tabletop.core import errors, toml_file

TABLE, NAME = "mqtt", "MQTT"  # in the file; among the receivers
KEYS = ("url", "user", "password", "password_file", "ca", "id", "discovery", "discovery_prefix")
OWN = {"user": "user", "password": "password", "id": "table", "discovery_prefix": "prefix"}  # of a `Broker`
PORTS = {"mqtt": 1883, "mqtts": 8883}
HOST = re.compile(r"[\w.-]{1,253}|[0-9a-f:.]+(%[\w.-]+)?")  # a name, or an address
WORD = re.compile(r"[a-zA-Z0-9_-]{1,64}")  # what Home Assistant takes as an id in a topic
EXPECTED = "mqtt://[USER:PASSWORD@]HOST[:PORT], or mqtts:// for TLS"


def _own_id() -> str:
    return re.sub(r"[^a-zA-Z0-9_-]", "-", socket.gethostname().partition(".")[0])[:64] or "table"


@dataclass(frozen=True, slots=True)
class Broker:
    """A broker, and how the table is known there.

    ca: the file of the authority that its certificate is signed by, None for those of the system. table: the id in
    topics. prefix: of Home Assistant's discovery.
    """

    host: str
    port: int
    tls: bool = False
    user: str | None = None
    password: str | None = field(default=None, repr=False)
    ca: Path | None = None
    table: str = field(default_factory=_own_id)
    discovery: bool = True
    prefix: str = "homeassistant"


def broker_of(url: str, configured: Broker | None = None) -> Broker:
    """Return the broker of a URL, the rest as configured; raises InputError, which never shows a password."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port or PORTS[parts.scheme]
    except (ValueError, KeyError):
        host, port, parts = "", 0, urlsplit("")
    if not HOST.fullmatch(host) or parts.path not in ("", "/") or parts.query or parts.fragment:
        raise errors.InputError(f"expected {EXPECTED}, got {url.rpartition('@')[2]!r}")
    broker = replace(configured or Broker(host, port), host=host, port=port, tls=parts.scheme == "mqtts")
    if parts.username is None:
        return broker
    return replace(broker, user=unquote(parts.username), password=unquote(parts.password or "") or None)


def configured_broker(file: toml_file.TomlFile) -> Broker | None:
    """Return the broker that a file names, None if it names none; raises InputError with the line of a mistake."""
    values = file.table(TABLE)
    file.check_names(KEYS, TABLE)
    if not values:
        return None
    texts = {name: _text(file, name, values[name]) for name in KEYS if name in values and name != "discovery"}
    if "url" not in texts:
        raise file.missing(f"{TABLE}.url", EXPECTED)
    with file.telling(f"{TABLE}.url"):
        broker = broker_of(texts["url"])
    for name in ("id", "discovery_prefix"):
        if name in texts and not WORD.fullmatch(texts[name]):
            raise file.wrong(f"{TABLE}.{name}", "up to 64 of a-z, A-Z, 0-9, _ and -", texts[name])
    ca = file.path.parent / texts["ca"] if "ca" in texts else None
    if ca is not None and not ca.is_file():
        raise file.wrong(f"{TABLE}.ca", "a file that is there", texts["ca"])
    if type(discovery := values.get("discovery", True)) is not bool:
        raise file.wrong(f"{TABLE}.discovery", "true or false", discovery)
    given: dict[str, Any] = {OWN[name]: text for name, text in texts.items() if name in OWN}
    if "password_file" in texts:
        given["password"] = _password(file, texts["password_file"])
    return replace(broker, ca=ca, discovery=discovery, **given)


def _text(file: toml_file.TomlFile, name: str, value: Any) -> str:  # noqa: ANN401 - whatever TOML can hold
    if isinstance(value, str) and value and value.isprintable():
        return value
    raise file.wrong(f"{TABLE}.{name}", 'a word in "quotes"', "..." if name == "password" else value)


def _password(file: toml_file.TomlFile, name: str) -> str:
    try:
        return (file.path.parent / name).read_text(encoding="utf-8").rstrip("\r\n")
    except (OSError, UnicodeDecodeError):
        raise file.wrong(f"{TABLE}.password_file", "a text file that the table's user may read", name) from None
