"""The installer in a root of its own, with stand-ins for apt, systemd, groups and pip: what each end leaves."""

import fcntl
import os
import re
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
STAND_IN = ROOT / "tests" / "support" / "stand_in.sh"
TOOLS = (
    *("apt-get", "apt-cache", "dpkg", "dpkg-query", "getent", "groupadd", "useradd", "id", "df", "udevadm", "modprobe"),
    *("systemctl", "journalctl", "python3"),
)
ADMIN = ("tabletop-admin.socket", "tabletop-admin@.service", "tabletop-trial.service", "tabletop-trial.timer")
FORGED, NOT_READY, OLDER, SAME = 3, 4, 5, 6
KEPT_KEY = "etc/tabletop/release.pub"
I2C = "dtparam=i2c_arm=on,i2c_arm_baudrate=400000"
BOOKWORM = 'PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\nID=debian\nVERSION_ID="12"\n'


@dataclass(frozen=True, slots=True)
class Machine:
    """A machine to install on. root: what is / there. stand_ins: what the stand-ins know and wrote down."""

    root: Path
    stand_ins: Path

    def install(self, *words: str, answer: str = "", uid: int = 0) -> "subprocess.CompletedProcess[str]":
        command: list[str | Path] = [self.stand_ins.with_name("archive") / "systemd" / "install", *words]
        environ = self.environ(uid)
        return subprocess.run(command, input=answer, capture_output=True, text=True, check=False, env=environ)

    def environ(self, uid: int = 0) -> dict[str, str]:
        return {
            "PATH": f"{self.stand_ins}:{os.environ['PATH']}",
            "DESTDIR": str(self.root),
            "STAND_INS": str(self.stand_ins),
            "STAND_IN_UID": str(uid),
            "REAL_PYTHON": sys.executable,
            "PYTHONPATH": str(ROOT),
        }

    def fails(self, call: str) -> None:
        """Let calls with these words fail from now on; empty for none."""
        (self.stand_ins / "fails").write_text(call)

    def calls(self) -> list[str]:
        file = self.stand_ins / "calls"
        lines = file.read_text().splitlines() if file.exists() else []
        file.unlink(missing_ok=True)
        return lines

    def files(self) -> dict[str, bytes | str]:
        found: dict[str, bytes | str] = {}
        for path in sorted(self.root.rglob("*")):
            name = str(path.relative_to(self.root))
            if path.is_symlink():
                found[name] = str(path.readlink())
            elif path.is_file() and not name.startswith("var/log/"):
                found[name] = path.read_bytes()
        return found

    @property
    def current(self) -> Path:
        return (self.root / "opt/tabletop/current").resolve(strict=True)


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    """Return a Raspberry Pi with Debian 12 on which nothing has been installed."""
    root, stand_ins = tmp_path / "root", tmp_path / "stand-ins"
    for folder in ("etc", "run/systemd/system", "boot/firmware"):
        (root / folder).mkdir(parents=True)
    (root / "etc/os-release").write_text(BOOKWORM)
    (root / "boot/firmware/config.txt").write_text("#dtparam=i2c_arm=on\narm_boost=1\n[cm4]\notg_mode=1\n")
    archive = tmp_path / "archive"  # a program that is quickly copied, with the installer that is shipped
    for folder in ("docs", "tabletop", "hardware", "calibration"):
        (archive / folder).mkdir(parents=True)
    shutil.copytree(ROOT / "systemd", archive / "systemd")
    for file in ("pyproject.toml", "requirements.lock", "README.md", "LICENSE", "NOTICE"):
        shutil.copy(ROOT / file, archive / file)
    stand_ins.mkdir()
    for tool in TOOLS:
        shutil.copy(STAND_IN, stand_ins / tool)
        (stand_ins / tool).chmod(0o755)  # or the machine's own would be called
    for name, text in {
        "architecture": "arm64",
        "installed": "python3\n",
        "known": "python3-lgpio\npython3-picamera2\n",
        "groups": "video\n",
        "free": "9000",
    }.items():
        (stand_ins / name).write_text(text)
    return Machine(root, stand_ins)


