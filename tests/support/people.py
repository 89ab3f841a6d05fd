"""People at a live table: they press real edges through chattering buttons and lay dice. No clock, no thread."""

from random import Random
from typing import TYPE_CHECKING

import numpy as np
from table_play import Lying

from tabletop.cameras.opening import Absent
from tabletop.cli.wiring.attended import language_handlers
from tabletop.cli.wiring.presenter import Views
from tabletop.core.ports import Frame
from tabletop.core.values import Moment, Rest
from tabletop.dialogs.commands import Dialog, MenuAction
from tabletop.dialogs.menu import check_menu
from tabletop.perception.pipeline import FrameResult, PerceptionPipeline
from tabletop.rules import Match
from tabletop.session.camera_thread import CameraThread
from tabletop.session.match_library import MatchLibrary
from tabletop.session.match_session import MatchSession
from tabletop.session.table_loop import TableLoop
from tabletop.simulator.devices import TrayButtons
from tabletop.store import Store
from tabletop.views.i18n.catalogue import load_language
from tabletop.views.snapshot import MenuView, Snapshot

if TYPE_CHECKING:
    from tabletop.session.table_loop import Handlers


LOOK_S = 0.3  # people see what is asked before they press


class People:
    """Somebody at the table: presses real edges through chattering buttons and lays dice."""

    def __init__(self, store: Store) -> None:
        self.store, self.now_s, self.tray = store, 10.0, Lying(now_s=10.0)
        self.buttons = TrayButtons(lambda: self.now_s, Random(5))
        self.matches = MatchLibrary(store, lambda: Moment("2026-01-01T00:00:00Z"), lambda _: None)
        self.camera_thread = CameraThread(Absent(), PerceptionPipeline(lambda *_, **__: self.tray.rest().reading))
        language = language_handlers(Views((), None, load_language("en")), store.path)
        handlers: Handlers = {
            **self.matches.handlers,
            **language,
            MenuAction.CHECK: lambda _, session: check_menu((), in_match=session is not None),
        }
        self.no_room = ""  # why nothing can be stored
        self.table = TableLoop(
            self.camera_thread,
            [self.buttons],
            handlers,
            self.start,
            store_trouble=lambda: self.no_room or store.trouble,
        )
        self.table.begin(None)
        self.shown = Snapshot()

    @property
    def session(self) -> MatchSession:
        assert self.table.session is not None
        return self.table.session

    def start(self) -> Dialog:
        return self.matches.menu(home=self.table.session is not None)

    def press(self, *words: str) -> Snapshot:
        """Press "bank", "hold", "long bank" or "long hold", one after the other; return what is shown then."""
        for word in words:
            button = word.split()[-1]
            assert button in ("bank", "hold")
            end_s = self.buttons.press(button, long=word.startswith("long"))  # type: ignore[arg-type]  # just asserted
            while self.now_s < end_s + 0.3:
                self.now_s += 0.05
                self.shown = self.table.tick(self.now_s)
        return self.shown

    def throw(self, *faces: int) -> Snapshot:
        self.tray.now_s = self.now_s + 1
        if self.tray.dice:
            self.tray.pick_up()
        return self.lie(self.tray.throw(*faces))

    def lie(self, rest: Rest) -> Snapshot:
        """Let the camera see this, and look at what is shown."""
        self.now_s = self.tray.now_s
        frame = Frame(np.zeros((4, 4, 3), np.uint8), self.now_s)
        self.camera_thread.newest = FrameResult(frame, rest.reading, rest.reading, rest)
        self.shown = self.table.tick(self.now_s)
        self.now_s += LOOK_S
        return self.shown

    def choose(self, *labels: str) -> Snapshot:
        """Walk with HOLD to each of these lines of the menu and take it with BANK."""
        for label in labels:
            for _ in range(40):
                menu = menu_of(self.table.tick(self.now_s))
                if menu.items[menu.at] == label:
                    break
                self.press("hold")
            else:
                raise AssertionError(label)
            self.press("bank")
        return self.shown

    def menu(self, *labels: str) -> Snapshot:
        """Open the menu of the match, and choose these lines in it."""
        self.press("long hold")
        return self.choose(*labels)


def menu_of(shown: Snapshot) -> MenuView:
    assert shown.menu is not None
    return shown.menu


def pig_at(people: People, *deeds: int | str, **options: object) -> None:
    """Begin Pig for Ann and Ben and play on: a number is thrown, words are pressed."""
    people.table.begin(people.matches.begin(Match("pig", ["Ann", "Ben"], **options)))
    for deed in deeds:
        if isinstance(deed, str):
            people.press(deed)
        else:
            people.throw(deed)
