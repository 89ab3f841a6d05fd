"""`make release`: the archive that installs a table, the packages, their checksums, signature and notes."""

import re
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest
from project_files import ROOT, commit, copy_project

from tabletop import __version__
from tools.release import NAME, NOTES, SUMS

CHANGELOG = "CHANGELOG.md"


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = copy_project(tmp_path_factory.mktemp("project"))
    commit(folder)
    return folder


def _release(project: Path, *words: str | Path) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, project / "tools" / "release.py", *words]
    return subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def unsigned(project: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("release")
    done = _release(project, "--out", out, "--unsigned")
    assert (done.returncode, done.stderr) == (0, "")
    return out


def test_a_release_holds_what_its_installer_needs(unsigned: Path, tmp_path: Path) -> None:
    """The checksums fit as docs/building.md checks them, and the installer runs from the unpacked archive."""
    (check,) = {
        line for line in (ROOT / "docs" / "building.md").read_text().splitlines() if line.startswith("sha256sum")
    }
    subprocess.run(["sh", "-c", f"{check} --strict --status"], cwd=unsigned, check=True)
    with tarfile.open(unsigned / f"tabletop-{__version__}.tar.gz") as tar:
        tar.extractall(tmp_path, filter="data")
    (folder,) = tmp_path.glob("tabletop-*")
    installer = folder / "systemd" / "install"
    (copied,) = re.findall(r"for part in (pyproject.toml .*); do", installer.read_text())
    assert all((folder / part).exists() for part in (*copied.split(), "requirements.lock"))
    said = subprocess.run([installer, "--help"], capture_output=True, text=True, check=True).stdout
    assert "install or update; may be repeated" in said


def test_a_release_has_the_packages_and_the_notes(unsigned: Path) -> None:
    """All four files are in the checksums; the notes are this version's section of the changelog and no other."""
    package = NAME.replace("-", "_")
    files = {
        *(f"tabletop-{__version__}.tar.gz", f"{package}-{__version__}.tar.gz", NOTES),
        f"{package}-{__version__}-py3-none-any.whl",
    }
    assert {line.split()[1] for line in (unsigned / SUMS).read_text().splitlines()} == files
    assert {path.name for path in unsigned.iterdir()} == {*files, SUMS}
    changelog, notes = (ROOT / CHANGELOG).read_text(), (unsigned / NOTES).read_text()
    headings = re.findall(r"^### .*", notes, re.MULTILINE)
    assert headings[0] == "### Added"
    assert len(headings) == len(set(headings))
    assert notes.partition("\n\n")[2].strip() in changelog
    assert re.findall(r"^## ", notes, re.MULTILINE) == []


@pytest.mark.slow
def test_a_release_is_the_same_bytes_again(project: Path, unsigned: Path, tmp_path: Path) -> None:
    """A clone in another folder, made with another umask, gives the same checksums."""
    copy = tmp_path / "elsewhere"
    subprocess.run(["sh", "-c", f"umask 077; git clone --quiet {project} {copy}"], check=True)
    shell = f"umask 077; exec {sys.executable} {copy}/tools/release.py --unsigned --out {tmp_path}/out"
    subprocess.run(["sh", "-c", shell], cwd=copy, check=True, stdout=subprocess.DEVNULL)
    assert (tmp_path / "out" / SUMS).read_text() == (unsigned / SUMS).read_text()


@pytest.mark.parametrize(
    ("file", "before", "after", "named"),
    [
        (CHANGELOG, f"## [{__version__}] - ", f"## [{__version__}.1] - ", CHANGELOG),
        ("tabletop/__init__.py", f'"{__version__}"', '"99.0"', "99.0"),
        ("README.md", "\n", "\n\n", "not committed"),
    ],
    ids=["no section", "another version", "a changed file"],
)
def test_no_release_of_what_is_not_ready(
    project: Path, tmp_path: Path, file: str, before: str, after: str, named: str
) -> None:
    """Without a section for the version, or with uncommitted changes, one line says why and nothing is written."""
    text = (project / file).read_text()
    assert before in text
    (project / file).write_text(text.replace(before, after, 1))
    try:
        done = _release(project, "--unsigned", "--out", tmp_path / "out")
    finally:
        (project / file).write_text(text)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert named in done.stderr
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(("words", "named"), [([], "UNSIGNED=yes"), (["--key", "no-such-key"], "no-such-key")])
def test_a_release_without_its_key_is_refused(project: Path, tmp_path: Path, words: list[str], named: str) -> None:
    """A release without a signature must be asked for."""
    done = _release(project, "--out", tmp_path / "out", *words)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert named in done.stderr
    assert not (tmp_path / "out").exists()


@pytest.mark.slow
def test_a_signature_is_checked_as_the_pages_say(project: Path, tmp_path: Path) -> None:
    """The signatures fit the public key, and neither another key nor changed files."""
    for name in ("release", "other"):
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", tmp_path / name], check=True)
    assert _release(project, "--out", tmp_path, "--key", tmp_path / "release").returncode == 0
    checks = []
    for page, heading in (("docs/building.md", "## Signed archives\n"), ("CONTRIBUTING.md", "## Release\n")):
        text = (ROOT / page).read_text().partition(heading)[2]
        checks += re.findall(r"^```\w*\n([^`]*?-Y verify[^`]*?)```", text, re.MULTILINE)
    assert len(checks) == len(("archive", SUMS))

    def fits() -> list[bool]:
        done = [
            subprocess.run(["sh", "-ec", check], cwd=tmp_path, capture_output=True, check=False) for check in checks
        ]
        return [each.returncode == 0 for each in done]

    assert fits() == [True, True]
    archive, sums = tmp_path / f"tabletop-{__version__}.tar.gz", tmp_path / SUMS
    whole, listed = archive.read_bytes(), sums.read_bytes()
    archive.write_bytes(whole + b"\0")
    assert fits() == [False, False]
    archive.write_bytes(whole)
    sums.write_bytes(listed + b"\n")
    assert fits() == [True, False]
    sums.write_bytes(listed)
    (tmp_path / "release.pub").write_bytes((tmp_path / "other.pub").read_bytes())
    assert fits() == [False, False]
    assert _release(project, "--out", tmp_path, "--unsigned").returncode == 0
    assert list(tmp_path.glob("*.sig")) == []  # signatures of the release before are removed


def test_make_release_hands_on_key_and_folder(project: Path) -> None:
    """The key, or the wish for no signature, reaches tools/release.py."""
    words = ["make", "--dry-run", "--no-print-directory", "release", "RELEASE=there"]
    for given, handed in (("KEY=mine", "--key 'mine'"), ("UNSIGNED=yes", "--unsigned")):
        said = subprocess.run([*words, given], cwd=project, capture_output=True, text=True, check=True).stdout
        line = next(line for line in said.splitlines() if "tools/release.py" in line)
        assert line.split("tools/release.py ")[1].split() == ["--out", "'there'", *handed.split()]
