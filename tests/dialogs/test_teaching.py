"""Teaching a die with two buttons: each face three times, in any order."""

from random import Random

from tabletop.core.ports import Press
from tabletop.core.values import FACES
from tabletop.dialogs.decisions import Decision, Dialog, MenuAction
from tabletop.session.teaching import Teaching

HOLD, BANK, LONG_BANK = Press("hold"), Press("bank"), Press("bank", long=True)


class Table:
    """What a table with a die in it does: it notes the faces, and sees no die where `empty`."""

    def __init__(self) -> None:
        self.seen: list[int] = []
        self.empty = False

    def look(self, face: int) -> str:
        """Note a face; say why that cannot be."""
        if self.empty:
            return "no die"
        self.seen.append(face)
        return ""

    def forget(self) -> None:
        """Take the newest back."""
        self.seen.pop()


def step_to(dialog: Dialog | Decision, face: int) -> Dialog | Decision:
    """Press HOLD until this face is the one stepped to: at most five times."""
    for _ in range(len(FACES)):
        assert isinstance(dialog, Teaching)
        if dialog.face == face:
            return dialog
        dialog = dialog.press(HOLD)
    raise AssertionError(face)


def test_any_order_ends_once_each_face_was_shown_three_times() -> None:
    """Eighteen faces in a random order: all are noted in that order, and the last press ends it, no press before."""
    table, order = Table(), list(FACES * 3)
    Random(1).shuffle(order)
    dialog: Dialog | Decision = Teaching(table.look, table.forget)
    for face in order:
        dialog = step_to(dialog, face)
        assert isinstance(dialog, Teaching)
        dialog = dialog.press(BANK)
    assert dialog is MenuAction.QUIT
    assert table.seen == order


def test_long_bank_takes_back_and_with_nothing_taken_ends() -> None:
    """Two faces, two taken back, and once more: the end."""
    table = Table()
    dialog: Dialog | Decision = Teaching(table.look, table.forget)
    for press, seen in ((BANK, [1]), (HOLD, [1]), (BANK, [1, 2]), (LONG_BANK, [1]), (LONG_BANK, [])):
        assert isinstance(dialog, Teaching)
        dialog = dialog.press(press)
        assert table.seen == seen
    assert isinstance(dialog, Teaching)
    assert dialog.press(LONG_BANK) is MenuAction.QUIT


def test_what_is_not_seen_is_said_and_not_counted() -> None:
    """An empty tray: the reason stands below the list, and the face is asked for again."""
    table = Table()
    table.empty = True
    dialog = Teaching(table.look, table.forget).press(BANK)
    assert isinstance(dialog, Teaching)
    menu = dialog.snapshot.menu
    assert menu is not None
    assert (menu.note, menu.at, dialog.shown) == ("no die", 0, ())
