"""Build a release of the newest commit: `make release`.

    release.py --out FOLDER (--key FILE | --unsigned) [--wheels arm64]

Writes the archive that a table is installed from (tabletop-VERSION.tar.gz), the packages for pip (sdist and wheel),
release-notes.md (the version's section of CHANGELOG.md) and SHA256SUMS. An ssh key signs the archive and SHA256SUMS.
With --wheels the archive brings the Python packages for this machine: a table without a network can be updated with it.
The same commit gives the same bytes on every machine with the same versions of Python and setuptools.
"""

import argparse
import gzip
import hashlib
import io
import os
import re
import subprocess
import sys
import tarfile
import tomllib
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parents[1]
NAME: str = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["name"]
ON_A_TABLE = ("CHANGELOG.md", "LICENSE", "NOTICE", "README.md", "pyproject.toml", "requirements.lock")
FOLDERS_ON_A_TABLE = ("calibration", "docs", "hardware", "systemd", "tabletop")
SUMS, NOTES = "SHA256SUMS", "release-notes.md"
PYTHON = "3.13"  # of Debian 13
MACHINES = {"arm64": "aarch64", "amd64": "x86_64"}
LIBC = ("manylinux_2_28", "manylinux_2_27", "manylinux2014")  # what Debian 13's libc (2.41) runs
WHEELS, FOR = "wheels", "for"  # the folder of packages in an archive, and for which machine and Python they are
NAMESPACE = "tabletop"  # of signatures; systemd/install expects it
BUILD = (
    "import os, sys; from setuptools import build_meta; os.umask(0o022); getattr(build_meta, sys.argv[1])(sys.argv[2])"
)


class RefusedError(Exception):
    """A release cannot be made, for the reason given."""


def notes(changelog: str, version: str) -> str:
    """Return a version's section of the changelog without its heading. Raises RefusedError if there is none."""
    found = re.search(
        rf"^## \[{re.escape(version)}\] - \d{{4}}-\d\d-\d\d\n(.*?)(?=^## |\Z)", changelog, re.MULTILINE | re.DOTALL
    )
    if found is None or not found[1].strip():
        raise RefusedError(f"expected a section `## [{version}] - YYYY-MM-DD` in CHANGELOG.md, there is none: write it")
    return found[1].strip() + "\n"


def compress(data: bytes) -> bytes:
    """Return gzip data without a file name or time stamp."""
    packed = io.BytesIO()
    with gzip.GzipFile("", "wb", 9, packed, 0) as file:
        file.write(data)
    return packed.getvalue()


def repack(sdist: Path, epoch_s: int) -> None:
    """Rewrite an sdist without time stamps, user names and permissions of this machine."""
    packed = io.BytesIO()
    with tarfile.open(sdist) as given, tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as written:
        for member in sorted(given.getmembers(), key=lambda member: member.name):
            mode = 0o755 if member.isdir() or member.mode & 0o100 else 0o644
            plain = member.replace(mtime=epoch_s, mode=mode, uid=0, gid=0, uname="", gname="", deep=False)
            plain.pax_headers = {}
            written.addfile(plain, given.extractfile(member) if member.isfile() else None)
    sdist.write_bytes(compress(packed.getvalue()))


def build(source: Path, out: Path, epoch_s: int) -> tuple[Path, Path]:
    """Build the sdist of a source tree, and the wheel from that sdist. epoch_s: the time stamp of all files."""
    environ = {**os.environ, "SOURCE_DATE_EPOCH": str(epoch_s)}
    subprocess.run(
        [sys.executable, "-c", BUILD, "build_sdist", out], cwd=source, env=environ, check=True, capture_output=True
    )
    (sdist,) = out.glob(f"{NAME.replace('-', '_')}-*.tar.gz")
    repack(sdist, epoch_s)
    with TemporaryDirectory() as folder, tarfile.open(sdist) as tar:
        tar.extractall(folder, filter="data")
        (inside,) = Path(folder).iterdir()
        subprocess.run(
            [sys.executable, "-c", BUILD, "build_wheel", out], cwd=inside, env=environ, check=True, capture_output=True
        )
    (wheel,) = out.glob(f"{NAME.replace('-', '_')}-*.whl")
    return sdist, wheel


def git(*words: str) -> bytes:
    """Return the output of a git command."""
    return subprocess.run(["git", *words], cwd=ROOT, check=True, capture_output=True).stdout  # noqa: S607 - from the path


