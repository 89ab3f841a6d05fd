"""A machine with the root's helper, the real nmcli, and a message bus of its own on which NetworkManager is started."""

import json
import os
import shlex
import shutil
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from admin_machine import PROGRAM, ROOT, Helper, installed

MOCK = ROOT / "tests" / "support" / "network_mock.py"
NAME, BUS_NAME = "org.freedesktop.NetworkManager", "org.freedesktop.DBus"
CONNECTIONS = "etc/NetworkManager/system-connections"
BUS = """<busconfig><type>system</type><listen>unix:path={folder}/bus</listen><servicedir>{folder}</servicedir>
<auth>EXTERNAL</auth><policy context="default"><allow send_destination="*" eavesdrop="true"/>
<allow eavesdrop="true"/><allow own="*"/></policy></busconfig>"""
HOME, CAFE, FAR, SILENT, OFFICE = "Zuhause; ü: [5G]", "Cafe", "Far away", "Silent", "Office"
RIGHT, WRONG = r" pass{word} \s; # ", "not this one"
NETWORKS = [
    {"ssid": CAFE, "strength": 30, "keys": "open"},
    {"ssid": HOME, "strength": 20, "password": RIGHT},
    {"ssid": HOME, "strength": 70, "password": RIGHT},
    {"ssid": FAR, "strength": 12, "password": RIGHT, "gone": True},
    {"ssid": SILENT, "strength": 50, "password": RIGHT, "mute": True},
    {"ssid": OFFICE, "strength": 60, "keys": "eap"},
    {"ssid": "", "strength": 99},
]
VERSION = '{"Version": "1.42.4"}'  # nmcli warns of one that is not its own
NEEDED = ("nmcli", "NetworkManager", "dbus-daemon", "dbus-send")


@dataclass(frozen=True, slots=True)
class Networked(Helper):
    """A machine with a message bus of its own."""

    def environ(self) -> dict[str, str]:
        return {**Helper.environ(self), "DBUS_SYSTEM_BUS_ADDRESS": self.bus}

    @property
    def bus(self) -> str:
        return f"unix:path={self.root.parent}/bus"

    def nmcli(self, *words: str) -> str:
        command, environ = ["nmcli", *words], {**self.environ(), "LC_ALL": "C.UTF-8"}
        return subprocess.run(command, env=environ, capture_output=True, text=True, check=True).stdout

    def done(self, verb: str, **fields: object) -> dict[str, Any]:
        answer = self.ask(verb, **fields)
        assert "done" in answer, answer
        return dict(answer["done"])

    def load(self, uuid: str, made: str, *words: str) -> None:
        """Write a connection file and have it read, as the helper does it. made: what makes its text."""
        script = f"import network; network._load(network._path(sys.argv[2]), {made})"
        script = f"import sys; sys.path.insert(0, sys.argv[1]); {script}"
        command = [sys.executable, "-c", script, str(PROGRAM), uuid, *words]
        subprocess.run(command, env=self.environ(), check=True)

    def files(self) -> dict[str, int]:
        """Return the connection files, each with its mode."""
        return {path.name: stat.S_IMODE(path.stat().st_mode) for path in (self.root / CONNECTIONS).iterdir()}


@contextmanager
def running(folder: Path, command: str) -> Iterator[Networked]:
    """Start a bus and, on it, this command as NetworkManager."""
    if "CI" not in os.environ and not all(map(shutil.which, NEEDED)):
        pytest.skip("needs NetworkManager (Debian packages network-manager, python3-dbusmock and dbus)")
    machine = installed(folder)
    helper = Networked(machine.root, machine.stand_ins)
    (helper.root / CONNECTIONS).mkdir(parents=True)
    (folder / "bus.conf").write_text(BUS.format(folder=folder).replace("<type>system</type>", ""))
    (folder / f"{NAME}.service").write_text(f"[D-BUS Service]\nName={NAME}\nExec={command}\n")
    (folder / "networks").write_text(json.dumps(NETWORKS))
    environ = {**helper.environ(), "NETWORKS": f"{folder}/networks"}
    words = ["dbus-daemon", f"--config-file={folder}/bus.conf", "--nofork", "--print-address"]
    start = ["dbus-send", f"--bus={helper.bus}", "--print-reply", f"--dest={BUS_NAME}", "/"]
    start += [f"{BUS_NAME}.StartServiceByName", f"string:{NAME}", "uint32:0"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, env=environ) as bus:
        try:
            assert bus.stdout is not None
            bus.stdout.readline()  # it listens
            subprocess.run(start, check=True, capture_output=True, timeout=60)
            yield helper
        finally:
            bus.terminate()


@contextmanager
def with_radio(folder: Path) -> Iterator[Networked]:
    """Start a machine with a radio, and some networks."""
    with running(folder, f"/usr/bin/python3 -m dbusmock -t {MOCK} -l {folder}/log -p {shlex.quote(VERSION)}") as helper:
        yield helper
