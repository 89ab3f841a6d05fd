"""Somebody at the table: presses two buttons, tells faces, lays dice; no clock, no thread, no camera to be read."""

import numpy as np
from table_play import Lying

from tabletop.cameras.opening import Absent
from tabletop.core.ports import ButtonName, Edge, Frame
from tabletop.core.values import Moment
from tabletop.dialogs.menu import Menu
from tabletop.perception.pipeline import FrameResult, PerceptionPipeline
from tabletop.replay.player import ScriptedButtons
from tabletop.rules import Match
from tabletop.session.camera_thread import CameraThread
from tabletop.session.match_library import MatchLibrary
from tabletop.session.table_loop import TableLoop
from tabletop.store import Store
from tabletop.views.snapshot import Snapshot

SHORT_S, LONG_S, APART_S = 0.1, 0.8, 0.3


class Somebody:
    """Somebody at a table, with or without a camera over it."""

    def __init__(self, store: Store, *, no_camera: bool, switches_off: bool = False) -> None:
        self.now_s, self.tray, self.buttons = 10.0, Lying(now_s=10.0), ScriptedButtons()
        self.matches = MatchLibrary(store, lambda: Moment("2026-01-01T00:00:00Z"), lambda _: None)
        self.camera_thread = CameraThread(Absent(), PerceptionPipeline(lambda *_, **__: self.tray.rest().reading))
        self.table = TableLoop(
            self.camera_thread, [self.buttons], {}, lambda: Menu(()), no_camera=no_camera, switches_off=switches_off
        )

    def play(self, match: Match) -> Match:
        session = self.matches.begin(match)
        self.table.begin(session)
        return session.match

    def press(self, button: ButtonName, times: int = 1, *, long: bool = False) -> Snapshot:
        for _ in range(times - 1):
            self._press(button, long=long)
        return self._press(button, long=long) if times else self.table.tick(self.now_s)

    def _press(self, button: ButtonName, *, long: bool) -> Snapshot:
        end_s = self.now_s + (LONG_S if long else SHORT_S)
        self.buttons.waiting += [Edge(self.now_s, button, True), Edge(end_s, button, False)]
        self.table.tick(end_s)
        self.now_s = end_s + APART_S
        return self.table.tick(self.now_s)

    def tell(self, *told: int) -> Snapshot:
        """Tell faces, at least one: HOLD counts up from one, BANK accepts; return what is shown then."""
        shown = []
        for face in told:
            if face > 1:
                self.press("hold", face - 1)
            shown.append(self.press("bank"))
        return shown[-1]

    def sees(self) -> Snapshot:
        rest = self.tray.rest()
        self.now_s = max(self.now_s, self.tray.now_s)
        frame = Frame(np.zeros((4, 4, 3), np.uint8), self.now_s)
        self.camera_thread.newest = FrameResult(frame, rest.reading, rest.reading, rest)
        return self.table.tick(self.now_s)
