"""The files of `make card`: a machine that starts with them installs the table, or says what to do."""

import fcntl
import importlib.util
import os
import re
import shutil
import subprocess
import time
from collections.abc import Callable
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from booted_machine import ROOT, why_not
from card_machine import IMAGER, add, asked, make_card, new_machine, root_with_cloud_init, started, through_fat, until
from display_chip import Sh1106

from tabletop.dialogs.setup import WHICH_GAME
from tools import card as built
from tools.release import PYTHON, RefusedError

INSTALL = (ROOT / "systemd" / "install").read_text()
FIRST_START = (built.SOURCE / "first-start").read_text()
DONE = "the table is installed"
STARTED = "installing from /boot/firmware/tabletop"
SAYS = built.sentences("en")
STEPS = [f"{n} of {built.STEPS}" for n in range(1, built.STEPS + 1)]
WITHOUT = "the table runs without: fonts-unifont python3-lgpio python3-picamera2"
# Names that Raspberry Pi OS has on its boot partition or that Imager writes there.
IMAGERS = {"user-data", "meta-data", "network-config", "cmdline.txt", "config.txt", "firstrun.sh", "custom.toml", "ssh"}
WRONG_WIFI = """network:
  version: 2
  wifis:
    wlan0:
      dhcp4: true
      regulatory-domain: "DE"
      access-points:
        "Nobody's":
          password: "not this one"
"""
LOG_LINES = 60  # that a person reads, of an installation that went well
SERVICE = ("systemctl", "show", "tabletop.service", "--value", "--property")


def test_each_sentence_fits_the_display_in_every_language() -> None:
    """The picture has both, one above the other; each step of the installer and each way to stop has its own."""
    texts = {language: built.sentences(language) for language in built.LANGUAGES}
    assert len({tuple(known) for known in texts.values()}) == 1
    for name in SAYS:
        picture = built.draw_sentence(*(known[name] for known in texts.values()))
        assert picture[:32].any()
        assert picture[32:].any()
    assert int(re.findall(r"^STEPS=(\d+)$", INSTALL, re.MULTILINE)[0]) == built.STEPS
    stops = set(re.findall(r"(?<!systemctl )\b(?:stop|broken|show) ([a-z][\w-]*)", FIRST_START))
    assert stops == {"start", "system", "damaged", "full", "failed"}
    assert stops < set(SAYS)
    assert {name for name in SAYS if name.startswith("failed-")} == {"failed-2", "failed-7", "failed-9"}


