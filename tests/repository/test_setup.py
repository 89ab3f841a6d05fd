"""`make setup` says what it is doing: each step, and each package with its size before it is fetched."""

import os
import subprocess
import sys
from pathlib import Path
from subprocess import PIPE
from typing import IO

import pip
import pytest

from systemd import former_name

ROOT = Path(__file__).resolve().parents[2]
COUNT = sum("==" in line for line in (ROOT / "requirements.lock").read_text(encoding="utf-8").splitlines())

# A Python of which only venv and pip are used. What it prints is what pip 23.2 and 25.0 print without a terminal.
PYTHON = """#!/bin/sh
echo "$*" >> calls
case "$*" in
*"-m venv"*) mkdir -p .venv/bin && cp "$0" .venv/bin/python ;;
*"import pip"*) test -e .venv/pip-is-there || { touch .venv/pip-is-there 2>/dev/null; exit 1; } ;;
*"-r requirements.lock"*)
cat << 'END'
Looking in indexes: https://pypi.org/simple
Ignoring win-only: markers 'sys_platform == "win32"' don't match your environment
Collecting blessed==1.52.0 (from -r requirements.lock (line 40))
  Downloading blessed-1.52.0-py3-none-any.whl.metadata (13 kB)
  Downloading blessed-1.52.0-py3-none-any.whl (142 kB)
Collecting numpy==2.4.6 (from -r requirements.lock (line 77))
  Using cached numpy-2.4.6-cp311-cp311-manylinux_2_28_x86_64.whl (16.9 MB)
Requirement already satisfied: pyte==0.8.2 in ./.venv/lib (from -r requirements.lock (line 80)) (0.8.2)
Collecting opencv-python-headless==4.14.0.94 (from -r requirements.lock (line 99))
  Downloading opencv_python_headless-4.14.0.94-cp37-abi3-manylinux_2_28_x86_64.whl (62.0 MB)
Installing collected packages: numpy, blessed
Successfully installed blessed-1.52.0 numpy-2.4.6
END
exit STATUS ;;
esac
"""


def setting_up(folder: Path, *words: str, stderr: int | IO[str] = PIPE) -> "subprocess.CompletedProcess[str]":
    # these tests may themselves run under make, which tells its children so
    environ = {name: value for name, value in os.environ.items() if not name.startswith("MAKE") and name != "MFLAGS"}
    make = ["make", "--no-print-directory", "setup", f"PYTHON={folder / 'python'}", *words]
    return subprocess.run(make, cwd=folder, env=environ, stdout=PIPE, stderr=stderr, text=True, check=False)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("Makefile", "requirements.lock", "pyproject.toml"):
        (tmp_path / name).write_bytes((ROOT / name).read_bytes())
    return tmp_path


def put_python(folder: Path, status: int) -> None:
    (folder / "python").write_text(PYTHON.replace("STATUS", str(status)))
    (folder / "python").chmod(0o755)


def test_each_step_and_each_package_is_named(folder: Path) -> None:
    """The slow step is called so beforehand; a package has its number, its name and its size; again, it is quiet."""
    put_python(folder, 0)
    done = setting_up(folder)
    assert done.returncode == 0, done.stderr
    said = done.stderr.splitlines()
    steps = [line for line in said if line[:1].isdigit()]
    assert [line[:6] for line in steps] == ["1 of 3", "2 of 3", "3 of 3"]
    assert f"{COUNT} packages" in steps[1]
    assert "slow" in steps[1]
    packages = [line.strip() for line in said if f" of {COUNT}: " in line]
    assert packages == [
        f"2 of {COUNT}: blessed==1.52.0, 142 kB",
        f"3 of {COUNT}: numpy==2.4.6, fetched before",
        f"5 of {COUNT}: opencv-python-headless==4.14.0.94, 62.0 MB",
    ]
    assert said.index("  unpacking them: another minute on a slow machine") > said.index(f"  {packages[-1]}")
    assert all(len(line) <= 80 for line in said)
    calls = (folder / "calls").read_text()
    again = setting_up(folder)
    assert (again.returncode, again.stderr) == (0, "")
    assert (folder / "calls").read_text() == calls


