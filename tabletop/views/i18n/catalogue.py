"""Languages: translation files that anybody can write.

A file has a section for each kind of text, with a line for each English text: `"throw {n} dice" = "{n} Würfel werfen"`.
The English side is the id of a message (`core.message`), or a word of the rules, such as a box of the sheet. Texts
missing in the file stay English: a custom game is shown in its author's words.
"""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from string import Formatter
from typing import Any

from tabletop.core import errors, toml_file
from tabletop.core.message import Joined, Message

# The placeholders, each with the sections in which a plain word that fills it is looked up, if any. A second one of its
# kind is numbered: {n}, {n2}.
KINDS: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("n", "name", "names", "text"), ()),
    "faces": ("sheet",),  # or "nothing"
    **dict.fromkeys(("box", "boxes"), ("choices", "sheet")),
    **dict.fromkeys(("option", "value", "settings"), ("options",)),
    **dict.fromkeys(("game", "games"), ("games",)),
    **dict.fromkeys(("place", "reason"), ("doubts",)),
    "why": ("endings",),
    "entry": ("log", "choices", "sheet"),
    "then": ("log",),
}


def kind(placeholder: str) -> str:
    """Return the kind of a placeholder: "n" of "n2"."""
    return placeholder.rstrip("0123456789")


def placeholders(text: str) -> tuple[str, ...]:
    """Return the names in braces, in order; raises ValueError for a brace that does not enclose one."""
    return tuple(name for _, name, _, _ in Formatter().parse(text) if name is not None)


def line_fault(text: str, translation: str) -> str:
    """Return what is wrong with the braces of a line, empty if nothing; a missing translation is fine."""
    for side in (text, translation):
        try:
            names = placeholders(side)
        except ValueError:
            return f"braces only around a word, as in {{n}}, got {side!r}"
        unknown = [name for name in names if kind(name) not in KINDS]
        if unknown:
            return f"in braces one of {', '.join(KINDS)}, got {{{unknown[0]}}}"
    if translation and sorted(placeholders(text)) != sorted(placeholders(translation)):
        wanted = " ".join(f"{{{name}}}" for name in placeholders(text)) or "no braces"
        return f"{wanted} on both sides, got {translation!r}"
    return ""


FOLDER = Path(__file__).with_name("words")
SUFFIX = ".toml"
SOURCE = "en"  # the program's own language, and the file that lists all texts
NAME = "language"  # the line of a file with the language's own name
SECTIONS = (
    *("buttons", "asks", "offers", "choices", "sheet", "hints", "doubts", "said", "endings"),
    *("titles", "menus", "notes", "log", "games", "options", "house", "help", "mat", "screen"),
)
WORDS = ("choices", "sheet", "doubts", "games", "options", "help")  # plain strings are looked up only here
AND = " and "  # between the last two of several names
# A line of en.toml whose two sides differ.
_REWORDED = re.compile(r'^"(?P<id>(?:[^"\\]|\\.)*)" = (?!"(?P=id)"$)', re.MULTILINE)
_NAME_LINE = re.compile(rf'^{NAME} *= *"(.+)"', re.MULTILINE)


@dataclass(frozen=True, eq=False)
class Language:
    """A language of the table.

    code: "de", or the path of a custom file. name: as its speakers call it. sections: section -> English text ->
    translation, empty if there is none yet.
    """

    code: str = SOURCE
    name: str = "English"
    sections: Mapping[str, Mapping[str, str]] = field(default_factory=dict, repr=False)
    _merged: dict[tuple[str, ...], dict[str, str]] = field(default_factory=dict, repr=False)

    def translate(self, text: str, sections: tuple[str, ...]) -> str:
        """Translate a text. sections: where to look it up first.

        A plain string is treated as a word of the rules; one that is in none of these sections is returned unchanged.
        """
        if isinstance(text, Joined):
            between = f" {self.template('and', ('screen',))} " if text.between == AND else text.between
            return between.join(self.translate(part, sections) for part in text.parts)
        if isinstance(text, Message):
            line = self._line(text, (*sections, *SECTIONS))
            return line.format_map(self._filled(text.arguments)) if text.arguments else line
        if not text:
            return text
        return self.template(text, tuple(name for name in sections if name in WORDS))

    def template(self, text: str, sections: tuple[str, ...]) -> str:
        """Return the translation from the first of these sections that has this text, else the text itself."""
        return self._lines(sections).get(text, text)

    def _line(self, message: Message, sections: tuple[str, ...]) -> str:
        """Return the line for a message; one with the figure 1 in place of {n} is for a single point, token, ..."""
        lines = self._lines(sections)
        line = lines.get(message.id, message.id)
        return lines.get(message.id.replace("{n}", "1"), line) if message.arguments.get("n") == 1 else line

    def _lines(self, sections: tuple[str, ...]) -> Mapping[str, str]:
        """Return the lines of these sections, the first section's for a text that several have."""
        if sections not in self._merged:
            there = [self.sections.get(name, {}) for name in reversed(sections)]
            self._merged[sections] = {text: line for lines in there for text, line in lines.items() if line}
        return self._merged[sections]

    def _filled(self, arguments: Mapping[str, str | int]) -> Mapping[str, str | int]:
        return {
            name: self.translate(value, KINDS.get(kind(name), ())) if isinstance(value, str) else value
            for name, value in arguments.items()
        }


