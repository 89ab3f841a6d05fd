"""A damaged store at a table with people: two buttons choose a copy or a new store; without people it is one line."""

import time
from contextlib import nullcontext
from datetime import date
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tabletop.cli.main import main
from tabletop.cli.wiring.keyboard import HandsAtKeys
from tabletop.cli.wiring.main_loop import Front, StoreOpening
from tabletop.cli.wiring.presenter import Views
from tabletop.core.errors import DamagedStoreError
from tabletop.simulator.devices import TrayButtons
from tabletop.store import Store
from tabletop.store.copies import keep_copy
from tabletop.views.i18n.catalogue import load_language
from tabletop.views.snapshot import MenuView, Snapshot


class Somebody:
    """Looks at the menu and presses: HOLD until the wanted line is reached, then BANK."""

    def __init__(self, buttons: TrayButtons, wanted: int) -> None:
        self.seen: list[MenuView] = []
        self._buttons, self._wanted, self._pressed = buttons, wanted, list[int]()

    def show(self, snapshot: Snapshot, _frame: Any, _now_s: float) -> None:  # noqa: ANN401 - not looked at
        menu = snapshot.menu
        assert menu is not None
        self.seen.append(menu)
        if menu.at not in self._pressed:
            self._pressed.append(menu.at)
            self._buttons.press("bank" if menu.at == self._wanted else "hold", prompt=True)

    def close(self) -> None:
        """Go."""


def damaged(tmp_path: Path) -> Path:
    path = tmp_path / "a.db"
    with Store(path) as store:
        store.begin("pig", ["Ann"], {}, "2026-11-20T19:00:00Z")
    keep_copy(path, date(2001, 1, 1))
    path.write_bytes(b"\0" * 5000)
    return path


@pytest.mark.parametrize(("line", "matches"), [(0, 1), (1, 0)])
def test_people_choose_with_two_buttons(tmp_path: Path, line: int, matches: int) -> None:
    """The copy comes first, with its day and its matches; either way the damaged file is kept."""
    path, buttons = damaged(tmp_path), TrayButtons(time.monotonic, Random(0))
    somebody, told = Somebody(buttons, line), list[str]()
    views = Views((), None, load_language("en"), (somebody,))
    front = Front(HandsAtKeys(None, None, buttons), views)
    with StoreOpening(path, front, (buttons,), None, told.append, asks=True, waits=True).opened() as store:
        assert len(store.matches()) == matches
    day = f"{date.today():%Y-%m-%d}"  # noqa: DTZ011 - of this machine, as people read it
    assert day in somebody.seen[0].items[0]
    assert "1" in somebody.seen[0].note
    assert len(told) == 1
    (aside,) = tmp_path.glob("a.db.damaged-*")
    assert aside.read_bytes() == b"\0" * 5000


def test_without_people_it_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Status 2, the doctor is named, and nothing is changed."""
    path = damaged(tmp_path)
    before = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    assert main(["play", "pig", "--json", "--camera", "sim", "--store", str(path)]) == 2
    said = capsys.readouterr().err
    assert (said.count("\n"), "tabletop doctor" in said) == (1, True)
    with pytest.raises(DamagedStoreError), nullcontext(Store(path)):
        pass
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == before