def test_one_command_installs_everything(machine: Machine) -> None:
    """Nine steps, each said; then unit, drop-in, command, rule, configuration, bus and the version itself are there."""
    done = machine.install()
    assert (done.returncode, done.stderr) == (0, "")
    assert [line[:6] for line in done.stdout.splitlines() if " of 9: " in line] == [f"{n} of 9" for n in range(1, 10)]
    assert "sudo reboot" in done.stdout
    files = machine.files()
    for installed, shipped in {
        "etc/systemd/system/tabletop.service": "tabletop.service",
        "etc/systemd/system/tabletop.service.d/picamera2.conf": "picamera2.conf",
        "etc/tabletop/tabletop.toml": "tabletop.toml",
        "usr/local/bin/tabletop": "tabletop-command",
        "etc/udev/rules.d/60-tabletop.rules": "60-tabletop.rules",
        **{f"etc/systemd/system/{unit}": unit for unit in ADMIN},
    }.items():
        assert files[installed] == (ROOT / "systemd" / shipped).read_bytes()
    assert (
        files["boot/firmware/config.txt"]
        == f"#dtparam=i2c_arm=on\narm_boost=1\n[cm4]\notg_mode=1\n\n[all]\n{I2C}\n".encode()
    )
    assert os.access(machine.root / "usr/local/bin/tabletop", os.X_OK)
    assert (machine.root / "opt/tabletop/current/bin/python").exists()  # what the unit starts
    calls = machine.calls()
    assert "groupadd --system gpio" in calls
    assert "groupadd --system video" not in calls
    assert [call.split()[-2:] for call in calls if call.startswith("useradd")] == [["video,gpio,i2c", "tabletop"]]
    assert (machine.root / "etc/tabletop/games").is_dir()
    assert next(call for call in calls if call.startswith("apt-get install")).endswith(
        " python3-venv fonts-unifont python3-lgpio python3-picamera2"
    )
    assert [call for call in calls if call.startswith("systemctl")] == [
        "systemctl daemon-reload",
        "systemctl enable tabletop.service tabletop-admin.socket tabletop-trial.service",
        "systemctl restart tabletop.service",
        "systemctl is-active --quiet tabletop.service",
        "systemctl start tabletop-admin.socket",
    ]


def test_sound_is_opened_only_for_a_table_that_speaks(machine: Machine) -> None:
    """The drop-in needs a group audio and the section [voice], and goes with it; the card's module is loaded early."""
    sound = machine.root / "etc/systemd/system/tabletop.service.d/sound.conf"
    modules = machine.root / "etc/modules-load.d/tabletop.conf"
    configuration = machine.root / "etc/tabletop/tabletop.toml"
    configuration.parent.mkdir()
    for groups, section, there in (
        ("video\n", "[voice]\n", False),
        ("video\naudio\n", "# [voice]\n", False),
        ("video\naudio\n", "[voice]\nvolume = 3\n", True),
        ("video\naudio\n", "", False),
    ):
        (machine.stand_ins / "groups").write_text(groups)
        configuration.write_text(section)
        assert machine.install().returncode == 0
        assert sound.exists() == there
        assert ("snd" in modules.read_text().split()) == there
    assert "groupadd --system audio" not in machine.calls()


def test_what_is_pinned_is_what_is_asked_of_pip(machine: Machine) -> None:
    """With hashes, what runs the table and no tool of its makers; on Debian 12 the NumPy of its picamera2."""
    assert machine.install().returncode == 0
    old = (machine.current / "requirements.txt").read_text()
    constraints = (ROOT / "systemd" / "constraints-bookworm.txt").read_text().splitlines()
    assert [line.split()[0] for line in constraints if "==" in line] == [
        *("numpy==1.26.4", "opencv-python-headless==4.11.0.86")
    ]
    assert set(constraints) <= set(old.splitlines())
    assert sum("--hash=sha256:" in line for line in constraints) == 4  # of both architectures
    assert "pytest==" not in old
    (machine.root / "etc/os-release").write_text(BOOKWORM.replace("12", "13"))
    assert machine.install().returncode == 0
    new = (machine.current / "requirements.txt").read_text()
    lock = (ROOT / "requirements.lock").read_text()
    names = re.findall(r"^(\S+)==", lock, re.MULTILINE)
    assert sorted(line.split("==")[0] for line in new.splitlines() if "==" in line) == sorted(names)
    assert all(line in lock.splitlines() for line in new.splitlines())
    calls = " ".join(machine.calls())
    assert calls.count("--require-hashes --only-binary :all:") == 2
    assert calls.count("--no-deps --no-build-isolation") == 2


