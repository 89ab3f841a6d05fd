"""`make release`: an archive that installs a table, and its checksum."""

import re
import subprocess
import tarfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def _release(folder: Path, key: str = "") -> Path:
    command = ["make", "release", f"RELEASE={folder}", f"KEY={key}"]
    subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
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


def test_a_signature_is_checked_as_the_page_says(tmp_path: Path) -> None:
    """Signed with a key, the archive fits its public half, and neither another key nor another archive does."""
    for name in ("release", "other"):
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", tmp_path / name], check=True)
    archive = _release(tmp_path, str(tmp_path / "release"))
    page = (ROOT / "docs" / "building.md").read_text().partition("## Signed archives\n")[2]
    (check,) = re.findall(r"^```\n(.*?verify.*?)```", page, re.MULTILINE | re.DOTALL)

    def fits() -> bool:
        return subprocess.run(["sh", "-c", check], cwd=tmp_path, capture_output=True, check=False).returncode == 0

    assert fits()
    whole = archive.read_bytes()
    archive.write_bytes(whole + b"\0")
    assert not fits()
    archive.write_bytes(whole)
    (tmp_path / "other.pub").replace(tmp_path / "release.pub")
    assert not fits()
    _release(tmp_path)
    assert not archive.with_name(f"{archive.name}.sig").exists()  # of another time
