"""The versions of the program on this machine: the one that runs, the one before, and how a new one comes.

An archive is received into a folder of root's, and handed to the installer that runs now. That checks its signature and
unpacks it, and brings the old version back if the new one does not get ready.
"""

import re
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import BinaryIO, cast

import trial
from request import CURRENT, HOME, SETTINGS, Refused, Request, blocks, read

KEY = SETTINGS / "release.pub"
ADDRESS = SETTINGS / "release.url"  # of the folder of the newest release, a line
HTTPS = r"https://[\w.-]+(:\d{1,5})?(/[\w.~%+-]*)*"
RECEIVED = HOME / "received"
ROOM = 700 * 2**20  # of a version, while it is built (systemd/install)
MOST_ARCHIVE = 160 * 2**20  # with packages it is 72 MB
SIGNATURE = r"-----BEGIN SSH SIGNATURE-----\n[A-Za-z0-9+/=\n]{1,8000}-----END SSH SIGNATURE-----\n?"
NAMED = re.compile(r'^__version__ = "([\w.+-]{1,40})"$', re.MULTILINE)
STEP = re.compile(r"(\d) of (\d): .*\n")
WHY = {3: "forged", 4: "not-ready", 5: "older", 6: "same", 7: "lacks"}  # by the installer's status
TENTHS = 10
HERE = Path(__file__).resolve().parent
INSTALLER = CURRENT / "source/systemd/install"
# What reads a stick or talks to the network has no other right.
CLOSED = ("ProtectSystem=strict", "ProtectHome=yes", "NoNewPrivileges=yes", "PrivateTmp=yes", "RuntimeMaxSec=900")
MAY = {
    "stick": ("PrivateMounts=yes", "PrivateNetwork=yes", "CapabilityBoundingSet=CAP_SYS_ADMIN CAP_DAC_READ_SEARCH",
              "DevicePolicy=closed", "DeviceAllow=block-* r"),
    "release": ("DynamicUser=yes", "PrivateDevices=yes", "CapabilityBoundingSet=",
                "RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX"),
}  # fmt: skip


def before() -> Path | None:
    """Return the version that ran before this one."""
    current = CURRENT.resolve()
    found = (path.parent for path in HOME.glob("versions/*/ran") if (path.parent / "whole").exists())
    return max((path for path in found if path.resolve() != current), default=None)


def name_of(version: Path | None) -> str | None:
    """Return the number of this version."""
    try:
        found = NAMED.search((version / "source/tabletop/__init__.py").read_text()) if version else None
    except (OSError, UnicodeError):
        found = None
    return found and found[1]


def shown() -> dict[str, object]:
    """Return the numbers of both, and from where updates can come."""
    updates = {"key": KEY.exists(), "release": KEY.exists() and ADDRESS.exists()}
    return {"current": name_of(CURRENT), "previous": name_of(before()), **updates}


def update(request: Request) -> dict[str, object]:
    """Install the archive that follows the request."""
    _must_be_possible()
    return _receive(request, request.fields, request.incoming)


def update_from(request: Request) -> dict[str, object]:
    """Install the newest archive of a stick, or of the release address."""
    place = request.text("place", "|".join(MAY))
    _must_be_possible()
    words = [str(CURRENT / "bin/python"), "-I", str(HERE / "sources.py"), place]
    if place == "release":
        if not ADDRESS.exists():
            raise Refused("no-address")
        address = ADDRESS.read_text(errors="replace").strip()
        if not re.fullmatch(HTTPS, address):
            raise Refused("no-address", address)
        words.append(address)
    request.step("look", 0, TENTHS)
    command = _unit(f"tabletop-{place}", (*CLOSED, *MAY[place]), *words)
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as process:
        source = cast("BinaryIO", process.stdout)
        fields = read(source)
        if isinstance(fields.get("refused"), str):
            raise Refused(str(fields["refused"]), str(fields.get("about")))
        return _receive(request, fields, source)


def previous(request: Request) -> dict[str, object]:
    """Let the version before run again."""
    trial.must_be_over()
    if before() is None:
        raise Refused("no-version")
    return _install(request, "--previous")


def _must_be_possible() -> None:
    trial.must_be_over()
    if not KEY.exists():
        raise Refused("no-key", str(KEY))


def _receive(request: Request, fields: Mapping[str, object], source: BinaryIO) -> dict[str, object]:
    """Install an archive that comes from here. fields: its `size` and `signature`."""
    told = Request(fields, source, request.client)
    size = told.number("size", 1, MOST_ARCHIVE)
    signature = told.text("signature", SIGNATURE)
    free, needed = shutil.disk_usage(HOME).free, 3 * size + ROOM  # as it came, checked and unpacked
    if free < needed:
        raise Refused("no-room", f"{free >> 20} of {needed >> 20} MiB")
    shutil.rmtree(RECEIVED, ignore_errors=True)
    RECEIVED.mkdir(mode=0o700)
    try:
        archive = RECEIVED / "archive.tar.gz"
        archive.with_name(f"{archive.name}.sig").write_text(signature)
        with archive.open("wb") as file:
            got = tenths = 0
            for block in blocks(source, size):
                file.write(block)
                got += len(block)
                if got * TENTHS // size > tenths:
                    tenths = got * TENTHS // size
                    request.step("receive", tenths, TENTHS)
        return _install(request, "--archive", str(archive))
    finally:
        shutil.rmtree(RECEIVED, ignore_errors=True)


def _install(request: Request, *words: str) -> dict[str, object]:
    """Run the installer to its end, whatever becomes of the client."""
    said: list[str] = []
    command = _unit("tabletop-install", ("RuntimeMaxSec=1500",), "/bin/sh", str(INSTALLER), *words)
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace"
    ) as process:
        for line in process.stdout or ():
            step = STEP.fullmatch(line)
            if step:
                request.step("install", int(step[1]), int(step[2]))
            said = [*said[-20:], line.strip()]
    if process.returncode:
        about = next((line for line in said if line.startswith("install: ")), said[-1] if said else "")
        raise Refused(WHY.get(process.returncode, "not-installed"), about.removeprefix("install: "))
    return shown()


def _unit(name: str, properties: tuple[str, ...], *command: str) -> list[str]:
    """Return the command that runs a program as a unit of its own, and waits for it."""
    waits = ("--quiet", "--wait", "--pipe", "--collect", f"--description={name}")
    return ["systemd-run", *waits, *(f"--property={text}" for text in properties), "--", *command]
