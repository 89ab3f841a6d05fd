"""Write the newest archive of a stick or of an https address, as the helper reads it: a line of JSON, then its bytes.

    sources.py stick | sources.py release ADDRESS

It runs in a unit of its own with few rights; nothing of what it reads is run or unpacked here.
"""

import errno
import json
import os
import re
import shutil
import stat
import subprocess
import sys
import urllib.request
from contextlib import suppress
from http.client import HTTPException, HTTPResponse
from pathlib import Path
from typing import IO, cast

ROOT = Path(os.environ.get("DESTDIR") or "/")
PLUGGED, MOUNTED = ROOT / "dev/disk/by-id", ROOT / "mnt"
MOUNTS = ROOT / "proc/self/mounts"
KINDS = ("vfat", "exfat", "ext4")
READ_ONLY = "ro,nosuid,nodev,noexec"
ARCHIVE = re.compile(r"tabletop-[\w.+-]{1,60}\.tar\.gz")
MOST_SUMS, MOST_SIGNATURE = 65_536, 10_000  # bytes
PATIENCE_S = 30.0


def send(archive: IO[bytes], size: int, signature: bytes) -> None:
    """Write an archive."""
    line = {"size": size, "signature": signature.decode(errors="replace")}
    sys.stdout.buffer.write(json.dumps(line).encode() + b"\n")
    shutil.copyfileobj(archive, sys.stdout.buffer)
    sys.stdout.buffer.flush()


def refuse(code: str, about: str = "") -> None:
    """Write why there is no archive."""
    sys.stdout.write(json.dumps({"refused": code, "about": about}) + "\n")


def from_stick() -> None:
    """Look at every partition of every USB device; each is mounted where only this program sees it."""
    for device in sorted(PLUGGED.glob("usb-*")):
        place = seen_at(device)  # a desktop has mounted it: then it cannot be mounted once more
        found = newest(place or mounted(device))
        if found:
            with plain(found) as archive, plain(found.with_name(f"{found.name}.sig")) as signature:
                send(archive, os.fstat(archive.fileno()).st_size, signature.read(MOST_SIGNATURE))
        if place is None:
            subprocess.run(["umount", str(MOUNTED)], capture_output=True, check=False)
        if found:
            return
    refuse("no-archive")


def seen_at(device: Path) -> Path | None:
    """Return where a device is mounted."""
    lines = (line.split() for line in MOUNTS.read_text().splitlines())
    places = (words[1] for words in lines if words[0] == str(device.resolve()))
    place = next(places, None)
    return ROOT / re.sub(r"\\([0-7]{3})", lambda found: chr(int(found[1], 8)), place).lstrip("/") if place else None


def mounted(device: Path) -> Path:
    """Mount a device, if it has a file system of a stick, and return where."""
    for kind in KINDS:
        words = ["mount", "-t", kind, "-o", READ_ONLY, str(device), str(MOUNTED)]
        if subprocess.run(words, capture_output=True, check=False).returncode == 0:
            break
    return MOUNTED


def newest(folder: Path) -> Path | None:
    """Return the newest signed archive of a folder by the numbers in its name. Links and pipes do not count."""
    found = {}
    for path in folder.glob("tabletop-*.tar.gz"):
        with suppress(OSError), plain(path), plain(path.with_name(f"{path.name}.sig")):
            if ARCHIVE.fullmatch(path.name):
                found[path] = [int(number) for number in re.findall(r"\d+", path.name)]
    return max(found, key=found.__getitem__, default=None)


def plain(path: Path) -> IO[bytes]:
    """Open a file that is no link and no pipe, not even since it was looked at. Raises OSError."""
    opened = os.fdopen(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb")
    if not stat.S_ISREG(os.fstat(opened.fileno()).st_mode):
        opened.close()
        raise OSError(errno.EINVAL, str(path))
    return opened


def from_release(address: str) -> None:
    """Fetch what SHA256SUMS of this address names. The signature is checked by who gets it, so the sum is not."""
    folder = address.rstrip("/")
    with opened(f"{folder}/SHA256SUMS") as answer:
        names = ARCHIVE.findall(answer.read(MOST_SUMS).decode(errors="replace"))
    if not names:
        refuse("no-archive", folder)
        return
    with opened(f"{folder}/{names[0]}.sig") as answer:
        signature = answer.read(MOST_SIGNATURE)
    with opened(f"{folder}/{names[0]}") as archive:
        send(archive, int(archive.headers["content-length"]), signature)


def opened(address: str) -> HTTPResponse:
    """Ask for a file, encrypted all the way: of any other kind of address it knows nothing."""
    opener = urllib.request.OpenerDirector()
    for handler in (urllib.request.HTTPSHandler, urllib.request.HTTPRedirectHandler, urllib.request.UnknownHandler,
                    urllib.request.HTTPErrorProcessor, urllib.request.HTTPDefaultErrorHandler):  # fmt: skip
        opener.add_handler(handler())
    return cast("HTTPResponse", opener.open(address, timeout=PATIENCE_S))


def main(words: list[str]) -> None:
    """Write an archive, or why there is none."""
    try:
        if words[0] == "stick":
            from_stick()
        else:
            from_release(words[1])
    except BrokenPipeError:  # the helper has read enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, HTTPException, ValueError, TypeError) as error:
        refuse("unreachable", str(error))


if __name__ == "__main__":
    main(sys.argv[1:])