def test_with_wheels_no_package_index_is_asked(machine: Machine) -> None:
    """Nor is a network needed: what only apt has is named and written down, and comes with the next run that can."""
    wheels = machine.root / "wheels"
    for call in ("apt-get update", "apt-get install"):
        machine.fails(call)
        done = machine.install("--wheels", str(wheels))
        assert (done.returncode, done.stderr) == (0, "")
        assert "the table runs without: python3-venv fonts-unifont python3-lgpio python3-picamera2\n" in done.stdout
        assert (machine.root / "opt/tabletop/without").read_text().split() == [
            *("python3-venv", "fonts-unifont", "python3-lgpio", "python3-picamera2")
        ]
    asked = next(call for call in machine.calls() if "--require-hashes" in call)
    assert f"--no-index --find-links {wheels}" in asked
    machine.fails("")
    assert machine.install("--wheels", str(wheels)).returncode == 0
    assert not (machine.root / "opt/tabletop/without").exists()


def test_an_update_does_without_what_the_version_before_did_without(machine: Machine) -> None:
    """A table that was installed from a card and has no network can be updated from a stick."""
    machine.fails("apt-get update")
    assert machine.install("--wheels", "/wheels").returncode == 0
    done = machine.install()
    assert (done.returncode, done.stderr) == (0, "")
    assert "the table runs without: python3-venv fonts-unifont python3-lgpio python3-picamera2\n" in done.stdout


def test_without_network_and_venv_it_fails_even_with_wheels(machine: Machine) -> None:
    """It says so before anything is installed."""
    for call in ("apt-get update\npython3 -c", "apt-get install\npython3 -c"):
        machine.fails(call)
        done = machine.install("--wheels", "/wheels")
        assert done.returncode == 1
        assert done.stderr.startswith("install: apt-get ")
        assert not (machine.root / "opt/tabletop/versions").exists()


def test_the_former_distribution_is_removed_before_the_new_one_is_installed(machine: Machine) -> None:
    """The packages copied from the version before may include it."""
    assert machine.install().returncode == 0
    calls = machine.calls()
    (removes,) = [n for n, call in enumerate(calls) if call.endswith("/systemd/former_name.py")]
    (installs,) = [n for n, call in enumerate(calls) if "--no-build-isolation" in call]
    packages = next(n for n, call in enumerate(calls) if "--require-hashes" in call)
    assert packages < removes < installs


def test_repeated_it_keeps_what_people_wrote(machine: Machine) -> None:
    """The configuration stays, the bus is set once, nothing is asked for again that is there; two versions are kept."""
    for n in range(3):
        assert machine.install().returncode == 0
        if n == 0:
            machine.calls()
            (machine.root / "etc/tabletop/tabletop.toml").write_text('screen = "none"\n')
    files, calls = machine.files(), machine.calls()
    assert files["etc/tabletop/tabletop.toml"] == b'screen = "none"\n'
    assert str(files["boot/firmware/config.txt"]).count(I2C) == 1
    assert not [call for call in calls if call.startswith(("apt-get", "groupadd", "useradd"))]
    assert len(list((machine.root / "opt/tabletop/versions").iterdir())) == 2


