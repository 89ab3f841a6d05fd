"""A match that its last player leaves: kept, and named as abandoned wherever it is told."""

from pathlib import Path

import pytest

from tabletop.cli.main import main
from tabletop.core.moment import Moment
from tabletop.dialogs.event_text import result_text
from tabletop.rules import Match
from tabletop.session.match_library import MatchLibrary
from tabletop.session.snapshotting import snapshot
from tabletop.store import Store


def test_the_last_one_leaves_and_the_store_says_that_it_was_abandoned(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The match is kept, named so in the list, shown so at the table, not offered again, and opened by an undo."""
    with Store(tmp_path / "a.db") as store:
        matches = MatchLibrary(store, lambda: Moment("2026-12-01T00:00:00Z"), lambda _: None, registers=False)
        session = matches.begin(Match("pig", ["Ann", "Ben"]))
        session.leave("Ann")
        assert store.match(1).ending is None
        session.leave("Ben")
        assert store.match(1).ending == "abandoned"
        assert matches.open_matches() == ()
        shown = snapshot(session, None)
        assert (shown.winners, shown.hint) == ((), "everybody has left: the match is abandoned")
        assert result_text(session.match) == "Ann 0, Ben 0; everybody has left: the match is abandoned"
    assert main(["replay", "--store", str(tmp_path / "a.db")]) == 0
    assert capsys.readouterr().out.endswith("pig: Ann, Ben; 2 events, abandoned\n")
    assert main(["replay", "1", "--store", str(tmp_path / "a.db")]) == 0
    assert capsys.readouterr().out.endswith("Ann 0, Ben 0; everybody has left: the match is abandoned\n")
    with Store(tmp_path / "a.db") as store:
        store.end(1, None)  # as if the plug was pulled just before it was noted
        matches = MatchLibrary(store, lambda: Moment("2026-12-01T00:00:00Z"), lambda _: None, registers=False)
        session = matches.resume(1)
        assert store.match(1).ending == "abandoned"
        session.undo(1, (), 0.0)
        assert store.match(1).ending is None
