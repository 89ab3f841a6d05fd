"""Hands at the two buttons of a menu: walk to a line with HOLD, take it with BANK, read what is shown."""

from tabletop.core.ports import Press
from tabletop.dialogs.commands import Decision, Dialog
from tabletop.dialogs.setup import SetupDialog
from tabletop.session.match_library import MatchLibrary
from tabletop.session.match_session import MatchSession
from tabletop.session.table_loop import kind_of

HOLD, BANK, BACK = Press("hold"), Press("bank"), Press("bank", long=True)


def labels(asked: Dialog | Decision) -> tuple[str, ...]:
    assert not isinstance(asked, Decision)
    shown = asked.snapshot
    if shown.menu is not None:
        return shown.menu.items
    assert shown.spelling is not None
    return shown.spelling.letters


def title(asked: Dialog | Decision) -> str:
    assert isinstance(asked, SetupDialog)
    assert asked.snapshot.menu is not None
    return asked.snapshot.menu.title


def note(asked: Dialog | Decision) -> str:
    assert isinstance(asked, SetupDialog)
    assert asked.snapshot.menu is not None
    return asked.snapshot.menu.note


def take(asked: Dialog | Decision, *wanted: str) -> Dialog | Decision:
    """Walk to each line or letter with HOLD and take it with BANK."""
    for label in wanted:
        for _ in labels(asked):
            assert not isinstance(asked, Decision)
            shown = asked.snapshot
            at = shown.menu.at if shown.menu else shown.spelling.at if shown.spelling else 0
            if labels(asked)[at] == label:
                break
            asked = asked.press(HOLD)
        else:
            raise AssertionError(f"{label!r} is not among {labels(asked)}")
        assert not isinstance(asked, Decision)
        asked = asked.press(BANK)
    return asked


def press(asked: Dialog | Decision, *presses: Press) -> Dialog | Decision:
    for button in presses:
        assert not isinstance(asked, Decision)
        asked = asked.press(button)
    return asked


def carry_out(matches: MatchLibrary, decision: Decision, session: MatchSession | None) -> MatchSession | Dialog | None:
    """Let the library carry out a decision, as the table does."""
    return matches.handlers[kind_of(decision)](decision, session)