def test_the_former_distribution_is_removed_first(folder: Path) -> None:
    """Before the program is installed, or its files would be removed too; so is an old build's metadata."""
    put_python(folder, 0)
    (folder / "tabletop.egg-info").mkdir()
    assert setting_up(folder).returncode == 0
    calls = (folder / "calls").read_text().splitlines()
    removed = calls.index("systemd/former_name.py")
    assert [n > removed for n, call in enumerate(calls) if "--editable" in call] == [True]
    assert not (folder / "tabletop.egg-info").exists()


@pytest.mark.parametrize(("command", "stays"), [(former_name.OURS, False), ("tabletop.other:main", True)])
def test_only_our_former_distribution_is_removed(tmp_path: Path, command: str, stays: bool) -> None:
    """Not another project's of this name."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", tmp_path / "venv"], check=True)
    (library,) = (tmp_path / "venv").glob("lib/python3*/site-packages")
    (library / "pip").symlink_to(Path(pip.__file__).parent)
    facts = library / f"{former_name.FORMER}-0.1.0.dist-info"
    facts.mkdir()
    for name, text in {
        "METADATA": f"Metadata-Version: 2.1\nName: {former_name.FORMER}\nVersion: 0.1.0\n",
        "entry_points.txt": f"[console_scripts]\ntabletop = {command}\n",
        "INSTALLER": "pip\n",
        "RECORD": "".join(
            f"{facts.name}/{file},,\n" for file in ("METADATA", "entry_points.txt", "INSTALLER", "RECORD")
        ),
    }.items():
        (facts / name).write_text(text)
    for _ in range(2):  # again it has nothing to do
        subprocess.run([tmp_path / "venv" / "bin" / "python", former_name.__file__], cwd=tmp_path, check=True)
    assert facts.exists() == stays


def test_a_failed_pip_stops_it(folder: Path) -> None:
    """Where a package cannot be had `make` fails, and the next `make` tries again from where it stopped."""
    put_python(folder, 1)
    assert setting_up(folder).returncode == 2
    assert not (folder / ".venv" / "ready-in").exists()
    (folder / "python").unlink()
    put_python(folder, 0)
    (folder / ".venv" / "bin" / "python").write_bytes((folder / "python").read_bytes())
    assert setting_up(folder).returncode == 0


def test_a_slow_step_is_never_silent(folder: Path) -> None:
    """While pip says nothing, `make` does; here pip ends only once it has."""
    put_python(folder, 0)
    waits = "for try in $(seq 3000); do grep -q ' 1 s' said && exit 0; done; exit 1"
    slow = (folder / "python").read_text().replace("exit 0", waits)
    (folder / "python").write_text(slow)
    with (folder / "said").open("w") as said:
        assert setting_up(folder, "BEAT_S=1", stderr=said).returncode == 0


@pytest.mark.parametrize(
    ("python", "complaint"),
    [
        (None, "; on Debian: apt install python3 python3-venv"),
        ('#!/bin/sh\n[ "$1" = -V ] && echo Python 3.9.2\nexit 1', "expected Python 3.11 or newer, got Python 3.9.2"),
        ('#!/bin/sh\ncase "$2" in *ensurepip*) exit 1;; esac', "on Debian: apt install python3-venv"),
    ],
)
def test_what_is_missing_is_named(folder: Path, python: str | None, complaint: str) -> None:
    """Without Python, with an old one and without venv, one line says what to install."""
    if python is not None:
        (folder / "python").write_text(python + "\n")
        (folder / "python").chmod(0o755)
    done = setting_up(folder)
    assert done.returncode == 2
    told, stopped = done.stderr.strip().splitlines()
    assert complaint in told
    assert stopped.startswith("make: ***")
