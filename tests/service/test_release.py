"""`make release`: an archive that installs a table, and its checksum."""

import re
import subprocess
import tarfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def _release(folder: Path) -> Path:
    subprocess.run(["make", "release", f"RELEASE={folder}"], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    return next(folder.glob("*.tar.gz"))


def test_a_release_holds_what_its_installer_needs(tmp_path: Path) -> None:
    """Whole and checked as the page says it; the installer runs from it; the same bytes when it is made again."""
    archive = _release(tmp_path / "one")
    subprocess.run(["sha256sum", "--check", "--status", f"{archive.name}.sha256"], cwd=archive.parent, check=True)
    assert archive.read_bytes() == _release(tmp_path / "two").read_bytes()
    with tarfile.open(archive) as tar:
        tar.extractall(tmp_path, filter="data")
    (folder,) = tmp_path.glob("tabletop-*")
    installer = folder / "systemd" / "install"
    (copied,) = re.findall(r"for part in (pyproject.toml .*); do", installer.read_text())
    assert all((folder / part).exists() for part in (*copied.split(), "requirements.lock"))
    said = subprocess.run([installer, "--help"], capture_output=True, text=True, check=True).stdout
    assert "install or update; may be repeated" in said
