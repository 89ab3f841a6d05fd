"""A Raspberry Pi's processor, emulated: Debian 12's Python for arm64 with the locked packages, under QEMU.

It proves that wheels exist, load and give the same results. Its times mean nothing: it is about 20 times slower.
"""

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

from booted_machine import mirror

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "build" / "arm64"
EMULATOR = "qemu-aarch64-static"
TOOLS = (EMULATOR, "debootstrap")
PROCESSOR = "cortex-a72"  # a Raspberry Pi 4's
PYTHON = "3.11"  # Debian 12's
WHEELS = ("manylinux_2_28_aarch64", "manylinux_2_27_aarch64", "manylinux2014_aarch64")  # what its libc (2.36) runs
LIBRARIES = (  # of Debian's packages: Python's own and what its modules and the wheels load
    *("libc6_", "libgcc-s1_", "libstdc++6_", "zlib1g_", "libpython3", "python3", "libssl3_", "libexpat1_"),
    *("libsqlite3-0_", "libffi8_", "libbz2-1", "liblzma5_", "libuuid1_", "libcrypt1_", "media-types_"),
)


def why_not() -> str:
    """Return why nothing can be emulated here, empty if it can."""
    if os.geteuid() != 0:
        return "needs root"
    missing = [tool for tool in TOOLS if shutil.which(tool) is None]
    return f"needs {' and '.join(missing)} (Debian packages qemu-user-static and debootstrap)" if missing else ""


def locked() -> str:
    """Return the lock of what runs the table, with its hashes."""
    return (ROOT / "requirements.lock").read_text()


def set_up() -> None:
    """Fetch what is emulated into build/arm64, once for each state of the lock; who comes meanwhile waits."""
    wanted = locked()
    stamp = hashlib.sha256(wanted.encode()).hexdigest()
    FOLDER.mkdir(parents=True, exist_ok=True)
    with (FOLDER / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (FOLDER / "root.whole").exists():
            _fetch_python()
            (FOLDER / "root.whole").touch()
        whole = FOLDER / "packages.whole"
        if not whole.exists() or whole.read_text() != stamp:
            _fetch_wheels(wanted)
            whole.write_text(stamp)


def _fetch_python() -> None:
    fetched, root = FOLDER / "fetched", FOLDER / "root"
    for folder in (fetched, root):
        shutil.rmtree(folder, ignore_errors=True)
    words = ["--download-only", "--arch=arm64", "--variant=minbase", "--include=python3", "bookworm"]
    subprocess.run(["debootstrap", *words, fetched, mirror()], check=True, stdout=subprocess.DEVNULL)
    for package in sorted((fetched / "var" / "cache" / "apt" / "archives").glob("*.deb")):
        if package.name.startswith(LIBRARIES):
            subprocess.run(["dpkg", "-x", package, root], check=True)
    shutil.rmtree(fetched)


def _fetch_wheels(wanted: str) -> None:
    shutil.rmtree(FOLDER / "packages", ignore_errors=True)
    (FOLDER / "requirements.txt").write_text(wanted)
    subprocess.run(
        [
            *(
                sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--quiet", "--no-deps",
                "--no-compile",
            ),
            *("--implementation=cp", f"--python-version={PYTHON}"),
            *(f"--platform={name}" for name in WHEELS),
            *("--target", FOLDER / "packages", "-r", FOLDER / "requirements.txt"),
        ],
        check=True,
    )  # fmt: skip


def emulated(*words: "str | Path") -> str:
    """Run the emulated Python with these words in the repository, and return what it prints."""
    environ = {
        "PATH": os.environ["PATH"],
        "LC_ALL": "C.UTF-8",
        "QEMU_CPU": PROCESSOR,
        "PYTHONPATH": f"{FOLDER / 'packages'}:{ROOT}",
        "PYTHONDONTWRITEBYTECODE": "1",
        "XDG_DATA_DIRS": os.devnull,
    }
    root = FOLDER / "root"
    done = subprocess.run(
        [EMULATOR, "-L", root, root / "usr" / "bin" / f"python{PYTHON}", *words],
        cwd=ROOT, env=environ, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode:
        raise RuntimeError(f"expected {words} to run on arm64, got status {done.returncode}: {done.stderr[-2000:]}")
    return done.stdout
