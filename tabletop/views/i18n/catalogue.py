"""Languages: files in which anybody can write what the table says in another one.

A file has a section for each kind of text, and in it a line for each English text: `"throw {n} dice" = "{n} Würfel
werfen"`. What stands in braces is filled in; its name says what it can be (`KINDS`), so that a player called Chance is
never taken for the box. A text is looked up as it stands, else among the lines with braces, the one with the most
letters of its own first. What no line tells stays English: a game of one's own is played in its author's words.

    language = load_language("de")           # or a file: load_language("my/fr.toml")
    language.said("one die is missing", ("hints",))

python -m tabletop.views.i18n.lint fr.toml    # what is missing, wrong or too long
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from tabletop.core.errors import InputError
from tabletop.core.toml_file import TomlFile, read_toml
from tabletop.views.i18n.templates import KINDS, KNOWN, LISTS, PLACEHOLDER, Template, line_fault

FOLDER = Path(__file__).with_name("words")
SUFFIX = ".toml"
SOURCE = "en"  # the language of the program itself, and the file that lists all texts
NAME = "language"  # the line of a file that says how its language calls itself
SECTIONS = (
    *("buttons", "asks", "offers", "choices", "sheet", "hints", "doubts", "said", "endings"),
    *("titles", "menus", "notes", "log", "games", "options", "help", "screen"),
)
_NAME_LINE = re.compile(rf'^{NAME} *= *"(.+)"', re.MULTILINE)
REMEMBERED_TEXTS = 4096  # a match shows a few hundred; numbers in them make more over an evening
LIST_COMMA, LIST_AND = ", ", " and "
BETWEEN_SAID = "; "  # between things that were said one after the other


@dataclass(frozen=True, eq=False)
class Language:
    """What the table says in one language.

    code: "de", or where a file of one's own is. name: as its speakers call it. sections: section -> English text ->
    translation, empty where there is none yet. The same text again costs a look into a dict.
    """

    code: str = SOURCE
    name: str = "English"
    sections: Mapping[str, Mapping[str, str]] = field(default_factory=dict, repr=False)
    _remembered: dict[tuple[str, tuple[str, ...]], str] = field(default_factory=dict, repr=False)
    _ordered: dict[tuple[str, ...], list[Template]] = field(default_factory=dict, repr=False)

    def translate(self, text: str, sections: tuple[str, ...]) -> str:
        """Return a text in this language, looked up in these sections in order; as it is where no line tells it."""
        key = (text, sections)
        told = self._remembered.get(key)
        if told is None:
            if len(self._remembered) >= REMEMBERED_TEXTS:
                self._remembered.clear()
            found = self.found(text, sections) if text else text
            told = self._remembered[key] = text if found is None else found
        return told

    def found(self, text: str, sections: tuple[str, ...]) -> str | None:
        """Return a text in this language, None where no line tells it."""
        exact = [self.sections[section][text] for section in sections if text in self.sections.get(section, ())]
        if exact:
            return next(filter(None, exact), text)
        said = text.split(BETWEEN_SAID)
        if len(said) > 1:
            told = [one for one in (self.found(one, sections) for one in said) if one is not None]
            if len(told) == len(said):
                return BETWEEN_SAID.join(told)
        for template in self._templates(sections):
            parts = template.parts(text)
            if parts is not None:
                return self._filled(template.translation, parts)
        return None

    def _templates(self, sections: tuple[str, ...]) -> list[Template]:
        """Return the lines with braces of these sections, those with most letters of their own first."""
        known = self._ordered.get(sections)
        if known is None:
            lines = (line for section in sections for line in self.sections.get(section, {}).items())
            templates = [Template(text, told, self._pattern_of) for text, told in lines if "{" in text]
            known = self._ordered[sections] = sorted(templates, key=lambda template: -template.letters)
        return known

    def _pattern_of(self, kind: str) -> str:
        """Return what can stand for a placeholder of this kind."""
        pattern, sections = KINDS[kind]
        if KNOWN not in pattern:
            return pattern
        lines = {text for section in sections for text in self.sections.get(section, {}) if "{" not in text}
        known = "|".join(re.escape(text) for text in sorted(lines, key=len, reverse=True))
        return pattern.replace(KNOWN, known or r"\b\B")  # without any, what matches nothing

    def _filled(self, translation: str, parts: Mapping[str, str]) -> str:
        return PLACEHOLDER.sub(lambda place: self._part(place[1], parts[place[1] + place[2]]), translation)

    def _part(self, kind: str, text: str) -> str:
        if kind == "names":
            joined = self.translate(LIST_AND.strip(), ("screen",))
            return text.replace(LIST_AND, f" {joined} ")
        sections = KINDS[kind][1]
        if kind in LISTS:
            return LIST_COMMA.join(self._listed(text.split(LIST_COMMA), sections))
        return self.translate(text, sections) if sections else text

    def _listed(self, parts: list[str], sections: tuple[str, ...]) -> Iterator[str]:
        """Yield the parts of a list in this language; some have commas themselves, as Ship, Captain, Mate, and Crew."""
        at = 0
        while at < len(parts):
            longer = (LIST_COMMA.join(parts[at:end]) for end in range(len(parts), at + 1, -1))
            whole = next(
                (one for one in longer if any(one in self.sections.get(name, ()) for name in sections)), parts[at]
            )
            yield self.translate(whole, sections)
            at += whole.count(LIST_COMMA) + 1


ENGLISH = Language()


def languages() -> dict[str, str]:
    """Return the languages that come with the program: code -> name as its speakers call it; English first."""
    codes = sorted((path.stem for path in FOLDER.glob(f"*{SUFFIX}")), key=lambda code: (code != SOURCE, code))
    texts = {code: (FOLDER / f"{code}{SUFFIX}").read_text(encoding="utf-8") for code in codes}
    return {code: found[1] if (found := _NAME_LINE.search(text)) else code for code, text in texts.items()}


def load_language(word: str) -> Language:
    """Return the language of this code, or of a file that ends in .toml.

    Raises InputError where there is none, and naming file and line of the first mistake.
    """
    if word == SOURCE:
        return ENGLISH
    if word.endswith(SUFFIX):
        return replace(of_file(read_toml(Path(word))), code=str(Path(word).resolve()))
    path = FOLDER / f"{word}{SUFFIX}"
    if not word.isalnum() or not path.is_file():
        known = ", ".join(sorted(path.stem for path in FOLDER.glob(f"*{SUFFIX}")))
        raise InputError(f"expected a language ({known}) or a file that ends in {SUFFIX}, got {word!r}")
    return of_file(read_toml(path))


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
    code = re.split(r"[_.@-]", word)[0].lower()
    return code if code.isalnum() and (FOLDER / f"{code}{SUFFIX}").is_file() else SOURCE


def _name(file: TomlFile) -> str:
    name: Any = file.values.get(NAME, file.path.stem)
    if not isinstance(name, str) or not name:
        raise file.wrong(NAME, 'the name of the language in "quotes"', name)
    return name
