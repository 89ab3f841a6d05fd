"""docs/messages.md explains what the table says to people: every hint and every doubt, and none that is gone."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
WORDS = tomllib.loads((ROOT / "tabletop" / "views" / "i18n" / "words" / "en.toml").read_text(encoding="utf-8"))
SECTIONS = ("hints", "doubts")  # what is not asked, scored or offered: that is in the rules of a game
PAGE = (ROOT / "docs" / "messages.md").read_text(encoding="utf-8")
QUOTED = re.compile(r"``(.+?)``|`([^`]+)`")


def quoted(text: str) -> list[str]:
    return [double or single for double, single in QUOTED.findall(text)]


def test_each_message_is_explained() -> None:
    """A line of these sections that is missing here: add it to docs/messages.md, with why it comes and what to do."""
    explained = quoted(PAGE)
    for section in SECTIONS:
        assert [line for line in WORDS[section] if line not in explained] == [], section


def test_no_message_is_explained_that_the_table_never_says() -> None:
    """What stands in the first column of a table is a line of the catalogue, word by word, and stands there once."""
    rows = re.findall(r"^\| (`.+?`) \| ", PAGE, flags=re.MULTILINE)
    first = [line for row in rows for line in quoted(row)]
    known = [line for section in SECTIONS for line in WORDS[section]]
    assert [line for line in first if line not in known] == []
    assert len(first) == len(set(first))
    assert len(first) > 80
