"""Records that fall: worked out by hand, on the page, aloud, and never in the first match of a game."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tabletop.cli.main import main
from tabletop.core.values import Moment
from tabletop.records import book
from tabletop.rules import Choose, Match, Throw
from tabletop.session.manual_entry import ManualEntry
from tabletop.session.match_library import MatchLibrary
from tabletop.session.match_session import MatchSession
from tabletop.session.snapshotting import LAST_THROW_S, MatchDisplay
from tabletop.store import Store
from tabletop.views.i18n.catalogue import ENGLISH, load_language
from tabletop.views.i18n.translate import translated
from tabletop.views.snapshot import Snapshot
from tabletop.views.speech import spoken
from tabletop.web.players import players_of


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "a.db") as opened:
        yield opened


def play(store: Store, *faces: int, players: str = "Ann Ben", target: int = 6) -> tuple[Snapshot, MatchSession]:
    """Play Pig in which everybody banks each throw; return what is shown with the winner."""
    library = MatchLibrary(store, lambda: Moment("2026-11-28T18:00:00.000Z"), lambda _: None)
    session, display = (
        library.begin(Match("pig", players.split(), target=target)),
        MatchDisplay(ManualEntry(no_camera=False)),
    )
    display.begin(session)
    for face in faces:
        session.give(Throw((face,)))
        if not session.match.over and session.match.request.kind == "choose":
            session.give(Choose("bank"))
        last = display.show(session, None, 0.0)
        assert last.winners or not last.cheer.startswith("record")
    return display.show(session, None, LAST_THROW_S + 1), session


def test_a_coached_match_sets_no_record(store: Store, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It is stored and marked for good, also in the list of matches, but nobody is in the book."""
    for options in ({}, {"coach": True}):
        library = MatchLibrary(store, lambda: Moment("2026-11-28T18:00:00.000Z"), lambda _: None)
        session = library.begin(Match("pig", ["Ann", "Ben"], target=6, **options))
        session.give(Throw((6,)))
        session.give(Choose("bank"))
        assert session.match.over
        assert not session.journal.fallen
    assert store.match(2).options["coach"] is True
    assert main(["replay", "--store", str(tmp_path / "a.db")]) == 0
    assert sum(line.endswith(", over, coached") for line in capsys.readouterr().out.splitlines()) == 1
    assert [match.number for played in book.read_book(store).values() for match in played] == [1]


def records(store: Store, target: int) -> dict[book.RecordKind, book.Record]:
    """Return the records of Pig to this target."""
    ((variant, played),) = [item for item in book.read_book(store).items() if ("target", target) in item[0].options]
    return book.records_of(variant, played)


def test_the_first_match_sets_records_and_announces_none(store: Store) -> None:
    """Nor does another one with other house rules, nor one that only equals them."""
    assert play(store, 6)[0].cheer == ""
    assert play(store, 6)[0].cheer == ""
    assert play(store, 5, 1, 6, target=10)[0].cheer == ""
    assert {kind: one.value for kind, one in records(store, 6).items()} == {
        "throws": 1,
        "score": 6,
        "turn": 6,
        "streak": 2,
    }


def test_a_better_score_is_announced_in_both_languages(store: Store) -> None:
    """5 and 4 are 9 points for Ben after Ann's 6; the voice says so once, with the winner."""
    play(store, 6)
    shown, session = play(store, 1, 5, 1, 4)
    assert shown.winners == ("Ben",)
    assert shown.cheer == "record: Ben has 9 points"
    assert translated(shown, load_language("de")).cheer == "Rekord: Ben hat 9 Punkte"
    assert "record: Ben has 9 points" in spoken(Snapshot(), shown)
    assert "record" not in spoken(shown, shown)
    session.undo(1, 0.0)
    assert session.journal.fallen == ""
    assert max(row["best"] for game in players_of(store, ENGLISH, "")["games"] for row in game["rows"]) == 6


def test_a_streak_falls_when_a_longer_one_is_over(store: Store) -> None:
    """Ann wins twice, so Ben has to win three times."""
    play(store, 6)
    play(store, 6)
    assert play(store, 1, 6)[0].cheer == "record: 2 throws in one match"
    assert play(store, 1, 6)[0].cheer == ""
    assert play(store, 1, 6)[0].cheer == "record: Ben has won 3 times in a row"
    assert play(store, 1, 6)[0].cheer == "record: Ben has won 4 times in a row"


def test_more_points_at_once_and_more_throws_are_records(store: Store) -> None:
    """Six by two throws, then six at once; then a match of six throws, which Ben wins."""
    play(store, 3, 1, 4)
    assert play(store, 2, 1, 5)[0].cheer == "record: Ann has 5 points at once"
    assert play(store, 1, 2, 1, 1, 1, 4)[0].cheer == "record: 6 throws in one match"


def test_players_alone_and_made_up_ones(store: Store) -> None:
    """Alone there is no streak; two made-up players set no records."""
    for _ in range(4):
        assert play(store, 6, players="Ann")[0].cheer == ""
    assert play(store, 1, 6, players="Fox Owl")[0].cheer == ""
    assert {*records(store, 6)} == {"score", "turn", "throws"}


def test_a_store_that_is_full_loses_a_record_and_no_throw(store: Store) -> None:
    """The match ends as ever; what is missing is derived later."""
    play(store, 6)
    with store._writing() as database:  # noqa: SLF001 - as if the table could not be written
        database.execute("DROP TABLE result")
    shown, _ = play(store, 1, 5, 1, 4)
    assert (shown.winners, shown.cheer) == (("Ben",), "")
