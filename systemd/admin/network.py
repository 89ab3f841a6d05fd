"""Lists Wi-Fi networks, joins one, and opens a hotspot, with NetworkManager's `nmcli`.

nmcli gets fixed lists of arguments, never a shell's line. A password only ever stands in NetworkManager's connection
file, which root alone reads: nmcli is given its path. As an argument of nmcli everybody on this machine could read it
in /proc, and nmcli's prompt asks for it in words that change from version to version.

One radio cannot offer a network and look for others. So the networks are noted before the hotspot opens, and a phone
that loses the hotspot while the table tries a network finds the result there (`last`) when the hotspot is back.
"""

import json
import os
import re
import secrets
import socket
import subprocess
import time
from contextlib import suppress
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from request import BAD, HOME, ROOT, Refused, Request, write

CONNECTIONS = ROOT / "etc/NetworkManager/system-connections"
NOTES = HOME / "network.json"
NMCLI = "/usr/bin/nmcli"
PREFIX, SUFFIX = "tabletop-", ".nmconnection"
HOTSPOT = str(uuid5(NAMESPACE_URL, "tabletop:hotspot"))
MOST_NETWORKS = 40
LOOK_S, SCAN_S, JOIN_S = 10, 25, 60  # nmcli waits: for an answer; for a scan; for password and address (DHCP takes 45)
ON_S = 8  # until a radio that was off can be used
SPARE_S = 5  # then it is ended
LONGEST_SSID = 32  # bytes (IEEE 802.11-2020, 9.4.2.2)
LONGEST_NAME = 25  # bytes of the hotspot's own: more give a QR code too fine for a display of 64 rows
PASSWORD = re.compile(r"[ -~]{8,63}|[0-9A-Fa-f]{64}")  # a passphrase, or the key itself (IEEE 802.11-2020, J.4.1)
LETTERS, LENGTH = "ghjkmnpqrstuvwxyz23456789", 10  # 46 bits; nothing alike on a display, nothing that reads as hex
OWN = re.compile(rf"^psk=([{LETTERS}]{{{LENGTH}}})$", re.MULTILINE)
NOT_RUNNING, TIMED_OUT = 8, 3  # exit statuses (nmcli(1))
# NetworkManager asks for the password again if the network did not take it, and nobody is there to answer.
WHY = {
    "NMClient": "no-networkmanager",  # nor a bus
    "ecrets": "wrong-password",
    "supplicant": "wrong-password",
    "could not be found": "not-found",
    "IP config": "no-address",
}


def networks(_request: Request) -> dict[str, object]:
    """Return the networks in reach, strongest first: those noted before the hotspot opened while it is open."""
    noted = _noted()
    if not (is_open := hotspot_open()):
        _radio()
        noted = _note(networks=_scan())
    return {"networks": [], "last": None, **noted, "hotspot": is_open}


def join(request: Request) -> dict[str, object]:
    """Join a network for good and close the hotspot; if that fails, forget it and open the hotspot again."""
    ssid = request.text("ssid")
    try:
        _join(ssid, request)
    except Refused as refused:
        _note(last={"ssid": ssid, "refused": refused.code})
        raise
    _note(last={"ssid": ssid, "refused": None})
    return {"ssid": ssid}


def _join(ssid: str, request: Request) -> None:
    if not 0 < len(ssid.encode(errors="replace")) <= LONGEST_SSID:
        raise Refused("bad-name")
    was_open, radio = hotspot_open(), _radio()
    known = _noted().get("networks", ()) if was_open else _scan()
    keys = next((one["keys"] for one in known if one["ssid"] == ssid), None)
    if keys in (None, "other"):
        raise Refused("not-found" if keys is None else "not-possible")
    password = request.text("password", r"(?s).{0,200}")
    if keys != "open" and not PASSWORD.fullmatch(password):
        raise Refused("bad-password")
    request.step("joining", 1, 1)
    uuid = str(uuid5(NAMESPACE_URL, f"tabletop:{ssid}"))
    _try(uuid, _client(uuid, ssid, keys, password), radio, was_open=was_open)


