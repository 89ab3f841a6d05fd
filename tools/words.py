"""Check a language file, `python -m tools.words fr.toml`, or the English of a page, `python -m tools.words A.md`."""

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from tabletop.core.errors import InputError
from tabletop.core.toml_file import TomlFile, read_toml
from tabletop.views.i18n.catalogue import FOLDER, SECTIONS, SOURCE, SUFFIX, line_fault

LONGEST_LABEL = 9  # letters: two labels stand side by side on a screen of 21
UNFINISHED_STATUS, UNUSABLE_STATUS = 1, 2
PAGE_SUFFIX = ".md"


class Avoided(NamedTuple):
    """Words to avoid in English texts, as a pattern.

    instead: what to write. reason: why a native engineer would not write them.
    """

    pattern: str
    instead: str
    reason: str


BOOKISH, LONG, TRANSLATED = "bookish", "a longer way to say the same", "translated word by word from German"
AVOIDED = (
    Avoided(r"who(?:so)?ever|whomever", "anyone who, the player who", BOOKISH),
    Avoided(r"anew", "again", BOOKISH),
    Avoided(r"seldom", "rarely", BOOKISH),
    Avoided(r"mend(?:s|ed|ing)?", "fix, repair", BOOKISH),
    Avoided(r"heed(?:s|ed)?", "follow, respect", BOOKISH),
    Avoided(r"lest|whilst|amongst|till", "in case, while, among, until", BOOKISH),
    Avoided(r"(?:there|here)(?:by|in|of)|where(?:by|in|of)", "name the thing again", BOOKISH),
    Avoided(r"in the midst of|amid(?:st)?", "during, in the middle of", BOOKISH),
    Avoided(r"in order to", "to", LONG),
    Avoided(r"due to the fact that|owing to", "because", LONG),
    Avoided(r"utili[sz](?:e|es|ed|ing|ation)", "use", LONG),
    Avoided(r"concerning", "about", LONG),
    Avoided(r"of course|obviously|needless to say", "leave it out", "a reader who does not know feels stupid"),
    Avoided(r"per cent", "%", "one form for one thing"),
    Avoided(r"(?:player|one|body|who)s? [^.|]*?\b(?:he|him|his|himself)", "they, their", "a player may be anyone"),
    Avoided(r"(?:by|of) (?:itself|themselves)", "automatically, alone", "means alone; von selbst is automatically"),
    Avoided(r"one's own", "your own", "speak to the reader"),
    Avoided(r"(?:is|are|was|were) (?:told|said)(?! to\b)", "show, report, print", "people are told, facts are shown"),
    Avoided(r"(?<!there )(?:is|are|was|were) no (?!longer|more|less|fewer|later)\w+", "is not a", TRANSLATED),
    Avoided(r"as ever", "as before", TRANSLATED),
    Avoided(r"of (?:before|then|now)", "earlier, current", TRANSLATED),
    Avoided(r"what stands", "what is, what follows", "texts are there; only things with feet stand"),
    Avoided(r"bears", "withstands, carries", TRANSLATED),
    Avoided(r"hinder(?:s|ed|ing)?", "prevent, disturb", TRANSLATED),
    Avoided(r"besides(?=\s*(?:$|[|,;.:)]))", "also, too", "at the end of a clause it is translated"),
    Avoided(r"(?:^|(?<=[.;:|] ))(?-i:Where) [^.?|:]*,", "if", "where is a place, if is a condition"),
    Avoided(r"so[- ]called", "leave it out", "sounds like doubt about the name"),
    Avoided(r"resp\.", "or, and", TRANSLATED),
    Avoided(r"(?:allow|permit|enable)s? to", "lets you", "needs an object in English"),
    Avoided(r"informations|advices|softwares|hardwares|feedbacks", "the singular", "has no plural"),
)
WORDS_TO_AVOID = [
    (word, re.compile(rf"(?<![\w/.'-])(?:{word.pattern})(?![\w/'-])", re.IGNORECASE | re.MULTILINE)) for word in AVOIDED
]
# What is code, quoted, an address or the name of a file is not our English.
CITED = re.compile(r"```.*?```|``[^`]+``|`[^`]*`|\"[^\"\n]*\"|\]\([^)]*\)|<[^>\n]*>|https?://\S+", re.DOTALL)


def words_to_avoid(text: str) -> Iterator[tuple[int, str]]:
    """Yield the line, from 1, and the finding for each word to avoid in a text in English; Markdown if it is a page."""
    own = CITED.sub(lambda cited: "\n" * cited[0].count("\n") or "X", text)
    for word, pattern in WORDS_TO_AVOID:
        for found in pattern.finditer(own):
            line = own.count("\n", 0, found.start()) + 1
            yield line, f"expected {word.instead}, got {found[0].strip()!r}: {word.reason}"


def findings(file: TomlFile) -> Iterator[str]:
    """Yield a line for each text that is missing, wrong, too long for the bottom line, or not used by any game."""
    template = read_toml(FOLDER / f"{SOURCE}{SUFFIX}")
    for section in SECTIONS:
        wanted, there = template.table(section), file.table(section)
        for text in wanted:
            if not there.get(text):
                yield f'{file.path}: missing in [{section}]: "{text}"'
        for text in there:
            wrong = _line_error(section, text, there, wanted)
            if wrong:
                yield f'{file.place(f"{section}.{text}")}: "{text}": expected {wrong}'
    for section in file.values:
        if section not in (*SECTIONS, "language"):
            yield f"{file.place(section)}: expected one of the sections {', '.join(SECTIONS)}, got {section}"


def _line_error(section: str, text: str, there: Mapping[str, object], wanted: Mapping[str, object]) -> str:
    """Return what is wrong with a line, empty if all is well."""
    translation = there[text]
    if not isinstance(translation, str):
        return f'words in "quotes", got {translation}'
    if text not in wanted:
        return f"a text of {SOURCE}{SUFFIX}, got one that only a game of your own could show"
    if section == "buttons" and len(translation) > LONGEST_LABEL:
        return f"{LONGEST_LABEL} letters at most, got {translation!r} with {len(translation)}"
    return line_fault(text, translation)


def page_findings(path: Path) -> Iterator[str]:
    """Yield a line for each word to avoid in a page."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise InputError(f"{path}: expected a page, got {error.strerror}") from error
    for line, finding in sorted(words_to_avoid(text)):
        yield f"{path}, line {line}: {finding}"


def main(words: Sequence[str]) -> int:
    """Check the given files; status 0 if nothing is left to do, 1 if something is, 2 without a file."""
    if not words or any(word.startswith("-") for word in words):
        sys.stderr.write(f"expected a language file or a page, such as fr{SUFFIX}, got {' '.join(words) or 'none'}\n")
        return UNUSABLE_STATUS
    found: list[str] = []
    try:
        for path in map(Path, words):
            found += page_findings(path) if path.suffix == PAGE_SUFFIX else findings(read_toml(path))
    except InputError as error:
        sys.stderr.write(f"{error}\n")
        return UNUSABLE_STATUS
    done = "no words to avoid" if all(word.endswith(PAGE_SUFFIX) for word in words) else "all texts are there"
    sys.stdout.write("".join(f"{line}\n" for line in found) or f"{done}\n")
    return UNFINISHED_STATUS if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
