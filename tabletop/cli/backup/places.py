"""Where a table keeps what it cannot make again, and under which names that stands in an archive."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tabletop.config.file import configuration
from tabletop.config.file import default_path as usual_configuration
from tabletop.config.own_dice import FILE_NAME as OWN_DICE
from tabletop.config.own_games import games_folder
from tabletop.config.profile import load_profile
from tabletop.config.setups import FOLDER as SETUPS
from tabletop.config.setups import is_name
from tabletop.core.errors import InputError
from tabletop.store import default_path as usual_store

STORE = "tabletop.db"  # in the archive
ROOTS = ("state", "setups", "config", "profile", "games")
STATE_FILES = (OWN_DICE, "table.score", "language")  # beside the matches: dice, measurement, language of the menu
GROUP = (".toml", ".dice", ".score", ".previous")  # endings of what lies beside a profile, under its name
GAME_SUFFIXES = (".py", ".txt")


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
            if path.is_file() and path not in found.values():
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
