"""Updates in a booted Debian: only what its owner signed, and what starts, stays; a power cut leaves a table that runs.

The helper is asked as the service's user over its real socket. `make soak` cuts the power at 50 points, `make
check-all` at three; each point is a step of the update and a time behind it, by seed.
"""

import os
import random
import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from booted_machine import why_not
from card_machine import asked, make_card, until
from network_machine import CAFE, HOME, RIGHT, WRONG
from played_events import played
from update_machine import (
    STORE,
    add_networkmanager,
    answers,
    asking,
    installed_machine,
    make_archive,
    put_archive,
    running,
    up,
)

from tabletop.rules import Match

pytestmark = pytest.mark.longest
STEPS = [("receive", 5), *(("install", n) for n in range(1, 10))]
LONGEST_S = 2.5  # of a step here, but for the packages of the system
READY_S = 8.0  # of the last one, and some time behind it
LATE = 5  # times as often in the last two steps, where versions are switched
CUTS = [pytest.param(3, marks=pytest.mark.slow), pytest.param(50, marks=pytest.mark.soak)]
SEED = 53
SOON_S = 5  # until a trial of settings that nobody keeps is over, in place of a minute and a half
UNTIL_OVER = "while [ -e /opt/tabletop/trial ]; do sleep 0.2; done"
FIRST_PACKAGE = re.compile(r"[a-z].*==\d")  # of the lock, as pip names it
# Of the archives: which key signed them, and what they hold.
VERSIONS = (
    ("9.9.1", "release", "starts"),
    ("9.9.2", "release", "starts"),
    ("9.9.3", "release", "ends"),
    ("9.9.4", "other", "starts"),
    ("9.9.5", "release", "lacks"),
    ("9.9.6", "release", "brings"),
    ("9.9.9", "release", "starts"),
    ("0.0.1", "release", "starts"),
)
CUT_OFF = "9.9.8"  # and a number


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return where a machine with a table is, and archives of other versions."""
    if why_not() and "CI" not in os.environ:  # there it can be booted, or the test fails
        pytest.skip(why_not())
    made = tmp_path_factory.mktemp("update")
    (made / "card").mkdir()
    card = make_card(made / "card")
    machine = installed_machine(made, card)
    own = (machine / STORE).stat()
    for path in (machine / STORE).parent.glob("tabletop.db*"):
        path.unlink()
    played(machine / STORE, Match("pig", ("Ann", "Ben")), SEED)
    os.chown(machine / STORE, own.st_uid, own.st_gid)
    config = machine / "etc/tabletop/tabletop.toml"
    config.write_text(f"# mine\n{config.read_text()}")
    for version, key, kind in VERSIONS:
        make_archive(made, card, version, key, kind)
    return made


@pytest.fixture
def machine(folder: Path) -> Iterator[Path]:
    machine = folder / "machine"
    subprocess.run(["cp", "-a", "--reflink=auto", folder / "installed", machine], check=True)
    yield machine
    shutil.rmtree(machine)


def places(machine: Path, folder: Path) -> dict[str, str]:
    return {name: put_archive(machine, folder / f"tabletop-{name}.tar.gz") for name, _, _ in VERSIONS}


def kept(machine: Path) -> tuple[set[object], str]:
    """Return all events of all matches, and the configuration."""
    with closing(sqlite3.connect(machine / STORE)) as store:
        assert store.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        events = store.execute("SELECT match, n, body FROM event").fetchall()
    return set(events), (machine / "etc/tabletop/tabletop.toml").read_text()


def marks(machine: Path, *, cut: bool = False) -> list[str]:
    """Return the versions that are whole, and what else lies in the program's folder.

    cut: an archive may still lie there; the next update takes it away.
    """
    home, known = machine / "opt/tabletop", {"versions", "current", "admin.lock", "last.json", "without"}
    rest = {path.name for path in home.iterdir()} - known - ({"incoming", "received"} if cut else set())
    return [*("whole" for _ in home.glob("versions/*/whole")), *sorted(rest)]


def version(process: "subprocess.Popen[bytes]") -> str:
    return str(answers(process, "state")[-1]["done"]["versions"]["current"])


def runs(process: "subprocess.Popen[bytes]") -> bool:
    shown = running(process)
    return (shown["ActiveState"], shown["SubState"]) == ("active", "running") and "Ann, Ben" in shown["StatusText"]


@pytest.mark.slow
def test_only_what_is_signed_and_starts_stays(machine: Path, folder: Path) -> None:
    """A forged archive, an old one, a version that ends at once, one that works; and the one before by hand.

    There is no network: of two versions with another lock only the one that brings its packages is installed.
    """
    archives = places(machine, folder)
    with up(machine) as process:
        own = version(process)
        assert runs(process)
        for name, code in (("9.9.4", "forged"), ("0.0.1", "older"), ("9.9.3", "not-ready"), ("9.9.5", "lacks")):
            refused = answers(process, "update", archives[name])[-1]
            assert refused["refused"] == code
            assert code != "lacks" or FIRST_PACKAGE.match(refused["about"])
            assert (version(process), runs(process)) == (own, True)
            assert marks(machine) == ["whole"]
        assert answers(process, "update", archives["9.9.1"])[-1]["done"]["current"] == "9.9.1"
        assert (version(process), runs(process)) == ("9.9.1", True)
        assert marks(machine) == ["whole"] * 2
        assert answers(process, "previous")[-1]["done"] == {
            "current": own, "previous": "9.9.1", "key": True, "release": False
        }  # fmt: skip
        assert (version(process), runs(process)) == (own, True)
        assert answers(process, "update", archives["9.9.6"])[-1]["done"]["current"] == "9.9.6"
        assert (version(process), runs(process)) == ("9.9.6", True)


@pytest.mark.slow
def test_new_settings_stay_only_if_the_table_starts_and_they_are_kept(machine: Path) -> None:
    """What keeps the table from starting comes back, and so does what nobody keeps, or what the power cut ends.

    What is kept is there after the next boot. In all other cases the file is the old one, byte by byte.
    """
    config, drop_in = machine / "etc/tabletop/tabletop.toml", "etc/systemd/system/tabletop-trial.timer.d/soon.conf"
    (machine / drop_in).parent.mkdir()
    (machine / drop_in).write_text(f"[Timer]\nOnActiveSec=\nOnActiveSec={SOON_S}\n")
    before = config.read_bytes()

    def stands(process: "subprocess.Popen[bytes]", text: bytes) -> bool:
        asked(process, "systemctl", "start", "tabletop.service")  # once a restart that is under way has ended
        return config.read_bytes() == text and runs(process)

    with up(machine) as process:
        assert answers(process, "settings", values={"language": "xx"})[-1]["refused"] == "not-ready"
        assert stands(process, before)
        assert "keep_s" in answers(process, "settings", values={"language": "de", "name": "Attic"})[-1]["done"]
        assert b'\nlanguage = "de"\n' in config.read_bytes()
        asked(process, "timeout", "60", "sh", "-c", UNTIL_OVER)
        assert stands(process, before)
        assert "keep_s" in answers(process, "settings", values={"name": "Attic"})[-1]["done"]
    with up(machine) as process:  # the power was cut meanwhile
        assert stands(process, before)
        assert "keep_s" in answers(process, "settings", values={"name": "Attic", "throw_pictures": False})[-1]["done"]
        assert answers(process, "keep")[-1] == {"done": {}}
        chosen = config.read_bytes()
    with up(machine) as process:
        assert stands(process, chosen)
        assert answers(process, "state")[-1]["done"]["trial"] is None
    assert chosen != before
    assert all(line in chosen.splitlines() for line in before.splitlines())


@pytest.mark.slow
def test_the_helper_reaches_networkmanager_from_its_sandbox(machine: Path) -> None:
    """Debian 13's own, over the system's bus: without a radio each verb says so; with a stand-in's, all work.

    The stand-in takes no password that is in a command line. JSON writes those with a backslash in another way.
    """
    use_radio = add_networkmanager(machine)
    with up(machine) as process:
        for verb, fields in (("networks", {}), ("join", {"ssid": HOME, "password": RIGHT}), ("hotspot", {"on": True})):
            assert answers(process, verb, **fields)[-1]["refused"] == "no-radio"
        assert answers(process, "hotspot", on=False)[-1] == {"done": {"on": False}}
        asked(process, *use_radio)
        opened = answers(process, "hotspot", on=True)[-1]["done"]
        assert answers(process, "join", ssid=HOME, password=WRONG.replace(" ", "\\"))[-1]["refused"] == "wrong-password"
        assert answers(process, "hotspot", on=True)[-1]["done"] == opened
        assert answers(process, "join", ssid=HOME, password=RIGHT)[-1] == {"done": {"ssid": HOME}}
        found = answers(process, "networks")[-1]["done"]
        assert (found["hotspot"], found["last"]) == (False, {"ssid": HOME, "refused": None})
        assert {HOME, CAFE} < {one["ssid"] for one in found["networks"]}
        assert runs(process)


@pytest.mark.parametrize("count", CUTS)
def test_power_may_fail_at_any_point_of_an_update(machine: Path, folder: Path, count: int) -> None:
    """The table runs after it, with all matches; the next update works.

    A version that starts is the new one or not yet; one that ends at once, or that another key signed, never is.
    """
    chance = random.Random(SEED)
    with up(machine) as process:
        before = version(process)
    events, config = kept(machine)
    assert events
    for number in range(count):
        key, kind = (("release", "starts"), ("release", "ends"), ("other", "starts"))[number % 3]
        step = chance.choice(STEPS + STEPS[-2:] * (LATE - 1)) if key == "release" else STEPS[0]
        longest_s = READY_S if step == STEPS[-1] else LONGEST_S
        patience_s, wanted = chance.uniform(0.0, longest_s), f"{CUT_OFF}.{number}"
        point = f"cut {number}: {step} and {patience_s:.2f} s, from {before} to {wanted}: {key}, {kind}"
        make_archive(folder, folder / "card/card", wanted, key, kind)
        archive = put_archive(machine, folder / f"tabletop-{wanted}.tar.gz")
        with up(machine) as process, asking(process, "update", archive) as told:
            assert any((line.get("step"), line.get("n")) == step for line in told), point
            until(machine / "up", "nothing more", patience_s=patience_s)
        with up(machine) as process:
            found = version(process)
            assert found == before or (found, key, kind) == (wanted, "release", "starts"), point
            assert runs(process), point
            assert marks(machine, cut=True) in (["whole"], ["whole"] * 2), point
            before = found
        now = kept(machine)
        assert now[0] >= events, point
        assert now[1] == config, point
        sys.stdout.write(f"{point}: {found}\n")
    last = put_archive(machine, folder / "tabletop-9.9.9.tar.gz")
    with up(machine) as process:
        assert answers(process, "update", last)[-1]["done"]["current"] == "9.9.9"
        assert runs(process)
        assert marks(machine) == ["whole"] * 2
