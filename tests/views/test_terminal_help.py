"""The help in the terminal: all of it, at every size and in both languages."""

from dataclasses import replace

import pytest
from terminal_pictures import SIZES, TABLE, drawn, plain

from tabletop.rules import game_ids, load
from tabletop.views.i18n.catalogue import load_language
from tabletop.views.i18n.translate import translated
from tabletop.views.snapshot import Snapshot
from tabletop.views.terminal.help import help_pages


@pytest.mark.parametrize(("columns", "rows"), [(40, 12), *SIZES])
@pytest.mark.parametrize("code", ["en", "de"])
def test_the_help_tells_everything_in_pages(columns: int, rows: int, code: str) -> None:
    """All keys, all requests and the whole rule text, no word lost between the pages, none cut."""
    language = load_language(code)
    table = translated(replace(TABLE, rules=load("yahtzee")[0].help), language)
    count = len(help_pages(table, columns, rows, tray=True))
    pages = []
    for page in range(count):
        screen = drawn(table, columns, rows, help_page=page)
        pages.append("\n".join(screen.display[:-1]))
        assert (f"{page + 2}" in screen.display[-1]) is (page + 1 < count)
    phrases = table.phrases
    words = set(" ".join(pages).split())
    for text in (*phrases.help_keys, *phrases.help_dice, *phrases.help_asks, table.rules):
        assert set(text.split()) <= words | {word for word in text.split() if len(word) > columns // 4 - 1}
    assert count == 1 or len(pages[0].split()) > 10


def test_the_help_without_simulated_dice_names_no_key_for_them() -> None:
    """Who throws real dice is told no keys that do nothing."""
    text = "\n".join(drawn(TABLE, 80, 24, help_page=0, tray_keys=False).display)
    assert "long HOLD" in text
    assert "nudge a die that" not in text


def test_every_rule_text_is_shown_whole() -> None:
    """The paragraphs of every game keep all their words, in order, and begin where the author began them."""
    for game_id in game_ids():
        rules = load(game_id)[0].help
        pages = help_pages(Snapshot(game="x", rules=rules), 80, 24, tray=True)
        lines = plain(line for page in pages for line in page)
        start = lines.index("The rules: x") + 1
        assert " ".join(" ".join(lines[start:]).split()) == " ".join(rules.split())
        assert any(line.startswith("The end:") for line in lines) == ("\nThe end:" in rules)
