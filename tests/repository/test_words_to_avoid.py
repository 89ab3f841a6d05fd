"""Pages and messages are in plain English: none has a word of the list in tools/words.py."""

from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import pytest

from tabletop.core.toml_file import read_toml
from tabletop.rules import load
from tabletop.rules.catalog import built_in_ids
from tools.words import AVOIDED, Avoided, page_findings, words_to_avoid

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("tabletop", "hardware", "calibration", "systemd", "tools", "tests", "examples")
I18N = ROOT / "tabletop" / "views" / "i18n"
MESSAGES = ("words/en.toml", "views.toml", "house_rules.toml", "page.toml", "form.toml")

# A sentence as a native engineer would not write it, for each entry of the list, in its order.
WRONG = (
    "Whoever leaves is skipped.", "Read it anew.", "This is seldom needed.", "The profile was mended.",
    "Players who left are heeded.", "Wait till it is dark.", "The file is read, whereby it grows.",
    "In the midst of a turn nothing is stored.", "Press it in order to go on.", "Owing to the lamp it is unsure.",
    "It utilizes two cores.", "A line concerning the camera.", "Of course it is dark.", "Five per cent are wrong.",
    "A player may throw as he likes.", "It starts by itself.", "Bring one's own dice.", "The reason is told once.",
    "A covered die is no fault.", "It plays as ever.", "The weights of before are kept.", "See what stands below.",
    "The table bears glare.", "Glare hinders the reader.", "What a Pi needs besides.",
    "Where the disk is full, throws wait.", "The so-called rail.", "Press HOLD resp. BANK.",
    "This allows to undo it.", "It has more informations.",
)  # fmt: skip
RIGHT = (
    "There is no rest, and it is no longer asked.",
    'Is there no die? `anew` is code, "whoever" is quoted, [a link](docs/mend.md) is an address.',
    "```\nwhoever = he\n```",
    "Where is a frame read?",
    "The place where the camera stands: it bends by 2 mm, besides a lamp.",
    "Ben took his throw, and Ann is told to look again.",
    "Here the other-than-usual hers, till/receipt and https://example.org/anew are names.",
)


def pages() -> list[Path]:
    readmes = chain.from_iterable((ROOT / folder).rglob("README.md") for folder in FOLDERS)
    return [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md")), *sorted(readmes)]


def texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from texts(inner)


def test_no_page_has_a_word_to_avoid() -> None:
    """Write what the finding says instead; `python -m tools.words PAGE` repeats it."""
    assert len(pages()) > 40
    assert [finding for page in pages() for finding in page_findings(page)] == []


@pytest.mark.parametrize("name", MESSAGES)
def test_no_message_has_a_word_to_avoid(name: str) -> None:
    """What the table says in English, on every screen."""
    said = list(texts(read_toml(I18N / name).values))
    assert said
    assert [(text, finding) for text in said for _, finding in words_to_avoid(text)] == []


def test_no_rules_of_a_game_have_a_word_to_avoid() -> None:
    """What `tabletop games GAME` and the help key show, with the line of each option."""
    for game_id in sorted(built_in_ids()):
        game, _ = load(game_id)
        said = (game.help, *(option.help for option in game.options))
        assert [(game_id, finding) for text in said for _, finding in words_to_avoid(text)] == []


@pytest.mark.parametrize(("avoided", "sentence"), [*zip(AVOIDED, WRONG, strict=True)])
def test_each_word_is_found(avoided: Avoided, sentence: str) -> None:
    """Once, in its line, by its own entry."""
    ((line, finding),) = words_to_avoid(f"A first line.\n{sentence}\n")
    assert line == 2
    assert finding.startswith(f"expected {avoided.instead}, got ")
    assert finding.endswith(avoided.reason)


@pytest.mark.parametrize("text", RIGHT)
def test_nothing_else_is_found(text: str) -> None:
    """Code, quotations, addresses and other uses raise no false alarm."""
    assert list(words_to_avoid(text)) == []
