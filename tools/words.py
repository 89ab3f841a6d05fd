"""What is still to do in a file of words: `python -m tools.words fr.toml`."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from tabletop.core.errors import InputError
from tabletop.core.toml_file import TomlFile, read_toml
from tabletop.views.i18n.catalogue import FOLDER, SECTIONS, SOURCE, SUFFIX, line_fault

LONGEST_LABEL = 9  # letters: two labels stand side by side on a screen of 21
UNFINISHED_STATUS, UNUSABLE_STATUS = 1, 2


def findings(file: TomlFile) -> Iterator[str]:
    """Yield a line for each text that is missing, wrong, too long for the bottom line, or shown by no game of ours."""
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


def main(words: Sequence[str]) -> int:
    """Check the files of the command line; status 0 if nothing is left to do, 1 if something is, 2 without a file."""
    if not words or any(word.startswith("-") for word in words):
        sys.stderr.write(f"expected a file of words, such as fr{SUFFIX}, got {' '.join(words) or 'none'}\n")
        return UNUSABLE_STATUS
    found: list[str] = []
    try:
        for word in words:
            found += findings(read_toml(Path(word)))
    except InputError as error:
        sys.stderr.write(f"{error}\n")
        return UNUSABLE_STATUS
    sys.stdout.write("".join(f"{line}\n" for line in found) or "all texts are there\n")
    return UNFINISHED_STATUS if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