ENGLISH = Language()


def languages() -> dict[str, str]:
    """Return the built-in languages: code -> the language's own name; English first."""
    codes = sorted((path.stem for path in FOLDER.glob(f"*{SUFFIX}")), key=lambda code: (code != SOURCE, code))
    texts = {code: (FOLDER / f"{code}{SUFFIX}").read_text(encoding="utf-8") for code in codes}
    return {code: found[1] if (found := _NAME_LINE.search(text)) else code for code, text in texts.items()}


def load_language(word: str) -> Language:
    """Load a language by its code, or from a file that ends in .toml. English may be reworded by en.toml.

    Raises InputError if there is none, or naming file and line of the first mistake.
    """
    if word == SOURCE:
        path = FOLDER / f"{SOURCE}{SUFFIX}"  # reading it takes 3 ms, parsing it 20
        return of_file(toml_file.read_toml(path)) if _REWORDED.search(path.read_text(encoding="utf-8")) else ENGLISH
    if word.endswith(SUFFIX):
        return replace(of_file(toml_file.read_toml(Path(word))), code=str(Path(word).resolve()))
    path = FOLDER / f"{word}{SUFFIX}"
    if not word.isalnum() or not path.is_file():
        known = ", ".join(f'"{code}" for {name}' for code, name in sorted(languages().items()))
        raise errors.InputError(f"expected a language ({known}) or a file that ends in {SUFFIX}, got {word!r}")
    return of_file(toml_file.read_toml(path))


def of_file(file: toml_file.TomlFile) -> Language:
    """Validate a parsed file; raises InputError naming the line of the first mistake."""
    file.check_names((NAME, *SECTIONS))
    sections: dict[str, Mapping[str, str]] = {}
    for section in SECTIONS:
        lines = file.table(section)
        for text, translation in lines.items():
            wrong = (
                line_fault(text, translation)
                if isinstance(translation, str)
                else f'words in "quotes", got {translation}'
            )
            if wrong:
                raise errors.InputError(f"{file.place(f'{section}.{text}')}: expected {wrong}")
        sections[section] = lines
    name = file.values.get(NAME, file.path.stem)
    if not isinstance(name, str) or not name:
        raise file.wrong(NAME, 'the name of the language in "quotes"', name)
    return Language(file.path.stem, name, sections)


def of_environment(environ: Mapping[str, str]) -> str:
    """Return the language code that the environment asks for, English if it asks for none that exists.

    As in POSIX, the first of LC_ALL, LC_MESSAGES and LANG that is set counts: "de_DE.UTF-8" is "de".
    """
    word = next((environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if environ.get(name)), SOURCE)
    code = re.split(r"[_.@-]", word)[0].lower()
    return code if code.isalnum() and (FOLDER / f"{code}{SUFFIX}").is_file() else SOURCE


@dataclass(frozen=True, slots=True)
class Strings:
    """The fixed texts of the views, from `views.toml`, by their names there.

    page: texts used only by the page in a browser, by their names in its scripts (`page.toml`); form: texts of its
    lobby (`form.toml`); past: of its history (`past.toml`); start: of the first steps (`start.toml`). language_code: of
    the language of these texts (BCP 47).
    """

    language_code: str
    page: Mapping[str, str] = field(hash=False, repr=False)
    form: Mapping[str, str] = field(hash=False, repr=False)
    past: Mapping[str, str] = field(hash=False, repr=False)
    start: Mapping[str, str] = field(hash=False, repr=False)
    moment: str
    paused: str
    wins: str
    win: str
    joined: str
    threw: str
    seat: str
    no_letters: str
    die_of: str
    at_stake: str
    bank: str
    stop: str
    still_open: str
    score: str
    thrown: str
    no_dice: str
    no_picture: str
    enlarge: str
    tray_keys: tuple[str, ...]
    keys: tuple[str, ...]
    happened: str
    unknown_key: str
    this_key: str
    help_titles: tuple[str, ...]
    help_rules: str
    help_more: str
    help_end: str
    help_keys: tuple[str, ...]
    help_dice: tuple[str, ...]
    help_asks: tuple[str, ...]
    other_name: str


def _own_words(name: str) -> dict[str, Any]:
    """Return the English words of a file beside this one; several lines of one name as a tuple."""
    words = tomllib.loads(Path(__file__).with_name(name).read_text(encoding="utf-8"))
    return {key: tuple(text) if isinstance(text, list) else text for key, text in words.items()}


ENGLISH_PHRASES = Strings(
    SOURCE,
    _own_words("page.toml"),
    _own_words("form.toml"),
    _own_words("past.toml"),
    _own_words("start.toml"),
    **_own_words("views.toml"),
)


@cache
def trial_players() -> frozenset[tuple[str, ...]]:
    """Return the made-up players of trial matches, in each built-in language."""
    line = re.compile(f'^"{ENGLISH_PHRASES.page["samples"]}" = "(.+)"', re.MULTILINE)
    texts = (path.read_text(encoding="utf-8") for path in FOLDER.glob(f"*{SUFFIX}"))
    return frozenset(tuple(found[1].split(", ")) for text in texts for found in line.finditer(text))
