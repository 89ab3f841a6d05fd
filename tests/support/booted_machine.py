"""A Debian machine in a container of systemd's: booted with its own systemd, the program installed by its own command.

This is no Raspberry Pi OS: what that alone carries (the boot partition, its camera packages) is not there, nor is any
device. In a container systemd enforces neither DeviceAllow nor memory limits.
"""

import fcntl
import os
import shutil
import subprocess
import sys
from pathlib import Path

from project_files import commit, copy_project

ROOT = Path(__file__).resolve().parents[2]
TOOLS = ("debootstrap", "systemd-nspawn")
PACKAGES = ("systemd", "systemd-sysv", "dbus", "udev", "python3", "python3-venv", "ca-certificates", "sudo")
SUITES = {"bookworm": 12, "trixie": 13}
SHARED = ("/etc/ssl/certs", "/usr/local/share/ca-certificates", "/etc/pip.conf")  # how this machine reaches packages
SOURCE = ("systemd", "tabletop", "hardware", "calibration", "docs", "pyproject.toml", "requirements.lock")
TEXTS = ("README.md", "LICENSE", "NOTICE")
TRIES = 3  # of making a Debian
BOOT_S = 400  # a machine that has not ended by then has failed

UNIT = """[Unit]
Description=What the test does in this machine
After=multi-user.target
[Service]
Type=exec
ExecStart=/usr/bin/python3 /proof/booted_guest.py
StandardOutput=append:/proof/log
StandardError=append:/proof/log
[Install]
WantedBy=multi-user.target
"""


def why_not() -> str:
    """Return why no machine can be booted here, empty if one can."""
    if os.geteuid() != 0:
        return "needs root"
    missing = [tool for tool in TOOLS if shutil.which(tool) is None]
    return f"needs {' and '.join(missing)} (Debian packages debootstrap and systemd-container)" if missing else ""


def mirror() -> str:
    """Return from where this machine gets its Debian packages."""
    shown = subprocess.run(
        ["apt-get", "indextargets", "--format", "$(REPO_URI)", "Created-By: Packages"],
        capture_output=True,
        text=True,
        check=False,
    ).stdout.split()
    return next((line for line in shown if line.rstrip("/").endswith("/debian")), "http://deb.debian.org/debian")


def debian_root(folder: Path, suite: str = "bookworm") -> Path:
    """Make a Debian of this suite below `folder`, or return the one that was made there before."""
    root, whole = folder / suite, folder / f"{suite}.whole"
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / f"{suite}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not whole.exists() or whole.read_text() != " ".join(PACKAGES):
            _make(root, suite)
            whole.write_text(" ".join(PACKAGES))
    return root


def _make(root: Path, suite: str) -> None:
    command = ["debootstrap", "--variant=minbase", f"--include={','.join(PACKAGES)}", suite, str(root), mirror()]
    said = ""
    for _ in range(TRIES):  # a mirror may fail once
        # A try before may have left its /proc.
        subprocess.run(["umount", "--lazy", root / "proc"], stderr=subprocess.DEVNULL, check=False)
        shutil.rmtree(root, ignore_errors=True)
        done = subprocess.run(command, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        said = done.stdout[-3000:]
        if not done.returncode:
            return
    raise RuntimeError(f"no Debian {suite} could be made:\n{said}")


def container(root: Path, *words: "str | Path") -> list["str | Path"]:
    """Return the command that starts a container here, which reaches packages as this machine does."""
    shared = [f"--bind-ro={path}" for path in SHARED if Path(path).exists()]
    for folder in filter(None, os.environ.get("PIP_FIND_LINKS", "").split()):
        shared += [f"--bind-ro={folder}"] if Path(folder).is_dir() else []
    options = ("--register=no", "--keep-unit", "--resolv-conf=copy-host", "--console=pipe")
    return ["systemd-nspawn", "-q", "-D", root, *options, *shared, *words]


def boot(root: Path, proof: Path) -> "subprocess.CompletedProcess[str]":
    """Boot a throw-away copy of this root, let it run /proof/booted_guest.py, and wait for its end.

    proof: the folder that is /proof in there. Its maker's home holds a release of these files, as copied there.
    """
    shutil.copy(Path(__file__).with_name("booted_guest.py"), proof)
    machine = proof.with_name("machine")
    subprocess.run(["cp", "-a", "--reflink=auto", root, machine], check=True)
    source = machine / "source"
    source.mkdir()
    for name in (*SOURCE, *TEXTS):
        subprocess.run(["cp", "-a", ROOT / name, source / name], check=True)
    shutil.copy(ROOT / "tests" / "own_games" / "fifty.py", source / "tests-game.py")
    home = machine / "home" / "maker"
    home.mkdir(parents=True)
    project = copy_project(proof.with_name("project"))
    commit(project)
    words: list[str | Path] = ["--unsigned", "--out", home]
    subprocess.run([sys.executable, project / "tools" / "release.py", *words], check=True, stdout=subprocess.DEVNULL)
    units = machine / "etc" / "systemd" / "system"
    (units / "proof.service").write_text(UNIT)
    (units / "multi-user.target.wants").mkdir(exist_ok=True)
    (units / "multi-user.target.wants" / "proof.service").symlink_to("/etc/systemd/system/proof.service")
    try:
        return subprocess.run(
            container(machine, f"--bind={proof}:/proof", "-b"),
            stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, timeout=BOOT_S,
        )  # fmt: skip
    finally:
        shutil.rmtree(machine, ignore_errors=True)
