"""A Debian 13 in a container that starts from a card: cloud-init reads the files on it as on Raspberry Pi OS.

Its configuration of cloud-init and the files that Raspberry Pi Imager writes follow their sources (pi-gen's
99_raspberry-pi.cfg; Imager's customization_generator.cpp). There is no kernel of its own and no display. This machine's
kernel may know no FAT: the files are written to such a partition and read back by mtools, and never mounted.
"""

import fcntl
import os
import selectors
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from booted_machine import ROOT, container, debian_root
from project_files import commit, copy_project

FOLDER = ROOT / "build" / "debian"
SUITE, WITH = "trixie", "trixie-cloud-init"
PATIENCE_S = 600.0  # for a line of the log; usually two minutes to the last
FAT_BYTES = 512 * 2**20  # pi-gen's export-image
SEED = """datasource_list: [ NoCloud, None ]
datasource:
  NoCloud:
    seedfrom: file:///boot/firmware
ssh_deletekeys: false
ssh_genkeytypes: []
"""
IMAGER = {
    "meta-data": "instance-id: rpi-imager-1764322271000\n",
    "network-config": "",
    "user-data": """#cloud-config
hostname: tafel
manage_etc_hosts: true
packages:
- avahi-daemon
apt:
  conf: |
    Acquire {
      Check-Date "false";
    };
timezone: Europe/Berlin
users:
- name: somebody
  groups: users,adm,dialout,audio,netdev,video,plugdev,cdrom,games,input,gpio,spi,i2c,render,sudo
  shell: /bin/bash
  lock_passwd: true
runcmd:
  - [ sh, -c, "touch /var/lib/imager-ran" ]
""",
}


def root_with_cloud_init() -> Path:
    """Return a Debian 13 with cloud-init, made once."""
    plain = debian_root(FOLDER, SUITE)
    root, whole = FOLDER / WITH, FOLDER / f"{WITH}.whole"
    with (FOLDER / f"{WITH}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not whole.exists() or whole.stat().st_mtime < plain.with_suffix(".whole").stat().st_mtime:
            shutil.rmtree(root, ignore_errors=True)
            subprocess.run(["cp", "-a", "--reflink=auto", plain, root], check=True)
            words = "apt-get update -qq && apt-get install -y -qq --no-install-recommends cloud-init"
            subprocess.run(container(root, "sh", "-c", words), check=True, stdout=subprocess.DEVNULL)
            whole.touch()
    return root


def make_card(folder: Path) -> Path:
    """Return what `make card` writes for this machine, with a public key."""
    project = copy_project(folder / "project")
    commit(project)
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", folder / "maker"], check=True)
    machine = subprocess.run(["dpkg", "--print-architecture"], check=True, capture_output=True, text=True).stdout
    words: list[str | Path] = ["-m", "tools.card", "--out", folder / "card", "--machine", machine.strip()]
    words += ["--public-key", folder / "maker.pub"]
    environ = os.environ | {"PYTHONPATH": str(project)}
    subprocess.run([sys.executable, *words], cwd=project, env=environ, check=True, stdout=subprocess.DEVNULL)
    return folder / "card"


def new_machine(machine: Path, card: Path, written: dict[str, str]) -> Path:
    """Make a machine whose card has these files and what `make card` made, and return its /boot/firmware."""
    subprocess.run(["cp", "-a", "--reflink=auto", root_with_cloud_init(), machine], check=True)
    (machine / "etc" / "cloud" / "cloud.cfg.d" / "99_raspberry-pi.cfg").write_text(SEED)
    boot = machine / "boot" / "firmware"
    boot.mkdir(parents=True)
    for name, text in written.items():
        (boot / name).write_text(text)
    subprocess.run(["cp", "-a", card / "vendor-data", card / "tabletop", boot], check=True)
    return boot


def add(machine: Path, *packages: str) -> None:
    """Install packages of Debian's on a machine that is switched off."""
    words = f"apt-get update -qq && apt-get install -y -qq --no-install-recommends {' '.join(packages)}"
    subprocess.run(container(machine, "sh", "-c", words), check=True, stdout=subprocess.DEVNULL)


def through_fat(card: Path, folder: Path) -> Path:
    """Copy a card's files onto a FAT partition as large as Raspberry Pi OS's, and return what comes back from it."""
    image, back = folder / "fat", folder / "from-fat"
    with image.open("wb") as file:
        file.truncate(FAT_BYTES)
    back.mkdir()
    subprocess.run(["mkfs.vfat", "-F", "32", image], check=True, stdout=subprocess.DEVNULL)
    for words in ((*map(str, card.iterdir()), "::"), ("::*", str(back))):
        subprocess.run(["mcopy", "-s", "-i", image, *words], check=True, stdin=subprocess.DEVNULL)
    return back


@contextmanager
def started(machine: Path, *, network: bool = False) -> Iterator["subprocess.Popen[bytes]"]:
    """Boot the machine; at the end its power is cut. network: whether it shares this machine's, or has none."""
    command = container(machine, *(() if network else ("--private-network",)), "-b")
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        try:
            yield process
        finally:
            for inside in _children(process.pid):
                os.kill(inside, signal.SIGKILL)  # its first process, and with that all others
            process.kill()
            process.wait(PATIENCE_S)


def _children(pid: int) -> list[int]:
    try:
        return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except FileNotFoundError:
        return []


def in_machine(process: "subprocess.Popen[bytes]", *words: str) -> list[str]:
    """Return the command that runs another one in the machine."""
    (inside,) = _children(process.pid)
    return ["nsenter", f"--target={inside}", "--all", *words]


def asked(process: "subprocess.Popen[bytes]", *words: str) -> str:
    """Run a command in the machine and return what it prints."""
    return subprocess.run(in_machine(process, *words), capture_output=True, text=True, check=False).stdout.strip()


def until(log: Path, *words: str, after: int = 0, patience_s: float = PATIENCE_S) -> str:
    """Wait until a line of this log ends with one of these words, and return the words; empty if it takes too long.

    after: how many bytes of the log are older.
    """
    log.touch()
    deadline_s = time.monotonic() + patience_s
    follow: list[str | Path] = ["tail", "-c", f"+{after + 1}", "-F", log]
    with (
        subprocess.Popen(follow, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as tail,
        selectors.DefaultSelector() as ready,
    ):
        assert tail.stdout is not None
        ready.register(tail.stdout, selectors.EVENT_READ)
        seen = b""
        found = ""
        while not found and ready.select(max(0.0, deadline_s - time.monotonic())):
            seen += os.read(tail.stdout.fileno(), 65536)
            lines = seen.decode(errors="replace").splitlines()
            found = next((word for line in lines for word in words if line.endswith(word)), "")
        tail.kill()
    return found