def hotspot(request: Request) -> dict[str, object]:
    """Open the hotspot and return its name and password, or close it."""
    if not isinstance(on := request.fields.get("on"), bool):
        raise Refused(BAD, "on")
    if not on:
        if hotspot_open():
            _nmcli("connection", "down", "uuid", HOTSPOT)
        return {"on": False}
    radio, ssid, password = _radio(), _own_name(), _own_password()
    if not hotspot_open():
        request.step("opening", 1, 1)
        _note(networks=_scan())
        _load(_path(HOTSPOT), _access_point(ssid, password))
        _nmcli("connection", "up", "uuid", HOTSPOT, "ifname", radio, wait_s=JOIN_S)
    return {"on": True, "ssid": ssid, "password": password}


VERBS = {"networks": networks, "join": join, "hotspot": hotspot}


def hotspot_open() -> bool:
    """Return whether the hotspot is open; raises Refused."""
    return HOTSPOT in _nmcli("-g", "UUID", "connection", "show", "--active").split()


def _nmcli(*arguments: str, wait_s: int = LOOK_S) -> str:
    """Return what nmcli prints; raises Refused."""
    command = (NMCLI, "--wait", str(wait_s), *arguments)
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=wait_s + SPARE_S,
            env={**os.environ, "LC_ALL": "C"},
            check=False,
        )
    except FileNotFoundError:
        raise Refused("no-networkmanager") from None
    except subprocess.TimeoutExpired:
        raise Refused("time-out", " ".join(command)) from None
    about = done.stderr
    if done.returncode in (NOT_RUNNING, TIMED_OUT):
        raise Refused("no-networkmanager" if done.returncode == NOT_RUNNING else "time-out", about)
    if done.returncode:
        raise Refused(next((code for words, code in WHY.items() if words in about), "failed"), about)
    return done.stdout


def _radio() -> str:
    """Return the name of the first radio, and switch it on if it is off; raises Refused."""
    for wait_s in range(ON_S):
        radios = _nmcli("-g", "DEVICE,TYPE,STATE", "device").splitlines()
        states = {name: state for name, kind, state in (line.split(":", 2) for line in radios) if kind == "wifi"}
        for name, state in states.items():
            if state not in ("unmanaged", "unavailable"):
                return name
        if "unavailable" not in states.values():
            break
        if not wait_s:
            _nmcli("radio", "wifi", "on")  # off until somebody chooses a country
        time.sleep(1)
    raise Refused("no-radio")


def _scan() -> list[dict[str, Any]]:
    """Return the networks in reach, the strongest first. Networks that hide their name are left out."""
    found: dict[str, dict[str, Any]] = {}
    fields = "SSID-HEX,SIGNAL,SECURITY"
    for line in _nmcli("-g", fields, "device", "wifi", "list", "--rescan", "yes", wait_s=SCAN_S).splitlines():
        name, signal, security = line.split(":", 2)
        with suppress(ValueError):  # a name that is no text
            ssid, strength = bytes.fromhex(name).decode(), int(signal)
            if ssid.strip("\0") and strength > found.get(ssid, {"strength": -1})["strength"]:
                keys = _keys(security.split())
                found[ssid] = {"ssid": ssid, "strength": strength, "secured": keys != "open", "keys": keys}
    return sorted(found.values(), key=lambda one: -int(one["strength"]))[:MOST_NETWORKS]


def _keys(security: list[str]) -> str:
    """Return how a network keeps strangers out: `open`, a password's kind, or `other`, which a password cannot open."""
    if not security:
        return "open"
    if "802.1X" in security or not {"WPA1", "WPA2", "WPA3"} & set(security):
        return "other"
    return "sae" if "WPA2" not in security and "WPA3" in security else "wpa-psk"


