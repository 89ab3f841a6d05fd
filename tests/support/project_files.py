"""The files of this project as git knows them, and a copy of them that is committed."""

import os
import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def project_files() -> list[Path]:
    """Return every file that git knows or does not ignore."""
    asked = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(asked, cwd=ROOT, capture_output=True, check=True).stdout.decode().split("\0")
    return [ROOT / name for name in listed if name and (ROOT / name).is_file()]


def copy_project(folder: Path) -> Path:
    """Copy the files of the project into a folder, and return it."""
    for path in project_files():
        copy = folder / path.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, copy)
    return folder


def commit(folder: Path) -> None:
    """Commit all that is in a folder, in a repository of its own, always at the same time."""
    who = ("-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")
    when = {"GIT_AUTHOR_DATE": "2026-11-28T12:00:00Z", "GIT_COMMITTER_DATE": "2026-11-28T12:00:00Z"}
    for words in (["init", "--quiet"], ["add", "--all"], [*who, "commit", "--quiet", "--message", "tests: Commit"]):
        subprocess.run(["git", *words], cwd=folder, check=True, env=os.environ | when)
