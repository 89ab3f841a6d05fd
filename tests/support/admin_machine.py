"""The root's helper in a folder: started as systemd starts it, with a socket as its standard input."""

import io
import json
import os
import shutil
import socket
import subprocess
import sys
import tarfile
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "systemd" / "admin"
STAND_IN = ROOT / "tests" / "support" / "stand_in.sh"
VERSIONS = ("20260101-100000-1", "20260202-100000-2")  # the one before, the one that runs


@dataclass(frozen=True, slots=True)
class Helper:
    """A machine with two versions.

    root: what is / there; stand_ins: what the stand-ins wrote down; variables: of the helper's environment.
    """

    root: Path
    stand_ins: Path
    variables: Mapping[str, str] = field(default_factory=dict)

    @property
    def home(self) -> Path:
        return self.root / "opt/tabletop"

    @property
    def config(self) -> Path:
        return self.root / "etc/tabletop/tabletop.toml"

    def environ(self) -> dict[str, str]:
        return {
            "PATH": f"{self.stand_ins}:{os.environ['PATH']}",
            "DESTDIR": str(self.root),
            "STAND_INS": str(self.stand_ins),
            "REAL_PYTHON": sys.executable,
            **self.variables,
        }

    @contextmanager
    def connected(self) -> Iterator[socket.socket]:
        """Start the helper with one end of a connection, and return the other."""
        ours, theirs = socket.socketpair()
        serving = threading.Thread(target=self.serve, args=(theirs,))
        with ours:
            ours.settimeout(60)
            serving.start()
            yield ours
        serving.join()

    def serve(self, connection: socket.socket) -> None:
        """Let the helper serve this connection to its end."""
        with connection:
            words = [sys.executable, "-I", str(PROGRAM)]
            done = subprocess.run(
                words, stdin=connection.fileno(), capture_output=True, env=self.environ(), cwd="/", check=False
            )
            assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")

    def answers(self, request: bytes) -> list[dict[str, Any]]:
        """Return all that it answers to these bytes, after which nothing more comes."""
        with self.connected() as connection:
            sending = threading.Thread(target=_send, args=(connection, request))
            sending.start()
            answers = [json.loads(line) for line in connection.makefile("rb")]
            sending.join()
        return answers

    def ask(self, verb: str, **fields: object) -> dict[str, Any]:
        """Return the last answer to a verb."""
        return self.answers(json.dumps({"do": verb, **fields}).encode() + b"\n")[-1]

    def fails(self, call: str) -> None:
        """Let calls with these words fail from now on; empty for none."""
        (self.stand_ins / "fails").write_text(call)

    def calls(self) -> list[str]:
        file = self.stand_ins / "calls"
        lines = file.read_text().splitlines() if file.exists() else []
        file.unlink(missing_ok=True)
        return lines


def _send(connection: socket.socket, data: bytes) -> None:
    try:
        connection.sendall(data)
        connection.shutdown(socket.SHUT_WR)
    except OSError:  # it has heard enough
        pass


def installed(folder: Path) -> Helper:
    """Return a machine on which two versions are installed, with the installer that is shipped."""
    helper = Helper(folder / "root", folder / "stand-ins")
    for number, name in enumerate(VERSIONS, 1):
        version = helper.home / "versions" / name
        (version / "source/tabletop").mkdir(parents=True)
        (version / "source/tabletop/__init__.py").write_text(f'__version__ = "0.{number}"\n')
        shutil.copytree(ROOT / "systemd", version / "source/systemd")
        (version / "unit").mkdir()
        for unit in (ROOT / "systemd").glob("tabletop*.*"):
            shutil.copy(unit, version / "unit")
        shutil.copy(ROOT / "systemd/tabletop-command", version / "unit/tabletop")
        for mark in ("whole", "ran"):
            (version / mark).touch()
        (version / "bin").mkdir()
        shutil.copy(STAND_IN, version / "bin/python")
    (helper.home / "current").symlink_to(f"versions/{VERSIONS[1]}")
    helper.config.parent.mkdir(parents=True)
    helper.config.write_text("# as before\n")
    (helper.root / "var/log").mkdir(parents=True)
    (helper.root / "proc/self").mkdir(parents=True)
    (helper.root / "proc/self/mounts").touch()
    helper.stand_ins.mkdir()
    for tool in ("systemctl", "systemd-run", "journalctl", "id", "mount", "umount"):
        shutil.copy(STAND_IN, helper.stand_ins / tool)
    return helper


def give_key(helper: Helper) -> None:
    """Make the key `release` the one that the machine trusts; the key `other` is somebody else's."""
    folder = helper.root.parent
    for name in ("release", "other"):
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", folder / name], check=True)
    helper.config.with_name("release.pub").write_bytes((folder / "release.pub").read_bytes())


INSTALLER = """#!/bin/sh
echo "1 of 2: this machine"
echo "2 of 2: start: at most 60 seconds"
{ends}
touch "$DESTDIR/opt/tabletop/ran-as-root"
"""


def archive_of(helper: Helper, ends: str = "", key: str = "release", version: str = "0.3") -> tuple[bytes, str]:
    """Return an archive of this version with this installer, and its signature."""
    folder = helper.root.parent
    packed, number = folder / "a.tar.gz", f'__version__ = "{version}"\n'
    files = {"systemd/install": INSTALLER.format(ends=ends), "tabletop/__init__.py": number}
    with tarfile.open(packed, "w:gz") as tar:
        for name, text in files.items():
            member = tarfile.TarInfo(f"tabletop-9/{name}")
            member.mode, member.size = 0o755, len(text)
            tar.addfile(member, io.BytesIO(text.encode()))
    packed.with_name("a.tar.gz.sig").unlink(missing_ok=True)
    words = ["ssh-keygen", "-q", "-Y", "sign", "-n", "tabletop", "-f", str(folder / key), str(packed)]
    subprocess.run(words, check=True, capture_output=True)
    return packed.read_bytes(), packed.with_name("a.tar.gz.sig").read_text()