@pytest.mark.parametrize(
    "call",
    [
        *("apt-get install", "--require-hashes", "systemctl restart"),
        *(
            pytest.param(call, marks=pytest.mark.slow)
            for call in (
                "apt-get update",
                "groupadd",
                "python3 -m venv",
                "former_name",
                "--no-deps",
                "tabletop games",
                "is-active",
            )
        ),
        pytest.param("systemctl enable", marks=pytest.mark.slow),
    ],
)
def test_the_first_problem_ends_it_and_leaves_no_half(machine: Machine, call: str) -> None:
    """One line says what and one what to do; no version, unit or command is there that was not there before."""
    before = machine.files()
    machine.fails(call)
    done = machine.install()
    assert done.returncode == (NOT_READY if call in {"systemctl restart", "is-active"} else 1)
    assert "what to do: " in done.stderr
    assert done.stderr.startswith(("install: ", "   the journal's last line\ninstall: "))
    kept = ("boot/", "etc/passwd", "etc/udev", "etc/modules-load.d", "etc/tabletop")
    after = {name: text for name, text in machine.files().items() if not name.startswith(kept)}
    assert after == {name: text for name, text in before.items() if not name.startswith(kept)}
    machine.fails("")
    assert machine.install().returncode == 0


@pytest.mark.parametrize("call", ["--require-hashes", "systemctl enable", "systemctl restart"])
def test_an_update_that_fails_goes_back(machine: Machine, call: str) -> None:
    """The version that ran before runs again, with its own unit and command; everything is as it was."""
    assert machine.install().returncode == 0
    (machine.current / "unit/tabletop.service").write_text("# an older one\n")
    (machine.root / "etc/systemd/system/tabletop.service").write_text("# an older one\n")
    before = machine.files()
    machine.calls()
    machine.fails(call)
    done = machine.install()
    assert done.returncode == (NOT_READY if call == "systemctl restart" else 1)
    assert machine.files() == before
    restarts = [line for line in machine.calls() if line == "systemctl restart tabletop.service"]
    assert len(restarts) == {"--require-hashes": 0, "systemctl enable": 1, "systemctl restart": 2}[call]


def test_a_mistake_in_the_configuration_is_told_before_anything_is_switched(machine: Machine) -> None:
    """With its line and what belongs there; the version before goes on running."""
    assert machine.install().returncode == 0
    before = machine.current
    (machine.stand_ins / "checks").touch()
    (machine.root / "etc/tabletop/tabletop.toml").write_text('\nscreen = "ssd1305"\n')
    done = machine.install()
    assert done.returncode == 1
    assert "line 2: expected screen to be one of" in done.stderr
    assert machine.current == before


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("stand-ins/architecture", "armhf", "expected a 64-bit system, got armhf: write Raspberry Pi OS (64-bit)"),
        ("stand-ins/free", "120", "expected 700 MiB free on the card, got 120"),
        ("root/etc/os-release", BOOKWORM.replace("12", "11"), "expected Debian or Raspberry Pi OS 12 or newer"),
        ("root/etc/os-release", BOOKWORM.replace("debian", "arch"), "expected Debian or Raspberry Pi OS 12 or newer"),
    ],
)
def test_other_machines_are_refused(machine: Machine, tmp_path: Path, name: str, text: str, told: str) -> None:
    """Before anything is done, by name; a 32-bit system in one line."""
    (tmp_path / name).write_text(text)
    before = machine.files()
    done = machine.install()
    assert done.returncode == 1
    assert told in done.stderr
    assert done.stderr.count("\n") == (1 if "64-bit" in told else 2)
    assert machine.files() == before


def test_only_root_installs_and_anybody_looks(machine: Machine) -> None:
    """Without root one line says how; a dry run says each step, and does nothing."""
    before = machine.files()
    refused = machine.install(uid=1000)
    assert refused.returncode == 1
    assert "expected to run as root, got user pi" in refused.stderr
    machine.calls()
    done = machine.install("--dry-run", uid=1000)
    assert (done.returncode, done.stderr) == (0, "")
    assert "would run: apt-get install" in done.stdout
    assert f"would set in {machine.root}/boot/firmware/config.txt: {I2C}" in done.stdout
    assert done.stdout.endswith("Nothing was done.\n")
    changing = ("apt-get", "groupadd", "useradd", "systemctl", "python3", "udevadm", "modprobe")
    assert not [call for call in machine.calls() if call.startswith(changing)]
    assert machine.files() == before


