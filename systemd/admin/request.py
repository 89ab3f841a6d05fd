"""One connection: a line of JSON comes in, and lines of JSON go out. What comes in is untrusted."""

import json
import os
import re
import socket
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

ROOT = Path(os.environ.get("DESTDIR") or "/")  # as systemd/install has it
HOME = ROOT / "opt/tabletop"
SETTINGS = ROOT / "etc/tabletop"
CURRENT = HOME / "current"
MOST_LINE = 16_384  # bytes
PATIENCE_S = 30.0  # for the next bytes of a client
MOST_ABOUT = 300  # characters
BLOCK = 65_536  # bytes of a body that are read at once
BAD = "bad-request"


class Refused(Exception):  # noqa: N818 - what a client reads
    """The verb was not done. code: the page has a sentence for it; about: untrusted details."""

    def __init__(self, code: str, about: str = "") -> None:
        super().__init__(code, about)
        self.code = code
        self.line: dict[str, object] = {"refused": code, "about": " ".join(about.split())[:MOST_ABOUT]}


@dataclass(slots=True)
class Request:
    """fields: what the line has. incoming: what follows the line. client: hears the steps."""

    fields: Mapping[str, object]
    incoming: BinaryIO
    client: socket.socket
    heard: bool = True

    @property
    def verb(self) -> str:
        """What is asked for: any text."""
        return str(self.fields.get("do"))

    def text(self, name: str, pattern: str = r"[^\0]{1,4096}") -> str:
        """Return a field that is text and matches."""
        value = self.fields.get(name)
        if not isinstance(value, str) or re.fullmatch(pattern, value) is None:
            raise Refused(BAD, name)
        return value

    def number(self, name: str, least: int, most: int) -> int:
        """Return a field that is a whole number in this range."""
        value = self.fields.get(name)
        if type(value) is not int or not least <= value <= most:
            raise Refused(BAD, name)
        return value

    def step(self, key: str, n: int, of: int) -> None:
        """Tell the client how far the verb is."""
        self.say({"step": key, "n": n, "of": of})

    def say(self, answer: Mapping[str, object]) -> None:
        """Send a line. A client that has gone away, or does not read, stops nothing."""
        if self.heard:
            try:
                self.client.sendall(json.dumps(answer).encode() + b"\n")
            except OSError:
                self.heard = False


def read(incoming: BinaryIO) -> dict[str, object]:
    """Read a line of JSON with an object. Raises Refused."""
    try:
        line = incoming.readline(MOST_LINE + 1)
        found = json.loads(line) if line.endswith(b"\n") else None
    except (OSError, ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise Refused(BAD)
    return found


def blocks(incoming: BinaryIO, size: int) -> Iterator[bytes]:
    """Yield the next `size` bytes. Raises Refused if there are fewer."""
    while size:
        try:
            block = incoming.read(min(size, BLOCK))
        except OSError:
            block = b""
        if not block:
            raise Refused("cut")
        size -= len(block)
        yield block


def write(file: Path, data: bytes, mode: int = 0o644) -> None:
    """Write a file that only root writes: whole, or not at all, even if the power fails."""
    new = file.with_name(f".{file.name}.new")  # NetworkManager reads no file with a dot in front
    with new.open("wb") as opened:
        os.fchmod(opened.fileno(), mode)
        opened.write(data)
        opened.flush()
        os.fsync(opened.fileno())
    new.replace(file)
    sync(file.parent)


def sync(folder: Path) -> None:
    """Wait until the names in this folder are on disk."""
    opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