def test_a_picture_is_drawn_without_the_program(tmp_path: Path) -> None:
    """By what other_python.py writes to the chip, whole on an SH1106."""
    built.draw_sentences(tmp_path / "pictures")
    spec = importlib.util.spec_from_file_location("other_python", ROOT / "systemd" / "other_python.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    chip = Sh1106()
    for message in module.messages((tmp_path / "pictures" / "5-without").read_bytes()):
        chip.write(message)
    texts = [built.sentences(language)["5-without"] for language in built.LANGUAGES]
    assert np.array_equal(chip.glass(), built.draw_sentence(*texts))


def test_the_new_table_is_open_to_phones() -> None:
    """The shipped configuration with the page switched on, pictures for paired devices only, and nothing else."""
    shipped = (ROOT / "systemd" / "tabletop.toml").read_text().splitlines()
    changed = [line for line in built.configuration().splitlines() if line not in shipped]
    assert changed == ['listen = "lan"', 'pictures = "paired"']


def test_only_a_public_key_goes_onto_a_card(tmp_path: Path) -> None:
    """Anyone who finds the card could read the private half."""
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", tmp_path / "maker"], check=True)
    with pytest.raises(RefusedError, match=r"\.pub"):
        built.card(tmp_path / "card", "arm64", None, tmp_path / "maker")
    assert not (tmp_path / "card").exists()


@pytest.fixture(scope="module")
def card(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return what `make card` writes, made once for all tests."""
    if why_not() and "CI" not in os.environ:  # there it can be booted, or the test fails
        pytest.skip(why_not())
    mine = tmp_path_factory.getbasetemp()
    folder = (mine.parent if "PYTEST_XDIST_WORKER" in os.environ else mine) / "card"
    folder.mkdir(exist_ok=True)
    with (folder / "lock").open("w") as lock:  # the tests may be dealt out to several processes
        fcntl.flock(lock, fcntl.LOCK_EX)
        return folder / "card" if (folder / "card").exists() else make_card(folder)


def _log(boot: Path) -> Path:
    return boot / "tabletop.log"


@pytest.mark.slow
def test_a_fat_partition_takes_it(card: Path, tmp_path: Path) -> None:
    """Each name, and each byte: FAT knows no links, and takes two names for one that differ in capitals only."""
    subprocess.run(["diff", "-r", card, through_fat(card, tmp_path)], check=True)
    assert not [path for path in card.rglob("*") if path.is_symlink()]


@pytest.mark.slow
def test_nothing_that_imager_writes_is_replaced(card: Path, tmp_path: Path) -> None:
    """On top lie one file and one folder; the rest, which cloud-init accepts, is for cards without Imager."""
    assert {path.name for path in card.iterdir()} == {"vendor-data", "tabletop", "without-imager"}
    assert not {path.name for path in card.rglob("*")} & {"cmdline.txt", "config.txt"}
    seed = {path.name for path in (card / "without-imager").iterdir()}
    assert seed == {"user-data", "network-config", "meta-data"} < IMAGERS
    subprocess.run(["sha256sum", "--check", "--status", "SHA256SUMS"], cwd=card / "tabletop", check=True)
    locked = re.findall(r"^(\S+)==(\S+)", (ROOT / "requirements.lock").read_text(), re.MULTILINE)
    wheels = {tuple(path.name.split("-")[:2]) for path in (card / "tabletop" / "wheels").iterdir()}
    assert wheels == {(name.replace("-", "_"), version) for name, version in locked}
    root = tmp_path / "root"
    subprocess.run(["cp", "-a", "--reflink=auto", root_with_cloud_init(), root], check=True)
    shutil.copytree(card / "without-imager", root / "seed")
    for name, kind in (("user-data", "cloud-config"), ("network-config", "network-config")):
        words = ["cloud-init", "schema", "--schema-type", kind, "--config-file", f"/seed/{name}"]
        done = subprocess.run(["chroot", root, *words], capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout.strip()) == (0, f"Valid schema /seed/{name}"), done.stderr


@pytest.mark.slow
@pytest.mark.longest
def test_the_first_start_ends_at_a_table_that_is_ready(card: Path, tmp_path: Path) -> None:
    """Without a network, with Imager's files; the power fails in the middle, and the second start begins again."""
    machine = tmp_path / "machine"
    boot = new_machine(machine, card, IMAGER)
    before = {path.name: path.read_bytes() for path in boot.iterdir() if path.is_file()}
    with started(machine):
        assert until(_log(boot), WITHOUT)
        assert until(_log(boot), "Python packages: the first time some minutes")
        assert until(_log(boot), "nothing more", patience_s=8) == ""  # some of them are unpacked by then
    cut = _log(boot).stat().st_size
    with started(machine) as process:
        assert until(_log(boot), DONE, after=cut), _log(boot).read_text()[-3000:]
        assert asked(process, *SERVICE, "ActiveState") == "active"
        assert asked(process, *SERVICE, "StatusText") == WHICH_GAME
        assert asked(process, "hostname") == "tafel"
    assert (machine / "var/lib/imager-ran").exists()
    assert {name: (boot / name).read_bytes() for name in before} == before
    assert len(list((machine / "opt/tabletop/versions").iterdir())) == 1
    assert (machine / "etc/tabletop/tabletop.toml").read_text() == built.configuration()
    assert (machine / "etc/tabletop/release.pub").read_text() == (card / "tabletop/release.pub").read_text()
    log = _log(boot).read_text()
    assert [line for line in log.splitlines() if STARTED in line][2:] == []
    ended = log[cut:]
    assert [step for step in STEPS if f" {step}: " in ended] == STEPS


@pytest.mark.soak
def test_power_may_fail_anywhere(card: Path, tmp_path: Path) -> None:
    """Twenty times in a row on one machine: as each step begins and two seconds later. Then it is left alone.

    A fast machine may be done before the last cuts.
    """
    machine = tmp_path / "machine"
    boot, cuts = new_machine(machine, card, IMAGER), 0
    for step, patience_s in product([STARTED, *(f"{n}: {_title(n)}" for n in STEPS)], (0.0, 2.0)):
        before = _log(boot).stat().st_size if _log(boot).exists() else 0
        if before and DONE in _log(boot).read_text():
            break
        with started(machine):
            assert until(_log(boot), step, after=before), step
            until(_log(boot), "nothing more", patience_s=patience_s)
        cuts += 1
    assert cuts > 2 * (len(STEPS) - 2)
    known, ended = machine / "var/log/cloud-init.log", 0
    for state in ("StatusText", "ActiveState"):  # at the second start nothing is installed
        ended, before = _log(boot).stat().st_size, known.stat().st_size
        with started(machine) as process:
            assert until(_log(boot), DONE)
            assert until(known, "running modules for final", after=before)
            asked(process, "systemctl", "is-system-running", "--wait")
            assert asked(process, *SERVICE, state) == {"StatusText": WHICH_GAME, "ActiveState": "active"}[state]
    assert _log(boot).stat().st_size == ended  # nothing is installed once more


def _title(n: str) -> str:
    titles: list[str] = re.findall(r'^ *step "(.*)"$', INSTALL, re.MULTILINE)
    return titles[STEPS.index(n)].replace("$READY_S", "60")


def _no_display(machine: Path, boot: Path) -> None:
    """Configure another kind than usual; the bus is there, and nothing on it answers."""
    config = boot / "tabletop" / "tabletop.toml"
    config.write_text(config.read_text().replace('"ssd1306"', '"sh1106"'))
    (machine / "etc/tmpfiles.d/bus.conf").write_text("L /dev/i2c-1 - - - - /dev/null\n")


def _wrong_wifi(machine: Path, boot: Path) -> None:
    add(machine, "netplan.io", "network-manager")
    (boot / "network-config").write_text(WRONG_WIFI)


def _same_user(machine: Path, boot: Path) -> None:
    """Call the maker as the service's user is called."""
    assert not (machine / "home/tabletop").exists()
    (boot / "user-data").write_text(IMAGER["user-data"].replace("somebody", "tabletop"))


def _set_clock(machine: Path, years: int) -> None:
    """Give every service a wrong clock, but the table's own: libfaketime stops its threads from waking."""
    add(machine, "libfaketime")
    (library,) = machine.glob("usr/lib/*/faketime/libfaketime.so.1")
    words = f"LD_PRELOAD=/{library.relative_to(machine)} FAKETIME={years:+}y FAKETIME_DONT_FAKE_MONOTONIC=1"
    (machine / "etc/systemd/system.conf.d").mkdir()
    (machine / "etc/systemd/system.conf.d/clock.conf").write_text(f"[Manager]\nDefaultEnvironment={words}\n")
    (machine / "etc/systemd/system/tabletop.service.d").mkdir()
    (machine / "etc/systemd/system/tabletop.service.d/clock.conf").write_text(
        "[Service]\nUnsetEnvironment=LD_PRELOAD\n"
    )


@pytest.mark.longest
@pytest.mark.parametrize(
    ("years", "odd"),
    [
        pytest.param(-20, (_no_display, _wrong_wifi, _same_user), marks=pytest.mark.slow, id="all"),
        *(
            pytest.param(0, (one,), marks=pytest.mark.soak, id=one.__name__)
            for one in (_no_display, _wrong_wifi, _same_user)
        ),
        pytest.param(-20, (), marks=pytest.mark.soak, id="clock"),
    ],
)
def test_odd_starts_end_at_a_table_that_is_ready(
    card: Path, tmp_path: Path, years: int, odd: tuple[Callable[[Path, Path], None], ...]
) -> None:
    """From what a FAT partition makes of the files. The clock is wrong by so many years."""
    machine = tmp_path / "machine"
    boot = new_machine(machine, through_fat(card, tmp_path), IMAGER)
    for make_odd in odd:
        make_odd(machine, boot)
    if years:
        _set_clock(machine, years)
    with started(machine) as process:
        assert until(_log(boot), DONE), _log(boot).read_text()[-3000:]
        assert asked(process, *SERVICE, "ActiveState") == "active"
        assert asked(process, *SERVICE, "StatusText") == WHICH_GAME
        assert asked(process, "systemctl", "is-active", "tabletop-admin.socket") == "active"
    log = _log(boot).read_text()
    assert abs(int(log[:4]) - time.gmtime().tm_year - years) <= 1
    assert log.count("\n") < LOG_LINES
    assert (machine / "home/tabletop").exists() == (_same_user in odd)
    netplan = "".join(path.read_text() for path in machine.glob("etc/netplan/*"))
    assert ("Nobody's" in netplan) == (_wrong_wifi in odd)


def _damaged(boot: Path) -> None:
    wheel = next((boot / "tabletop" / "wheels").glob("opencv*"))
    with wheel.open("r+b") as file:
        file.seek(1000)
        file.write(b"x")


def _half(boot: Path) -> None:
    os.truncate(next((boot / "tabletop").glob("*.tar.gz")), 5000)


def _another_system(boot: Path) -> None:
    (boot / "tabletop" / "for").write_text(f"another {PYTHON}\n")


def _mistake(boot: Path) -> None:
    (boot / "tabletop" / "tabletop.toml").write_text('screen = "ssd1305"\n')


def _no_venv(boot: Path) -> None:
    shutil.rmtree(next((boot.parents[1] / "usr" / "lib").glob("python3.*")) / "ensurepip")


@pytest.mark.soak
@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        (_damaged, "damaged"),
        (_half, "damaged"),
        (_another_system, "system"),
        (_mistake, "failed-7"),
        (_no_venv, "failed-2"),
    ],
)
def test_each_way_to_fail_has_its_sentence(
    card: Path, tmp_path: Path, spoil: Callable[[Path], None], sentence: str
) -> None:
    """The log ends with it; the display shows the picture of that name."""
    machine = tmp_path / "machine"
    boot = new_machine(machine, card, IMAGER)
    spoil(boot)
    with started(machine):
        assert until(_log(boot), SAYS[sentence]), _log(boot).read_text()[-3000:]


