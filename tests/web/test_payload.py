"""The page gets the same words and figures that the other views show, of every game, in every language."""

import json
from collections.abc import Iterator

import pytest
from oled_games import moments

from tabletop.rules import game_ids
from tabletop.views.i18n.catalogue import languages, load_language
from tabletop.views.i18n.translate import translated
from tabletop.views.snapshot import Snapshot
from tabletop.views.terminal.panel import status, told
from tabletop.web.payload import encoded, page_of

TABLE = Snapshot("Pig", ("Ann", "Ben"), (3, 7), "Ann", "roll or bank?", at_stake=5, thrown=(5,), kept=(False,))


def shown(language: str) -> Iterator[Snapshot]:
    """Yield moments of all games in a language."""
    words = load_language(language)
    for game_id in game_ids():
        for moment in moments(game_id).values():
            for snapshot in moment:
                yield translated(snapshot, words)


@pytest.mark.parametrize("language", sorted(languages()))
def test_the_page_says_what_the_terminal_says(language: str) -> None:
    """Every text of the terminal's line stands in what the page gets: request, hint, offer, buttons, who wins."""
    kinds = set()
    for snapshot in shown(language):
        page = json.loads(encoded(1, snapshot))
        line = told(snapshot)
        if snapshot.menu is not None:
            kinds.add("menu")
            assert (page["menu"]["title"], page["menu"]["note"]) == (snapshot.menu.title, snapshot.menu.note)
            assert page["menu"]["items"] == list(snapshot.menu.items)
            assert status(snapshot).endswith(page["menu"]["items"][page["menu"]["at"]])
        elif snapshot.winners:
            kinds.add("end")
            assert page["over"] == status(snapshot)
        else:
            kinds.add("match")
            assert [
                text for text in (page["asked"], page["ask"], page["hint"], page["stake"]) if text not in line
            ] == []
    assert kinds == {"menu", "end", "match"}


def test_scores_dice_and_sheet_are_those_of_the_snapshot() -> None:
    """Of every game: a row for each player and each row of the sheet, a die for each thrown."""
    for snapshot in shown("en"):
        page = json.loads(encoded(1, snapshot))
        assert [(player["name"], player["score"]) for player in page["players"]] == [
            *zip(snapshot.players, snapshot.scores, strict=True)
        ]
        assert [(die["face"], die["kept"]) for die in page["dice"]] == [
            *zip(snapshot.thrown, snapshot.kept, strict=True)
        ]
        assert page["sheet"] == [list(row) for row in snapshot.sheet]
        assert [player["name"] for player in page["players"] if player["won"]] == [
            name for name in snapshot.players if name in snapshot.winners
        ]


@pytest.mark.parametrize(("fewest_win", "leader"), [(False, ["Ben"]), (True, ["Ann"])])
def test_who_leads(fewest_win: bool, leader: list[str]) -> None:
    """The most points, or the fewest where the fewest win; nobody while all are level."""
    table = Snapshot("Pig", ("Ann", "Ben"), (3, 7), fewest_win=fewest_win)
    level = Snapshot("Pig", ("Ann", "Ben"), (7, 7), fewest_win=fewest_win)
    assert [player["name"] for player in page_of(1, table)["players"] if player["leads"]] == leader
    assert [player["name"] for player in page_of(1, level)["players"] if player["leads"]] == []


def test_the_words_are_in_the_language_of_the_table() -> None:
    """No word of the page stays English in German, and the page knows which language it is in."""
    english, german = (page_of(1, translated(TABLE, load_language(code)))["words"] for code in ("en", "de"))
    assert (english["language"], german["language"]) == ("en", "de")
    assert english.keys() == german.keys()
    assert {name for name in german if german[name] == english[name]} <= {"language"}


@pytest.mark.parametrize(
    ("game_id", "kind", "awaited"),
    [("centennial", "start", 3), ("beetle", "start", 1), ("yahtzee", "start", 5), ("yahtzee", "keep", 0)],
)
def test_the_dice_that_are_awaited_are_drawn(game_id: str, kind: str, awaited: int) -> None:
    """As many as the rules throw at the start of a turn (three, one, five), and none where a choice is asked."""
    assert page_of(1, moments(game_id)[kind][0])["awaited"] == awaited