def test_a_container_is_refused_and_may_be_looked_at(machine: Machine) -> None:
    """Where systemd does not run there can be no service; a dry run says so, and says each step all the same."""
    (machine.root / "run/systemd/system").rmdir()
    before = machine.files()
    refused = machine.install()
    assert (refused.returncode, machine.files()) == (1, before)
    assert "expected a machine that systemd has started, got another one" in refused.stderr
    done = machine.install("--dry-run")
    assert (done.returncode, done.stderr, machine.files()) == (0, "", before)
    assert "not started by systemd: without --dry-run this would be the end\n" in done.stdout
    assert "9 of 9" in done.stdout


@pytest.mark.parametrize(("answer", "kept"), [("yes\n", False), ("y\n", True), ("", True), ("\n", True)])
def test_taking_it_away_asks_for_the_matches(machine: Machine, answer: str, kept: bool) -> None:
    """The program goes; matches and configuration go only where somebody says so in a whole word."""
    assert machine.install().returncode == 0
    state = machine.root / "var/lib/tabletop"
    state.mkdir(parents=True)
    (state / "tabletop.db").write_text("matches")
    done = machine.install("--uninstall", answer=answer)
    assert (done.returncode, done.stderr) == (0, "")
    files = machine.files()
    assert not [name for name in files if name.startswith(("opt/", "usr/", "etc/systemd", "etc/udev"))]
    assert ("var/lib/tabletop/tabletop.db" in files) == kept
    assert ("etc/tabletop/tabletop.toml" in files) == kept
    assert "systemctl disable --now tabletop.service tabletop-admin.socket tabletop-trial.service" in machine.calls()


def test_what_is_not_known_is_refused(machine: Machine) -> None:
    """Another word is no reason to begin; --help says what there is."""
    assert machine.install("--unistall").returncode == 1
    assert "--uninstall" in machine.install("--help").stdout
    assert machine.calls() == []


@dataclass(frozen=True, slots=True)
class Signed:
    """An archive and its signature in a folder with the keys `release` and `other`."""

    folder: Path
    archive: Path

    @property
    def signature(self) -> Path:
        return self.archive.with_name(f"{self.archive.name}.sig")

    def pack(self, program: Path, version: str) -> None:
        """Make this program an archive of this version, signed with the key `release`."""
        (program / "tabletop/__init__.py").write_text(f'__version__ = "{version}"\n')
        with tarfile.open(self.archive, "w:gz") as tar:
            tar.add(program, "tabletop-9.9.9")
        self.sign("release")

    def sign(self, key: str, namespace: str = "tabletop") -> None:
        self.signature.unlink(missing_ok=True)
        words = ("-q", "-Y", "sign", "-n", namespace, "-f", self.folder / key, self.archive)
        subprocess.run(["ssh-keygen", *words], check=True, capture_output=True)


@pytest.fixture
def signed(machine: Machine, tmp_path: Path) -> Signed:
    program = machine.stand_ins.with_name("archive")
    for name in ("release", "other"):
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", tmp_path / name], check=True)
    signed = Signed(tmp_path, tmp_path / "tabletop-9.9.9.tar.gz")
    signed.pack(program, "0.3")
    return signed


def test_a_signed_archive_is_installed_and_its_key_is_kept(machine: Machine, signed: Signed) -> None:
    """Checked by the installer of now, installed by its own; later the kept key does, and nothing goes without it."""
    done = machine.install("--archive", str(signed.archive), "--key", str(signed.folder / "release.pub"))
    assert (done.returncode, done.stderr) == (0, "")
    assert "9 of 9" in done.stdout
    files = machine.files()
    assert files[KEPT_KEY] == (signed.folder / "release.pub").read_bytes()
    assert not [name for name in files if name.startswith("opt/tabletop/incoming")]
    first = machine.current
    signed.pack(machine.stand_ins.with_name("archive"), "0.4")
    assert machine.install("--archive", str(signed.archive)).returncode == 0
    second = machine.current
    assert second != first
    unsigned = machine.install()  # from where it was unpacked
    assert (unsigned.returncode, machine.current) == (1, second)
    assert KEPT_KEY in unsigned.stderr
    repair = second / "source/systemd/install"  # after an upgrade to another Python
    subprocess.run([repair], env=machine.environ(), capture_output=True, check=True)


