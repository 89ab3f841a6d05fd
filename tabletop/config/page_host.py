"""A name of the page that its owner gives it: behind a proxy, in an overlay network, or in a router's own domain."""

import re

from tabletop.core.errors import InputError

LABEL = r"(?!-)[a-z0-9-]{1,63}(?<!-)"  # RFC 1123, 2.1; other letters as browsers send them (xn--...)
SITE = re.compile(rf"(?:(?P<scheme>https?)://)?(?P<name>{LABEL}(?:\.{LABEL})*)(?P<port>:[1-9]\d{{0,4}})?/?")
HOSTS = ("dice.fritz.box", "https://dice.example.org")
HIGHEST_PORT = 65535


def checked_host(text: str) -> str:
    """Return a name, or http(s)://NAME[:PORT], as browsers write it; raises InputError for anything else."""
    found = SITE.fullmatch(text.lower())
    if found is None or (found["port"] and not found["scheme"]) or int((found["port"] or ":1")[1:]) > HIGHEST_PORT:
        raise InputError(f"expected a name such as {HOSTS[0]} or {HOSTS[1]} for host, got {text!r}")
    usual = {"http": ":80", "https": ":443"}.get(found["scheme"] or "")
    port = "" if found["port"] in (None, usual) else found["port"]
    return f"{found['scheme']}://{found['name']}{port}" if found["scheme"] else found["name"]


def nearest_host(text: str) -> str:
    """Return a name out of what came, without a path and a port that has no scheme; an example if there is none."""
    found = SITE.match(text.lower().strip().replace("_", "-"))
    return f'"{found["scheme"] + "://" if found["scheme"] else ""}{found["name"]}"' if found else f'"{HOSTS[0]}"'
