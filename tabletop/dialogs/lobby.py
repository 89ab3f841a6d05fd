"""The picture, kind and duration of each game, for the list in which people choose one."""

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

TABLE = Path(__file__).with_name("lobby.toml")


@dataclass(frozen=True, slots=True)
class Tile:
    """The lobby entry of a game. kind: see `lobby.toml`. faces: typical ones. minutes: 0 if unknown."""

    kind: str = ""
    faces: str = ""
    minutes: int = 0


@cache
def tiles() -> dict[str, Tile]:
    """Return the tile of each built-in game, by its id."""
    return {game: Tile(**told) for game, told in tomllib.loads(TABLE.read_text(encoding="utf-8")).items()}