def fetch_wheels(folder: Path, machine: str) -> None:
    """Download the wheels of the lock for this machine; pip checks their hashes. Raises RefusedError."""
    words = ["download", "--quiet", "--require-hashes", "--no-deps", "--only-binary=:all:", "--implementation=cp"]
    words += [f"--python-version={PYTHON}", *(f"--platform={libc}_{MACHINES[machine]}" for libc in LIBC)]
    words += ["--dest", str(folder), "--requirement", str(ROOT / "requirements.lock")]
    done = subprocess.run([sys.executable, "-m", "pip", *words], check=False, capture_output=True, text=True)
    if done.returncode:
        raise RefusedError(f"expected the wheels of requirements.lock, got: {done.stderr.strip().splitlines()[-1]}")


def with_wheels(packed: bytes, within: str, machine: str, epoch_s: int) -> bytes:
    """Return this tar with the wheels for a machine in the folder `within`. epoch_s: their time stamp."""
    with TemporaryDirectory() as made:
        folder = Path(made)
        fetch_wheels(folder, machine)
        (folder / FOR).write_text(f"{machine} {PYTHON}\n")
        data = io.BytesIO(packed)
        with tarfile.open(fileobj=data, mode="a", format=tarfile.PAX_FORMAT) as tar:
            for file in sorted(folder.iterdir()):
                member = tarfile.TarInfo(f"{within}/{WHEELS}/{file.name}")
                member.size, member.mtime = file.stat().st_size, epoch_s
                tar.addfile(member, io.BytesIO(file.read_bytes()))
        return data.getvalue()


def release(out: Path, key: Path | None, unsigned: bool, wheels: str | None = None) -> list[Path]:
    """Write all files of a release and return them. Raises RefusedError.

    unsigned: whether a key may be missing. wheels: the machine whose packages the archive brings; None for none.
    """
    if key is None and not unsigned:
        raise RefusedError("expected KEY=FILE, the ssh key that signs it, or UNSIGNED=yes for no signature")
    (version,) = re.findall(r'^__version__ = "(.+)"$', (ROOT / "tabletop" / "__init__.py").read_text(), re.MULTILINE)
    text = notes((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), version)
    if changed := git("status", "--porcelain").decode():
        raise RefusedError(
            f"expected a clean tree, {changed.count(chr(10))} files are not committed: commit or stash them"
        )
    if key is not None and not key.is_file():
        raise RefusedError(f"expected a private key of ssh-keygen, there is no file {key}")
    out = out.resolve()
    out.mkdir(parents=True, exist_ok=True)
    for old in (*out.glob(f"{NAME.replace('-', '_')}-*"), *out.glob("tabletop-*.tar.gz*"), *out.glob(f"{SUMS}*")):
        old.unlink()
    archive = out / f"tabletop-{version}.tar.gz"
    words = ("archive", "--format=tar", f"--prefix=tabletop-{version}/", "HEAD")
    packed, epoch_s = git(*words, *ON_A_TABLE, *FOLDERS_ON_A_TABLE), int(git("log", "-1", "--format=%ct"))
    if wheels is not None:
        packed = with_wheels(packed, f"tabletop-{version}", wheels, epoch_s)
    archive.write_bytes(compress(packed))
    with (
        TemporaryDirectory() as folder,
        tarfile.open(fileobj=io.BytesIO(git("archive", "--format=tar", "HEAD"))) as tar,
    ):
        tar.extractall(folder, filter="data")
        sdist, wheel = build(Path(folder), out, epoch_s)
    (out / NOTES).write_text(f"# tabletop {version}\n\n{text}", encoding="utf-8")
    files = [archive, sdist, wheel, out / NOTES]
    (out / SUMS).write_text(
        "".join(f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in files)
    )
    if key is not None:
        subprocess.run(["ssh-keygen", "-q", "-Y", "sign", "-n", NAMESPACE, "-f", key, archive, out / SUMS], check=True)  # noqa: S607
    return [*files, out / SUMS]


def main() -> int:
    """Return 0, or 2 after printing one line why there is no release."""
    parser = argparse.ArgumentParser(description="Build a release of the newest commit.")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--key", type=Path)
    parser.add_argument("--unsigned", action="store_true")
    parser.add_argument("--wheels", choices=MACHINES)
    options = parser.parse_args()
    try:
        files = release(options.out, options.key, options.unsigned, options.wheels)
    except RefusedError as reason:
        sys.stderr.write(f"release: {reason}\n")
        return 2
    sys.stdout.write("".join(f"{file}\n" for file in files))
    return 0


if __name__ == "__main__":
    sys.exit(main())
