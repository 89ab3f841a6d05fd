"""An evening at a simulated living room that is recorded: dice, two buttons, and the loop of a table."""

from collections.abc import Sequence
from pathlib import Path
from random import Random

from tabletop.cameras.opening import Absent
from tabletop.core.ports import ButtonName
from tabletop.core.values import Moment
from tabletop.dialogs.commands import Dialog, Inbox
from tabletop.perception.pipeline import PerceptionPipeline
from tabletop.replay.player import DecisionDifference, RecordingReplay
from tabletop.replay.recorder import Recorder
from tabletop.replay.recording import Recording
from tabletop.rules import Match
from tabletop.session.camera_thread import CameraThread
from tabletop.session.match_library import MatchLibrary
from tabletop.session.observer import TurnRecorder
from tabletop.session.table_loop import TableLoop
from tabletop.simulator.devices import TrayButtons
from tabletop.simulator.players import bring_own_dice
from tabletop.simulator.tray import profile_of
from tabletop.store import Store
from tabletop.vision.reader import read
from tools.room.world import RoomWorld
from tools.scenarios.mix import SCENARIOS, SETTLED, Expected


class Evening:
    """A table in a world, its loop turned once a frame, and its recording.

    known: whether it has a profile. lays: whether each player lays a die of his own before the match. told: what was
    truly thrown. inbox: what people want on the page.
    """

    def __init__(self, folder: Path, chance: Random, match: Match, *, known: bool, lays: bool = False) -> None:
        self.file, self.chance = folder / "evening.tar", chance
        self.world = RoomWorld(match.game.dice, chance=chance, fps=10.0, drop=0.03)
        if lays:
            bring_own_dice(self.world.tray, match)
        profile = profile_of(self.world.tray) if known else None
        self.buttons = TrayButtons(lambda: self.world.now_s, Random(1))
        self.recorder = Recorder(self.file, profile, {"way": "table"})
        self.store = Store(folder / "evening.db")
        matches = MatchLibrary(self.store, lambda: Moment("2026-01-01T00:00:00Z"), lambda _: None, registers=lays)
        self.watch, self.told, self.frames = PerceptionPipeline(read, profile), Expected(), 0
        self.camera_thread = CameraThread(Absent(), self.watch)

        def start() -> Dialog:
            return matches.menu()

        self.inbox = Inbox(lambda: self.world.now_s)
        self.table = TableLoop(self.camera_thread, [self.buttons], matches.handlers, start, inbox=self.inbox)
        self.table.record(TurnRecorder(self.recorder))
        self.table.begin(matches.begin(match))

    @property
    def match(self) -> Match:
        assert self.table.session is not None
        return self.table.session.match

    def play(self, *names: str) -> None:
        for name in names:
            for wait_s in SCENARIOS[name](self.world, self.chance, self.told):
                self.run(wait_s)

    def throw_own(self, **faces: int) -> None:
        """Let players throw dice of their own, the others left where they lie."""
        self.world.tray.throw(which=[self.match.players.index(name) for name in faces], faces=list(faces.values()))
        self.run(SETTLED)
        self.run(0.5)

    def press(self, button: ButtonName, *, long: bool = False) -> None:
        self.run(self.buttons.press(button, long=long) - self.world.now_s + 0.5)

    def run(self, seconds: float) -> None:
        """Let frames come for so long, or until all is over."""
        begin_s = self.world.now_s
        while self.world.busy if seconds == SETTLED else self.world.now_s < begin_s + seconds:
            frame = self.world.camera.read()
            assert frame is not None
            seen = self.watch.process(frame, self.camera_thread.expect)
            self.recorder.add_frame(frame, seen.pixel_reading)
            self.camera_thread.publish(seen)
            self.table.tick(frame.time_s)
            self.frames += 1

    def close(self) -> None:
        self.recorder.close()
        self.store.close()


def differences(file: Path) -> Sequence[DecisionDifference]:
    with Recording(file) as played:
        return list(RecordingReplay(played, read).differences(lambda _: None))
