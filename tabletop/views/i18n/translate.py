"""Translate a snapshot, as the last step before a view draws it. Pure.

The rules of a game are in one file for each game and language in `rules/`; the English text is `GAME.help`, in the
game's own file.
"""

from collections.abc import Mapping
from dataclasses import fields, replace
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from tabletop.core import InputError, Message
from tabletop.rules.catalog import load
from tabletop.views.i18n.catalogue import ENGLISH_PHRASES, Language, Strings
from tabletop.views.snapshot import Asking, Entry, MenuView, Option, Snapshot, Spelling

RULES_FOLDER = Path(__file__).with_name("rules")


@cache
def rules_text(code: str, game: str, english: str) -> str:
    """Return the rules of a game in this language, in English if they are not translated.

    code: of the language, "de". game: its English name. english: its text; a custom game with the name of a built-in
    one keeps its own text.
    """
    if not code.isalnum() or not (RULES_FOLDER / code).is_dir():
        return english
    try:
        found = load(game)[0]
    except InputError:
        return english
    path = RULES_FOLDER / code / f"{found.id}.txt"
    return path.read_text(encoding="utf-8").strip() if found.help == english and path.is_file() else english


# The sections in which each text of a snapshot is looked up, in order.
GAME = ("games",)
HINT = ("hints", "said", "endings")
OFFER = ("offers", "choices", "sheet")
SHEET = ("sheet", "choices")
TITLE = ("titles", "games", "options", "choices")
ITEM = ("menus", "log", "games", "options", "choices", "sheet")
NOTE = ("notes", "help", "log", "hints")
LOG = ("log",)
LINES: Mapping[str, tuple[str, ...]] = {
    "game": GAME,
    "ask": ("asks",),
    "offer": OFFER,
    "question": ("asks",),
    "hint": HINT,
    "hold": ("buttons",),
    "bank": ("buttons",),
    "why": ("endings",),
    "cheer": ("said", "games", "sheet"),
}


def translated(snapshot: Snapshot, language: Language) -> Snapshot:
    """Return the snapshot with its texts translated; names of players are unchanged."""
    if not language.sections:
        return snapshot
    said = language.translate
    lines: dict[str, Any] = {name: said(getattr(snapshot, name), sections) for name, sections in LINES.items()}
    return replace(
        snapshot,
        **lines,
        sheet=tuple(tuple(said(cell, SHEET) for cell in row) for row in snapshot.sheet),
        menu=snapshot.menu and _menu(snapshot.menu, language),
        spelling=snapshot.spelling and _spelling(snapshot.spelling, language),
        entry=snapshot.entry and _entry(snapshot.entry, language),
        asking=snapshot.asking and _asking(snapshot.asking, language),
        happened=tuple(said(event, LOG) for event in snapshot.happened),
        rules=rules_text(language.code, snapshot.game, snapshot.rules),
        phrases=phrases(language),
        language=language,
    )


@lru_cache(maxsize=4)
def phrases(language: Language) -> Strings:
    """Return the views' fixed texts in this language."""

    def said(words: str | tuple[str, ...] | Mapping[str, str]) -> Any:  # noqa: ANN401 - of the same type
        if isinstance(words, str):
            return language.template(words, ("screen",))
        if isinstance(words, tuple):
            return tuple(map(said, words))
        return {name: said(line) for name, line in words.items()}

    return Strings(**{field.name: said(getattr(ENGLISH_PHRASES, field.name)) for field in fields(Strings)})


def _menu(menu: MenuView, language: Language) -> MenuView:
    sections = SHEET if menu.sheet else ITEM
    items = [item if at in menu.given else language.translate(item, sections) for at, item in enumerate(menu.items)]
    return replace(
        menu, title=language.translate(menu.title, TITLE), items=tuple(items), note=language.translate(menu.note, NOTE)
    )


def _entry(entry: Entry, language: Language) -> Entry:
    """Return the entry in the language: not a player's name, but where a die lies."""
    return replace(entry, who=language.translate(entry.who, ("doubts",))) if isinstance(entry.who, Message) else entry


def _asking(asking: Asking, language: Language) -> Asking:
    said = language.translate

    def put(option: Option) -> Option:
        return replace(option, label=said(option.label, OFFER), group=said(option.group, OFFER))

    options, boxes = tuple(map(put, asking.options)), tuple(map(put, asking.boxes))
    return replace(asking, options=options, boxes=boxes, bank=asking.bank and put(asking.bank))


def _spelling(spelling: Spelling, language: Language) -> Spelling:
    letters = (language.translate(letter, ITEM) for letter in spelling.letters)
    return replace(spelling, title=language.translate(spelling.title, TITLE), letters=tuple(letters))
