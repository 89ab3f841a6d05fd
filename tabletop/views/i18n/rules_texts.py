"""How each game is played, in other languages: a file a game, in `rules/LANGUAGE/`.

The English text is `GAME.help`, in the game's own file.
"""

from functools import lru_cache
from pathlib import Path

from tabletop.core.errors import InputError
from tabletop.rules.catalog import load

FOLDER = Path(__file__).with_name("rules")


@lru_cache(maxsize=8)
def rules_text(code: str, game: str, english: str) -> str:
    """Return how a game is played in this language; the English text where nobody has translated it.

    code: of the language, "de". game: its English name. english: its text; a game of one's own that is called like a
    built-in one keeps its own.
    """
    if not code.isalnum() or not (FOLDER / code).is_dir():
        return english
    try:
        found = load(game)[0]
    except InputError:
        return english
    path = FOLDER / code / f"{found.id}.txt"
    return path.read_text(encoding="utf-8").strip() if found.help == english and path.is_file() else english
