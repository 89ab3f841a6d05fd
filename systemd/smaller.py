"""Make a version that was just installed smaller: `smaller.py NEW [OLD]`, for any Python.

What never runs goes (pip, tests, headers). Files that are equal become one file on disk: the program's own, which lie
there twice, and all that the version before has too. That is safe, because nothing writes into a file of a version:
pip and the installer put new files in place of old ones.
"""

import filecmp
import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

PACKAGES = "lib/python3*/site-packages"
NEVER_RUN = ("pip", "pip-*", "numpy/tests", "numpy/**/tests", "numpy/**/include", "**/*.pyi")
PROGRAM = ("tabletop", "hardware", "calibration")
LEAST = 512  # bytes: below, a link saves next to nothing


def files(folder: Path) -> Iterator[Path]:
    """Yield all files below a folder."""
    return (path for path in sorted(folder.rglob("*")) if path.is_file() and not path.is_symlink())


def share(path: Path, other: Path) -> None:
    """Let a file be the same on disk as another one, if both are equal."""
    if not other.is_file() or other.is_symlink() or path.stat().st_size < LEAST or path.samefile(other):
        return
    same_mode = path.stat().st_mode == other.stat().st_mode
    if same_mode and filecmp.cmp(path, other, shallow=False):
        link = path.with_name(f"{path.name}.link")
        os.link(other, link)
        link.replace(path)


def main(new: Path, old: Path | None = None) -> None:
    """Do it."""
    for packages in new.glob(PACKAGES):
        for pattern in NEVER_RUN:
            for path in list(packages.glob(pattern)):
                shutil.rmtree(path, ignore_errors=True) if path.is_dir() else path.unlink(missing_ok=True)
        for path in (path for name in PROGRAM for path in files(packages / name)):
            share(path, new / "source" / path.relative_to(packages))
    shutil.rmtree(new / "source/dice_referee.egg-info", ignore_errors=True)
    if old is not None:
        for path in files(new):
            share(path, old / path.relative_to(new))


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:3]))
