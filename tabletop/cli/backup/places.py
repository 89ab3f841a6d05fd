"""Where a table keeps what it cannot make again, and under which names that stands in an archive."""

import unicodedata
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from tabletop.config.file import configuration
from tabletop.config.file import default_path as usual_configuration
from tabletop.config.own_dice import FILE_NAME as OWN_DICE
from tabletop.config.own_games import games_folder
from tabletop.config.profile import FOLDER as SETUPS
from tabletop.config.profile import is_name, load_profile
from tabletop.core.errors import InputError
from tabletop.store import default_path as usual_store

STORE = "tabletop.db"  # in the archive
ROOTS = ("state", "setups", "config", "profile", "games")
STATE_FILES = (OWN_DICE, "table.score", "language")  # beside the matches: dice, measurement, language of the menu
GROUP = (".toml", ".dice", ".score", ".previous")  # endings of what lies beside a profile, under its name
GAME_SUFFIXES = (".py", ".txt")
LONGEST_NAME = 200  # bytes of a file's name: less than Linux's NAME_MAX of 255 by what is put around it meanwhile


@dataclass(frozen=True, slots=True)
class Places:
    """The places of one table.

    config: the configuration file, which need not be there. profile: a file of its own, None for none; that of a named
    set-up lies with the others.
    """

    store: Path
    config: Path
    profile: Path | None
    games: Path

    @staticmethod
    def of(store: Path | None, config: Path | None, profile: Path | None) -> "Places":
        """Return the places that the command line names, the usual ones where it names none."""
        own = None if profile is None or is_name(profile) else profile
        return Places(store or usual_store(), config or usual_configuration(), own, games_folder())

    def with_profile(self) -> "Places":
        """Return the places with the profile of the configuration, if none was named; InputError if it is wrong."""
        if self.profile is not None or not self.config.exists():
            return self
        return Places.of(self.store, self.config, configuration(self.config).profile)

    def folder(self, root: str) -> Path:
        """Return the folder behind one of `ROOTS`; without a profile, that of profiles is the configuration's."""
        if root == "games":
            return self.games
        if root == "profile" and self.profile is not None:
            return self.profile.parent
        if root in ("config", "profile"):
            return self.config.parent
        return self.store.with_name(SETUPS) if root == "setups" else self.store.parent

    def files(self) -> dict[str, Path]:
        """Return name in the archive -> file, of all that is there but the store."""
        found = dict[str, Path]()
        for root, path in self._candidates():
            if path.is_file() and path not in found.values() and not path.name.startswith("."):
                found[f"{root}/{path.name}"] = path
        return found

    def _candidates(self) -> Iterator[tuple[str, Path]]:
        state = self.folder("state")
        yield "config", self.config
        for name in STATE_FILES:
            yield "state", state / name
        for path in sorted(state.glob("*.toml")):
            if _is_profile(path):
                yield from (("state", beside) for beside in _group(path))
        for path in sorted(self.folder("setups").glob("*")):
            if path.suffix in GROUP:
                yield "setups", path
        if self.profile is not None:
            yield from (("profile", path) for path in _group(self.profile))
        for path in sorted(self.games.glob("*")):
            if path.suffix in GAME_SUFFIXES:
                yield "games", path


def can_hold(names: Collection[str], name: str) -> bool:
    """Return whether an archive of these names can hold this one: the kinds of `Places.files`, no name that misleads.

    Each becomes one file in one folder. Two names that a card of another system cannot tell apart are both refused.
    """
    root, _, file = name.partition("/")
    suffix = Path(file).suffix
    kinds = {
        "config": sum(each.startswith("config/") for each in names) == 1,
        "state": file in STATE_FILES or (suffix in GROUP and _has_profile(names, name)),
        "profile": suffix in GROUP and _has_profile(names, name),
        "setups": suffix in GROUP,
        "games": suffix in GAME_SUFFIXES,
    }
    alone = sum(_same_anywhere(each) == _same_anywhere(name) for each in names) == 1
    return name == STORE or (kinds.get(root, False) and is_plain(file) and alone)


def is_plain(file: str) -> bool:
    """Return whether this is one name of a file or folder that is seen and is what it looks like."""
    fine = file.isprintable() and not {"/", "\\"} & {*file} and not file.startswith(".") and file == file.strip()
    return fine and 0 < len(file.encode()) <= LONGEST_NAME


def _has_profile(names: Collection[str], name: str) -> bool:
    """Return whether the profile beside which this file lies is among them."""
    parts = name.split(".")
    return any(f"{'.'.join(parts[:count])}.toml" in names for count in range(1, len(parts)))


def _same_anywhere(name: str) -> str:
    return unicodedata.normalize("NFC", name).casefold()


def _group(profile: Path) -> Iterator[Path]:
    """Yield a profile with what lies beside it under its name: its dice, its measurement, the profile before it."""
    for path in sorted(profile.parent.glob(f"{profile.stem}.*")):
        if path.suffix in GROUP:
            yield path


def _is_profile(path: Path) -> bool:
    try:
        load_profile(path)
    except InputError:
        return False
    return True
