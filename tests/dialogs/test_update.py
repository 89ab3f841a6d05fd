"""An update from a stick in the table's menu, with a helper that answers as systemd/admin does."""

import json
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tabletop.cli.wiring.updating import Updater
from tabletop.core.ports import Press
from tabletop.dialogs.commands import MenuAction
from tabletop.dialogs.menu import check_menu
from tabletop.dialogs.update import WHY, Update, UpdateDialog
from tabletop.service import admin
from tabletop.web.admin import WORDS

HOLD, BANK = Press("hold"), Press("bank")
PATIENCE_S = 10.0


@pytest.fixture
def helper(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[socket.socket]:
    """Listen where the table looks for its helper."""
    with socket.socket(socket.AF_UNIX) as listening:
        listening.settimeout(PATIENCE_S)
        listening.bind(str(tmp_path / "admin.sock"))
        listening.listen()
        monkeypatch.setenv(admin.VARIABLE, str(tmp_path / "admin.sock"))
        yield listening


def _begun(updater: Updater) -> UpdateDialog:
    dialog = updater.handlers[MenuAction.UPDATE](MenuAction.UPDATE, None)
    assert isinstance(dialog, UpdateDialog)
    return dialog


def test_the_menu_offers_it_only_with_a_helper() -> None:
    """Among the checks; HOLD steps to it and BANK begins it."""
    assert check_menu((), in_match=True).press(BANK) == MenuAction.BACK
    assert check_menu((), in_match=True, updates=True).press(BANK) == MenuAction.UPDATE


def test_each_step_is_shown_and_why_it_failed(helper: socket.socket) -> None:
    """The stick is the only place; a second BANK meanwhile begins nothing."""
    updater = Updater()
    dialog = _begun(updater)
    table, _ = helper.accept()
    with table, table.makefile("rwb") as lines:
        assert json.loads(lines.readline()) == {"do": "update-from", "place": "stick"}
        assert dialog.look() == Update()
        assert _begun(updater).look() == dialog.look()
        lines.write(b'{"step":"install","n":3,"of":9}\n{"refused":"forged","about":""}\n')
    _wait(updater)
    assert (dialog.look().note, dialog.press(HOLD)) == (WHY["forged"], dialog)
    assert dialog.press(BANK) == MenuAction.START_MENU


def test_how_far_it_is_is_told_in_words() -> None:
    """The number of the step and of all."""
    note = Update(step=("install", 3, 9)).note
    assert note.arguments == {"n": 3, "n2": 9}
    assert note.id == WORDS["install"].id


def test_a_table_without_a_helper_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It was taken away after the menu was opened."""
    monkeypatch.setenv(admin.VARIABLE, str(tmp_path / "none.sock"))
    updater = Updater()
    dialog = _begun(updater)
    _wait(updater)
    assert dialog.look().note == WHY["missing"]


def _wait(updater: Updater) -> None:
    """Wait until its thread has ended."""
    for thread in threading.enumerate():
        if thread.name == "update":
            thread.join(PATIENCE_S)
    assert not updater.now.busy
