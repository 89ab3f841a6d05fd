"""Languages: files in which anybody can write what the table says in another one.

A file has a section for each kind of text, and in it a line for each English text: `"throw {n} dice" = "{n} Würfel
werfen"`. The English side is the id of a message (`core.message`), or a word of the rules, such as a box of the sheet:
it is looked up, nothing is matched. A text that the file does not have stays English: a game of one's own is played in
its author's words.

    language = load_language("de")           # or a file: load_language("my/fr.toml")
    language.translate(say("one die is missing"), ("hints",))

python -m tabletop.views.i18n.lint fr.toml    # what is missing, wrong or too long
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from tabletop.core.errors import InputError
from tabletop.core.message import Joined, Message
from tabletop.core.toml_file import TomlFile, read_toml
from tabletop.views.i18n.templates import KINDS, kind, line_fault

FOLDER = Path(__file__).with_name("words")
SUFFIX = ".toml"
SOURCE = "en"  # the language of the program itself, and the file that lists all texts
NAME = "language"  # the line of a file that says how its language calls itself
SECTIONS = (
    *("buttons", "asks", "offers", "choices", "sheet", "hints", "doubts", "said", "endings"),
    *("titles", "menus", "notes", "log", "games", "options", "help", "mat", "screen"),
)
WORDS = ("choices", "sheet", "doubts", "games", "options", "help")  # plain strings are looked up only here
AND = " and "  # between the last two of several names
LONGEST_WORD = 60  # characters of a wrong language that are compared; a longer one is no slip of the finger
_NAME_LINE = re.compile(rf'^{NAME} *= *"(.+)"', re.MULTILINE)


@dataclass(frozen=True, eq=False)
class Language:
    """What the table says in one language.

    code: "de", or where a file of one's own is. name: as its speakers call it. sections: section -> English text ->
    translation, empty if there is none yet.
    """

    code: str = SOURCE
    name: str = "English"
    sections: Mapping[str, Mapping[str, str]] = field(default_factory=dict, repr=False)
    _merged: dict[tuple[str, ...], dict[str, str]] = field(default_factory=dict, repr=False)

    def translate(self, text: str, sections: tuple[str, ...]) -> str:
        """Return a text in this language. sections: where its context is looked up first.

        A plain string is taken for a word of the rules; what is none of these sections' words is returned as it is.
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
        """Return what the first of these sections that has this text makes of it, the text itself if none has it."""
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
    """Return the languages that come with the program: code -> name as its speakers call it; English first."""
    codes = sorted((path.stem for path in FOLDER.glob(f"*{SUFFIX}")), key=lambda code: (code != SOURCE, code))
    texts = {code: (FOLDER / f"{code}{SUFFIX}").read_text(encoding="utf-8") for code in codes}
    return {code: found[1] if (found := _NAME_LINE.search(text)) else code for code, text in texts.items()}


def load_language(word: str) -> Language:
    """Return the language of this code, or of a file that ends in .toml.

    Raises InputError if there is none, and naming file and line of the first mistake.
    """
    if word == SOURCE:
        return ENGLISH
    if word.endswith(SUFFIX):
        return replace(of_file(read_toml(Path(word))), code=str(Path(word).resolve()))
    path = FOLDER / f"{word}{SUFFIX}"
    if not word.isalnum() or not path.is_file():
        known = ", ".join(f'"{code}" for {name}' for code, name in sorted(languages().items()))
        raise InputError(f"expected a language ({known}) or a file that ends in {SUFFIX}, got {word!r}{_nearest(word)}")
    return of_file(read_toml(path))


def _nearest(word: str) -> str:
    """Return which language was probably meant by a locale or a name; empty if none is like it."""
    meant = {code: code for code in languages()} | {name.lower(): code for code, name in languages().items()}
    near = get_close_matches(_code_of(word[:LONGEST_WORD]), meant, n=1)
    return f'; nearest: "{meant[near[0]]}"' if near else ""


def _code_of(locale: str) -> str:
    """Return the language's code of a locale as POSIX has it: "de_DE.UTF-8" is "de"."""
    return re.split(r"[_.@-]", locale)[0].lower()


def of_file(file: TomlFile) -> Language:
    """Check a file as read; raises InputError naming the line of the first mistake."""
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
                raise InputError(f"{file.place(f'{section}.{text}')}: expected {wrong}")
        sections[section] = lines
    return Language(file.path.stem, _name(file), sections)


def of_environment(environ: Mapping[str, str]) -> str:
    """Return the code of the language that the environment asks for, English where it asks for none that is there.

    As POSIX has it, the first of LC_ALL, LC_MESSAGES and LANG that is set counts: "de_DE.UTF-8" is "de".
    """
    word = next((environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if environ.get(name)), SOURCE)
    code = _code_of(word)
    return code if code.isalnum() and (FOLDER / f"{code}{SUFFIX}").is_file() else SOURCE


def _name(file: TomlFile) -> str:
    name: Any = file.values.get(NAME, file.path.stem)
    if not isinstance(name, str) or not name:
        raise file.wrong(NAME, 'the name of the language in "quotes"', name)
    return name
