"""Every decision that a dialog can make is carried out by exactly one handler."""

from argparse import Namespace
from pathlib import Path
from random import Random
from typing import get_args

from display_chip import Bus, Ssd1306
from people import People

from hardware.screens import open_ssd1306
from tabletop.cameras.opening import Absent
from tabletop.cli.wiring import trying
from tabletop.cli.wiring.attended import (
    TableChecks,
    calibration_handlers,
    display_handlers,
    language_handlers,
    page_handlers,
)
from tabletop.cli.wiring.hotspot import HotspotKeeper
from tabletop.cli.wiring.keyboard import HandsAtKeys
from tabletop.cli.wiring.presenter import Views
from tabletop.cli.wiring.updating import Updater
from tabletop.dialogs.commands import Decision, MenuAction
from tabletop.session.table_loop import TableLoop
from tabletop.simulator.hands import TrayWithHands
from tabletop.store import Store
from tabletop.views.i18n.catalogue import load_language
from tabletop.web.listening import listen
from tabletop.web.page import DEVICES, Page


def test_every_decision_has_one_handler(tmp_path: Path) -> None:
    """Those of all parts of the table are all, and none is there twice."""
    with Store(tmp_path / "a.db") as store:
        people = People(store)
        language = language_handlers(Views((), None, load_language("en")), tmp_path / "a.db")
        own = TableLoop(people.camera_thread, [], {}, people.start).handlers.keys()
        options = Namespace(
            camera="sim", buttons="auto", screen="auto", store=None, config=None, profile=None, parts=()
        )
        checking = TableChecks(options, Absent(), people.camera_thread)
        page = Page(listen("local", 0), lambda: 0.0, tmp_path / DEVICES)
        of_page = page_handlers([page]).keys()
        page.close()
        screen = open_ssd1306("", Bus(Ssd1306()))
        display = display_handlers((screen,), tmp_path / "a.db")
        screen.close()
        calibrating = calibration_handlers(lambda: None, None, lambda _: None).keys()
        parts = [own, people.matches.handlers.keys(), language.keys(), checking.handlers.keys()]
        keys = HandsAtKeys(None, TrayWithHands(1, chance=Random(1)))
        parts += [of_page, display.keys(), calibrating, keys.handlers.keys()]
        parts += [trying.handlers(print).keys(), HotspotKeeper([]).handlers.keys(), Updater().handlers.keys()]
    kinds = {*MenuAction, *get_args(Decision)} - {MenuAction}
    assert set().union(*parts) == kinds
    assert sum(map(len, parts)) == len(kinds)