def _try(uuid: str, profile: str, radio: str, *, was_open: bool) -> None:
    """Activate the profile of a network; raises Refused with all as it was before."""
    path = _path(uuid)
    before = path.read_text("utf-8") if path.is_file() else None
    try:
        _load(path, profile)
        _nmcli("connection", "up", "uuid", uuid, "ifname", radio, wait_s=JOIN_S)
    except Refused:
        with suppress(Refused):
            if before is None:
                path.unlink(missing_ok=True)  # a wrong password must not stay, whatever nmcli can do
                _nmcli("connection", "delete", "uuid", uuid)
            else:
                _load(path, before)
        if was_open:
            with suppress(Refused):
                _nmcli("connection", "up", "uuid", HOTSPOT, "ifname", radio, wait_s=JOIN_S)
        raise
    with suppress(Refused):  # with a second radio it is still open
        if was_open and hotspot_open():
            _nmcli("connection", "down", "uuid", HOTSPOT)


def _load(path: Path, text: str) -> None:
    """Write a connection file that root alone reads, whole or not at all, and have it read; raises Refused."""
    try:
        write(path, text.encode(), 0o600)
    except OSError as error:
        raise Refused("failed", os.strerror(error.errno or 0)) from None
    _nmcli("connection", "load", str(path))


def _path(uuid: str) -> Path:
    return CONNECTIONS / f"{PREFIX}{uuid}{SUFFIX}"


def _client(uuid: str, ssid: str, keys: str, password: str) -> str:
    """Return the connection file of a network."""
    secured = f"\n[wifi-security]\nkey-mgmt={keys}\npsk={_escaped(password)}\n" if keys != "open" else ""
    return f"[connection]\nid={PREFIX}wifi\nuuid={uuid}\ntype=wifi\n\n[wifi]\nssid={_listed(ssid)}\n{secured}"


def _access_point(ssid: str, password: str) -> str:
    """Return the connection file of the hotspot: WPA2, as every phone has it. This machine is 10.42.0.1 there."""
    return (
        f"[connection]\nid={PREFIX}hotspot\nuuid={HOTSPOT}\ntype=wifi\nautoconnect=false\n\n"
        f"[wifi]\nmode=ap\nband=bg\nssid={_listed(ssid)}\n\n"
        f"[wifi-security]\nkey-mgmt=wpa-psk\nproto=rsn;\npairwise=ccmp;\ngroup=ccmp;\npmf=1\npsk={password}\n\n"
        "[ipv4]\nmethod=shared\n\n[ipv6]\nmethod=disabled\n"
    )


def _listed(ssid: str) -> str:
    """Return a name byte by byte, so that none of its letters means anything in the file."""
    return "".join(f"{byte};" for byte in ssid.encode())


def _escaped(password: str) -> str:
    """Return a password as GLib's key files have it: spaces at its ends would be dropped."""
    return password.replace("\\", r"\\").replace(" ", r"\s")


def _own_name() -> str:
    """Return this machine's name."""
    return socket.gethostname().partition(".")[0].encode()[:LONGEST_NAME].decode(errors="ignore") or "tabletop"


def _own_password() -> str:
    """Return the password in the hotspot's file; a new one if there is none."""
    try:
        kept = OWN.search(_path(HOTSPOT).read_text("utf-8"))
    except (OSError, UnicodeDecodeError):
        kept = None
    return kept[1] if kept else "".join(secrets.choice(LETTERS) for _ in range(LENGTH))


def _noted() -> dict[str, Any]:
    try:
        return dict(json.loads(NOTES.read_text("utf-8")))
    except (OSError, ValueError):
        return {}


def _note(**news: object) -> dict[str, Any]:
    """Keep this, and return all that is kept."""
    noted = {**_noted(), **news}
    with suppress(OSError):  # the card is full; the answer counts
        NOTES.write_text(json.dumps(noted), "utf-8")
    return noted
