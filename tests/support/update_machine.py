"""A booted Debian 13 with an installed table, to be updated by its helper: as the service's user, over the real socket.

Cutting the power kills the machine: what the kernel had not yet written to a real card is not lost here.
"""

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from booted_machine import debian_root
from card_machine import FOLDER, SUITE, add, asked, in_machine, started, until
from network_machine import MOCK, NETWORKS

UP_UNIT = """[Unit]
After=multi-user.target tabletop.service
[Service]
Type=oneshot
ExecStart=/bin/sh -c 'echo up >>/up'
[Install]
WantedBy=multi-user.target
"""
ASK = """
import json, os, sys
from tabletop.service import admin
verb, fields, archive = sys.argv[1], json.loads(sys.argv[2]), sys.argv[3]
body = None
if archive:
    fields |= {"size": os.path.getsize(archive), "signature": open(archive + ".sig").read()}
    body = open(archive, "rb")
for answer in admin.ask(verb, fields, body):
    print(json.dumps(answer), flush=True)
"""
RADIO_UNIT = """[Service]
ExecStart=
ExecStart=/usr/bin/python3 -m dbusmock -t /srv/network_mock.py
Environment=NETWORKS=/srv/networks
"""
SHOWN = ("ActiveState", "SubState", "StatusText")
STORE = "var/lib/tabletop/tabletop.db"


@contextmanager
def up(machine: Path) -> Iterator["subprocess.Popen[bytes]"]:
    """Boot the machine, and wait until it has started all, the table too; at the end its power is cut."""
    log = machine / "up"
    before = log.stat().st_size if log.exists() else 0
    with started(machine) as process:
        assert until(log, "up", after=before)
        yield process


def installed_machine(folder: Path, card: Path) -> Path:
    """Install the table of this card on a machine of its own, with the key `release` of this folder."""
    machine = folder / "installed"
    subprocess.run(["cp", "-a", "--reflink=auto", debian_root(FOLDER, SUITE), machine], check=True)
    add(machine, "openssh-client")
    shutil.copytree(card / "tabletop", machine / "card")
    (archive,) = (machine / "card").glob("tabletop-*.tar.gz")
    (machine / "source").mkdir()
    subprocess.run(["tar", "-xzf", archive, "-C", machine / "source", "--strip-components=1"], check=True)
    (machine / "etc/tabletop").mkdir()
    shutil.copy(card / "tabletop/tabletop.toml", machine / "etc/tabletop")
    units = machine / "etc/systemd/system"
    (units / "up.service").write_text(UP_UNIT)
    (units / "multi-user.target.wants").mkdir(exist_ok=True)
    (units / "multi-user.target.wants/up.service").symlink_to("/etc/systemd/system/up.service")
    with up(machine) as process:
        said = asked(process, "sh", "-c", "/source/systemd/install --wheels /card/wheels 2>&1")
        assert "The table runs." in said, said
    for path in ("card", "source"):
        shutil.rmtree(machine / path)
    for name in ("release", "other"):
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", folder / name], check=True)
    shutil.copy(folder / "release.pub", machine / "etc/tabletop")
    return machine


def add_networkmanager(machine: Path) -> tuple[str, ...]:
    """Install Debian's; return the command that puts a stand-in with a radio in its place, once it runs."""
    add(machine, "network-manager", "python3-dbusmock")
    (machine / "srv").mkdir(exist_ok=True)
    shutil.copy(MOCK, machine / "srv")
    (machine / "srv/networks").write_text(json.dumps(NETWORKS))
    (machine / "srv/radio.conf").write_text(RADIO_UNIT)
    drop_in = "/run/systemd/system/NetworkManager.service.d"
    script = f"mkdir {drop_in} && cp /srv/radio.conf {drop_in} && systemctl daemon-reload"
    return "sh", "-c", f"{script} && systemctl restart NetworkManager.service"


def make_archive(folder: Path, card: Path, version: str, key: str, kind: str) -> None:
    """Make an archive of what this card has as another version.

    kind: "starts"; "ends", at once; "brings" packages for another lock, or "lacks" them.
    """
    (given,) = (card / "tabletop").glob("tabletop-*.tar.gz")
    source, archive = folder / f"tabletop-{version}", folder / f"tabletop-{version}.tar.gz"
    source.mkdir()
    subprocess.run(["tar", "-xzf", given, "-C", source, "--strip-components=1"], check=True)
    for name, pattern, text in (
        ("tabletop/__init__.py", r'^__version__ = ".*"$', f'__version__ = "{version}"'),
        ("tabletop/cli/play.py", r"^def run\(", "def run(_: object) -> int:\n    raise SystemExit(3)\n\n\ndef _run("),
    ):
        path = source / name
        if path.stem == "__init__" or kind == "ends":
            changed, found = re.subn(pattern, text, path.read_text(), count=1, flags=re.MULTILINE)
            assert found
            path.write_text(changed)
    if kind in ("brings", "lacks"):
        with (source / "requirements.lock").open("a") as lock:
            lock.write("\n")
    if kind == "brings":
        shutil.copytree(card / "tabletop/wheels", source / "wheels")
        shutil.copy(card / "tabletop/for", source / "wheels")
    subprocess.run(["tar", "-czf", archive, "-C", folder, source.name], check=True)
    words = ["ssh-keygen", "-q", "-Y", "sign", "-n", "tabletop", "-f", str(folder / key), str(archive)]
    subprocess.run(words, check=True, capture_output=True)


def put_archive(machine: Path, archive: Path) -> str:
    """Put an archive where the service's user may read it, and return its place there."""
    (machine / "srv").mkdir(exist_ok=True)
    for path in (archive, archive.with_name(f"{archive.name}.sig")):
        shutil.copy(path, machine / "srv")
        (machine / "srv" / path.name).chmod(0o644)
    return f"/srv/{archive.name}"


def words_to_ask(verb: str, fields: dict[str, Any], archive: str = "") -> tuple[str, ...]:
    """Return the command that asks the helper as the table's page does."""
    python = ("/opt/tabletop/current/bin/python", "-P", "-c", ASK)
    return ("runuser", "-u", "tabletop", "--", *python, verb, json.dumps(fields), archive)


def answers(process: "subprocess.Popen[bytes]", verb: str, archive: str = "", **fields: object) -> list[dict[str, Any]]:
    """Return all that the helper answers."""
    return [json.loads(line) for line in asked(process, *words_to_ask(verb, fields, archive)).splitlines()]


@contextmanager
def asking(process: "subprocess.Popen[bytes]", verb: str, archive: str) -> Iterator[Iterator[dict[str, Any]]]:
    """Ask, and return each answer as it comes; the asker is gone at the end."""
    words = in_machine(process, *words_to_ask(verb, {}, archive))
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as asker:
        assert asker.stdout is not None
        yield (json.loads(line) for line in asker.stdout)
        asker.kill()


def running(process: "subprocess.Popen[bytes]") -> dict[str, str]:
    """Return what the service manager knows of the table."""
    return {name: asked(process, "systemctl", "show", "tabletop", "--value", "--property", name) for name in SHOWN}
