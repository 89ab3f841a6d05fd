"""Set-ups by name: "home", "club", each a profile in one folder, with the one before it kept beside it.

folder/club.toml             the profile in use
folder/club.previous.toml    what it was before the last calibration
folder/club.unreadable.toml  one that could not be read, as it was found by the last calibration
"""

import re
import shutil
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from tabletop.config.profile import MOST_ERROR_MM, load_profile, save_profile
from tabletop.core.errors import InputError
from tabletop.core.values import Profile

FOLDER = "setups"  # beside the matches
SUFFIX, PREVIOUS, UNREADABLE = ".toml", ".previous", ".unreadable"
USUAL = "table"  # the set-up of a table that has only one
NAME = re.compile(r"[\w-]{1,40}")  # letters, digits, hyphens: a name becomes a file


def profile_path(word: Path, folder: Path) -> Path:
    """Return the file that --profile means: a file that is there, else the set-up of this name.

    A word with a folder or an ending is always a file. Raises InputError naming the set-ups there are.
    """
    if not is_name(word):
        return word
    path = folder / f"{word}{SUFFIX}"
    if not path.is_file():
        known = ", ".join(names(folder)) or "none yet"
        raise InputError(
            f"expected a profile's file or the name of a set-up ({known}), got {word}; "
            f"`tabletop calibrate --profile {word}` makes one"
        )
    return path


def is_name(word: Path) -> bool:
    """Return whether a word after --profile is the name of a set-up, and no file that is there."""
    return NAME.fullmatch(str(word)) is not None and not word.is_file()


def path_to_write(name: str, folder: Path) -> Path:
    """Return the file of a set-up of this name, there or not; raises InputError if that can be no name."""
    if not NAME.fullmatch(name):
        raise InputError(f"expected a name of letters, digits and hyphens for a set-up, got {name!r}")
    return folder / f"{name}{SUFFIX}"


def names(folder: Path) -> list[str]:
    """Return the names of the set-ups in this folder, sorted; none if there is no folder."""
    with suppress(OSError):
        stems = (path.stem for path in folder.glob(f"*{SUFFIX}"))
        return sorted(stem for stem in stems if not stem.endswith((PREVIOUS, UNREADABLE)))
    return []


def previous(path: Path) -> Path:
    """Return where the profile before this one is kept."""
    return path.with_name(f"{path.stem}{PREVIOUS}{path.suffix}")


def unreadable(path: Path) -> Path:
    """Return where a profile is kept that could not be read: somebody may still mend it."""
    return path.with_name(f"{path.stem}{UNREADABLE}{path.suffix}")


def why_not_better(new: Profile, old: Profile | None) -> str:
    """Return why a profile should not replace the old one, empty if it should.

    It should if its markers fit to MOST_ERROR_MM and no larger share of the dice is unsure. A profile without a set-up
    seen says nothing against a new one.
    """
    if new.setup is not None and new.setup.marker_error_mm > MOST_ERROR_MM:
        return f"its markers fit only to {new.setup.marker_error_mm:.1f} mm, expected {MOST_ERROR_MM}"
    if new.setup is None or old is None or old.setup is None or not (old.setup.dice and new.setup.dice):
        return ""
    if new.setup.unsure_share > old.setup.unsure_share:
        return f"{new.setup.unsure_share:.0%} of its dice were unsure, {old.setup.unsure_share:.0%} with the old one"
    return ""


def replace_profile(new: Profile, path: Path, *, anyway: bool = False, old_unsure_share: float | None = None) -> str:
    """Write a profile if it is better than the one there, which is kept as `previous`; return why not, empty if it was.

    anyway: whether it is better or not. old_unsure_share: of the dice in the new pictures, how many the old profile
    finds unsure; None: as it was at its own set-up. An old file that cannot be read is no reason against the new one,
    and is kept as `unreadable`.
    Raises InputError if nothing can be written; the old profile then stays.
    """
    old, broken = None, False
    if path.is_file():
        try:
            old = load_profile(path)
        except InputError:
            broken = True
    rival = old
    if old is not None and old.setup is not None and old_unsure_share is not None:
        rival = replace(old, setup=replace(old.setup, unsure_share=old_unsure_share))
    if not anyway and (reason := why_not_better(new, rival)):
        return reason
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{path.parent}: expected a folder for set-ups: {error.strerror}") from None
    if old is not None:
        save_profile(old, previous(path))
    if broken:
        with suppress(OSError):  # a disk that is full is told by the next line
            shutil.copyfile(path, unreadable(path))
    save_profile(new, path)
    return ""
