"""The network by the root's helper, with the real nmcli: before a NetworkManager made of dbusmock, and the real one."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from admin_machine import installed
from network_machine import CAFE, CONNECTIONS, FAR, HOME, OFFICE, RIGHT, SILENT, WRONG, Networked, running, with_radio

SETTINGS = """[main]
plugins=keyfile
auth-polkit=false
dns=none
rc-manager=unmanaged
[keyfile]
path={root}/{connections}
"""
TRIES = 100  # of some 50 ms
EVERY: dict[str, dict[str, object]] = {
    "networks": {},
    "join": {"ssid": HOME, "password": RIGHT},
    "hotspot": {"on": True},
}


@pytest.fixture
def air(tmp_path: Path) -> Iterator[Networked]:
    """Start a machine with a radio, and some networks."""
    with with_radio(tmp_path) as helper:
        yield helper


def test_without_networkmanager(tmp_path: Path) -> None:
    """Neither a bus nor nmcli: one word says so. What is no request is refused before anything is asked."""
    machine = installed(tmp_path)
    helper = Networked(machine.root, machine.stand_ins)
    for verb, fields in EVERY.items():
        assert helper.ask(verb, **fields)["refused"] == "no-networkmanager"
    for wrong in ({}, {"ssid": 1}, {"ssid": "\0"}, {"ssid": ["x"]}):
        assert helper.ask("join", **wrong)["refused"] == "bad-request"
    for on in (None, 0, 1, "true"):
        assert helper.ask("hotspot", on=on)["refused"] == "bad-request"
    assert helper.ask("join", ssid="ü" * 17, password="")["refused"] == "bad-name"  # 34 bytes (IEEE 802.11: at most 32)


@pytest.mark.slow
def test_networks_in_reach(air: Networked) -> None:
    """Each name once with its strongest signal, the strongest first; without a name none."""
    done = air.done("networks")
    listed = [(one["ssid"], one["strength"], one["secured"]) for one in done["networks"]]
    assert listed == [(HOME, 70, True), (OFFICE, 60, True), (SILENT, 50, True), (CAFE, 30, False), (FAR, 12, True)]
    assert (done["hotspot"], done["last"]) == (False, None)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("ssid", "password", "code"),
    [
        (HOME, WRONG, "wrong-password"),
        (HOME, "short", "bad-password"),
        (HOME, "x" * 64, "bad-password"),  # 64 are a key, in hexadecimal digits
        (HOME, "umlaut ü in it", "bad-password"),
        (HOME, "two\nlines [ipv4]", "bad-password"),
        (FAR, RIGHT, "not-found"),
        ("Nowhere", RIGHT, "not-found"),
        (SILENT, RIGHT, "no-address"),
        (OFFICE, RIGHT, "not-possible"),
    ],
    ids=range(9),  # no password in the environment of other tests
)
def test_the_phone_is_not_lost(air: Networked, ssid: str, password: str, code: str) -> None:
    """A network that does not take the table leaves no file; the hotspot is open again, and the page can read why."""
    air.done("hotspot", on=True)
    answer = air.ask("join", ssid=ssid, password=password)
    assert answer["refused"] == code, answer["about"]
    done = air.done("networks")
    assert (done["hotspot"], done["last"]) == (True, {"ssid": ssid, "refused": code})
    assert HOME in [one["ssid"] for one in done["networks"]]  # as noted before the hotspot opened
    assert len(air.files()) == 1


@pytest.mark.slow
def test_joining_closes_the_hotspot(air: Networked) -> None:
    """The password is in a file of root's alone, and in no command line while nmcli runs (`network_mock`)."""
    opened = air.done("hotspot", on=True)
    assert air.done("join", ssid=HOME, password=RIGHT) == {"ssid": HOME}
    assert air.done("networks")["hotspot"] is False
    assert set(air.files().values()) == {0o600}
    assert air.ask("join", ssid=HOME, password=WRONG)["refused"] == "wrong-password"
    assert air.done("join", ssid=HOME, password=RIGHT) == {"ssid": HOME}  # the right one was kept
    assert air.done("join", ssid=CAFE, password="") == {"ssid": CAFE}
    assert air.done("hotspot", on=True) == opened  # made once


@pytest.mark.slow
def test_the_hotspot_is_closed(air: Networked) -> None:
    """Twice if somebody likes."""
    air.done("hotspot", on=True)
    for _ in range(2):
        assert air.done("hotspot", on=False) == {"on": False}
    assert air.done("networks")["hotspot"] is False


@pytest.mark.slow
def test_each_table_has_its_own_password(air: Networked) -> None:
    """At least eight letters, as WPA wants them, that nobody can mistake or read as hexadecimal."""
    first = air.done("hotspot", on=True)["password"]
    for path in (air.root / CONNECTIONS).iterdir():
        path.write_text("psk=\xff broken")
    air.ask("hotspot", on=False)
    second = air.done("hotspot", on=True)["password"]
    assert first != second
    for password in (first, second):
        assert len(password) >= 8
        assert set(password).isdisjoint("0O1lI" + "abcdef")


@pytest.mark.slow
@pytest.mark.skipif(os.geteuid() != 0, reason="NetworkManager needs root")
def test_the_real_networkmanager_takes_the_files(tmp_path: Path) -> None:
    """With names and passwords that mean something in such a file. Without a radio every verb says so."""
    root = tmp_path / "root"
    (tmp_path / "nm.conf").write_text(SETTINGS.format(root=root, connections=CONNECTIONS))
    command = (
        f"/usr/bin/unshare -n /usr/sbin/NetworkManager --debug --config {tmp_path}/nm.conf --config-dir {tmp_path}/none"
        f" --system-config-dir {tmp_path}/none --intern-config {tmp_path}/intern --state-file {tmp_path}/state"
        f" --pid-file {tmp_path}/pid"
    )
    hard = [
        (HOME, " {another} one"),
        (" #x=[a]\\", "\\\\\\n\\s  x"),
        ("ä" * 16, "~" * 63),
        ("\u2066x", "0123456789abcdef" * 4),
    ]
    with running(tmp_path, command) as helper:
        for _ in range(TRIES):  # it has its name on the bus a moment before it answers
            if (
                subprocess.run(["nmcli", "general"], env=helper.environ(), check=False, capture_output=True).returncode
                == 0
            ):
                break
        for verb, fields in EVERY.items():
            answer = helper.ask(verb, **fields)
            assert answer["refused"] == "no-radio", answer
        for number, (ssid, password) in enumerate(hard):
            uuid = f"00000000-0000-4000-8000-00000000000{number}"
            helper.load(uuid, "network._client(*sys.argv[2:4], 'wpa-psk', sys.argv[4])", ssid, password)
            facts, shown = "802-11-wireless.ssid,802-11-wireless-security.psk", ""
            for _ in range(TRIES):  # nmcli leaves out a password that a busy machine does not give in time
                shown = helper.nmcli("-s", "--escape", "no", "-g", facts, "connection", "show", uuid)
                if shown.strip() != ssid.strip():
                    break
            assert shown == f"{ssid}\n{password}\n"
        helper.load("hotspot", "network._access_point('Pi', 'abcdefgh')")
        told = (
            *("802-11-wireless.mode", "802-11-wireless-security.key-mgmt", "802-11-wireless-security.proto"),
            *("ipv4.method", "connection.autoconnect"),
        )
        shown = helper.nmcli("-g", ",".join(told), "connection", "show", "tabletop-hotspot")
        assert shown.split() == ["ap", "wpa-psk", "rsn", "shared", "no"]