@pytest.mark.soak
def test_a_full_card_is_said(card: Path, tmp_path: Path) -> None:
    """Before anything is unpacked."""
    machine = tmp_path / "machine"
    machine.mkdir()
    size_mib = 100 + sum(path.lstat().st_size for path in root_with_cloud_init().rglob("*")) // 2**20
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size_mib + 300}m", "none", machine], check=True)
    try:
        boot = new_machine(machine / "root", card, IMAGER)
        with started(machine / "root"):
            assert until(_log(boot), SAYS["full"]), _log(boot).read_text()[-3000:]
        assert not (machine / "root/opt/tabletop").exists()
    finally:
        subprocess.run(["umount", "--lazy", machine], check=True)


@pytest.mark.soak
def test_without_imager_and_with_a_network_nothing_is_missing(card: Path, tmp_path: Path) -> None:
    """The first start without a network names what is missing; the next with one fetches what this Debian has."""
    machine = tmp_path / "machine"
    written = {path.name: path.read_text() for path in (card / "without-imager").iterdir()}
    boot = new_machine(machine, card, written)
    with started(machine) as process:
        assert until(_log(boot), DONE)
        assert asked(process, "hostname") == "table"
        assert asked(process, "id", "-nu", "maker") == "maker"
    before = _log(boot).stat().st_size
    with started(machine, network=True):
        assert until(_log(boot), DONE, after=before), _log(boot).read_text()[-3000:]
    assert not (machine / "opt/tabletop/without").exists()
    assert (machine / "usr/share/doc/fonts-unifont").exists()