@pytest.mark.parametrize(
    ("runs", "version", "status"),
    [("0.9", "0.9", SAME), ("0.9", "0.9rc1", OLDER), ("0.9rc1", "0.9", 0), ("0.9", "0.10", 0), ("0.9", "0.8.9", OLDER)],
)
def test_only_a_newer_version_is_an_update(
    machine: Machine, signed: Signed, runs: str, version: str, status: int
) -> None:
    """In the order of PEP 440; what is refused changes nothing."""
    program = machine.stand_ins.with_name("archive")
    signed.pack(program, runs)
    words = ("--archive", str(signed.archive), "--key", str(signed.folder / "release.pub"))
    assert machine.install(*words).returncode == 0
    before = machine.files()
    signed.pack(program, version)
    assert machine.install(*words).returncode == status
    assert (machine.files() == before) == (status != 0)


def test_an_archive_does_not_change_between_check_and_use(machine: Machine, signed: Signed) -> None:
    """While one is being installed, another one is refused before it can take its place."""
    home = machine.root / "opt/tabletop"
    (home / "incoming").mkdir(parents=True)
    (home / "incoming/archive").write_text("checked")
    lock = os.open(home, os.O_RDONLY)
    fcntl.flock(lock, fcntl.LOCK_EX)
    words = ("--archive", str(signed.archive), "--key", str(signed.folder / "release.pub"))
    assert machine.install(*words).returncode == 1
    assert (home / "incoming/archive").read_text() == "checked"
    os.close(lock)
    assert machine.install(*words).returncode == 0


def test_settings_on_trial_stay_with_an_installation(machine: Machine) -> None:
    """It has started with them. The old ones must not come back at the end of another trial."""
    old = machine.root / "etc/tabletop/tabletop.toml.trial"
    assert machine.install().returncode == 0
    old.write_text("# old\n")
    assert machine.install().returncode == 0
    assert not old.exists()


@pytest.mark.parametrize(
    "harm",
    [
        lambda signed: signed.archive.write_bytes(signed.archive.read_bytes() + b"\0"),
        lambda signed: signed.signature.unlink(),
        lambda signed: signed.signature.write_text("a signature\n"),
        lambda signed: signed.sign("other"),
        lambda signed: signed.sign("release", "file"),
    ],
    ids=["tampered", "unsigned", "garbled", "another key", "signed as something else"],
)
@pytest.mark.parametrize("update", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_an_archive_that_its_key_did_not_sign_is_refused(
    machine: Machine, signed: Signed, harm: Callable[[Signed], object], update: bool
) -> None:
    """Before anything of it is unpacked: one line says what and one what to do, and everything is as it was."""
    words = ["--archive", str(signed.archive), "--key", str(signed.folder / "release.pub")]
    if update:
        assert machine.install(*words).returncode == 0
        words = words[:2]
    before = machine.files()
    machine.calls()
    harm(signed)
    done = machine.install(*words)
    assert (done.returncode, done.stdout) == (FORGED if signed.signature.exists() else 1, "")
    assert done.stderr.count("\n") == 2
    assert signed.archive.name in done.stderr
    assert "what to do: " in done.stderr
    assert machine.files() == before
    assert not [call for call in machine.calls() if not call.startswith("id ")]


@pytest.mark.parametrize(
    "words", [["--key", "{0}"], ["--archive", "{1}"], ["--archive", "{1}", "--key", "{1}"], ["--archive"]]
)
def test_a_key_and_an_archive_belong_together(machine: Machine, signed: Signed, words: list[str]) -> None:
    """Neither alone while no key is kept, and only the public half of a key is one."""
    before = machine.files()
    done = machine.install(*(word.format(signed.folder / "release.pub", signed.archive) for word in words))
    assert (done.returncode, done.stdout) == (1, "")
    assert "what to do: " in done.stderr
    assert machine.files() == before
