"""The table while it is calibrated: pictures and presses come in, snapshots go out; time is an argument of `tick`."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from calibration.guided.holding import Holding
from calibration.guided.pages import guided_snapshot
from calibration.guided.run import GuidedRun
from calibration.guided.state import Guided
from tabletop.core.ports import Buttons, Frame
from tabletop.core.values import Reading
from tabletop.input.presses import Presses
from tabletop.perception.pipeline import FrameResult, PerceptionPipeline
from tabletop.session.camera_thread import CameraThread
from tabletop.session.match_session import MatchSession
from tabletop.session.snapshotting import troubled
from tabletop.views.screen_care import ScreenCare
from tabletop.views.snapshot import Snapshot
from tabletop.vision.reader import read

HELD_STEPS = 12  # pictures on the way to a long press, as in play


class GuidedWatch(PerceptionPipeline):
    """Hands frames on as they are; after `read_throws` it reads the dice in them."""

    def __init__(self) -> None:
        super().__init__(read)
        self._reading: PerceptionPipeline | None = None

    def read_throws(self) -> None:
        """Read dice of any size from now on: how large these are is what is asked."""
        self._reading = PerceptionPipeline(read)

    def read_nothing(self) -> None:
        """Hand frames on as they are again."""
        self._reading = None

    def process(self, frame: Frame, expect: int | None = None) -> FrameResult:
        """Return the result of a frame."""
        if self._reading is not None:
            return self._reading.process(frame, expect)
        height, width = frame.pixels.shape[:2]
        nothing = Reading(frame.time_s, width, height)
        return FrameResult(frame, nothing, nothing, None)


class GuidedTable:
    """Guides through the steps, and writes the profile in the end.

    camera_thread: reads with `watch`. buttons: any number of pairs. state: where the run stands. out: the profile's
    file, which is replaced only by a better one. holding: asks the camera what it holds. over: whether the
    run has ended.
    """

    session: MatchSession | None = None  # no match is played here

    def __init__(
        self,
        camera_thread: CameraThread,
        watch: GuidedWatch,
        buttons: Sequence[Buttons],
        state: Guided,
        out: Path,
        holding: Holding | None = None,
    ) -> None:
        self.camera_thread, self.care, self._run = camera_thread, ScreenCare(), GuidedRun(state, out, holding)
        self._watch, self._buttons, self._presses = watch, buttons, Presses()
        self._reads = False

    @property
    def run(self) -> GuidedRun:
        """The run: its state, and whether a profile was saved."""
        return self._run

    @property
    def over(self) -> bool:
        """Whether the run has ended."""
        return self._run.over

    @property
    def busy(self) -> bool:
        """Whether a finger is at a button."""
        return self._presses.busy

    def begin(self, session: MatchSession | None) -> None:
        """Do nothing: no match is played."""

    def tick(self, now_s: float) -> Snapshot:
        """Process what happened up to `now_s` and return what views show."""
        edges = [edge for buttons in self._buttons for edge in buttons.edges()]
        self.care.light(now_s)
        if edges:
            self.care.stir(now_s)
        for press in self._presses.feed(edges, now_s):
            self._run.press(press)
        seen = self.camera_thread.newest
        if seen is not None:
            self._run.see(seen)
        reads = self._run.state.step == "dice"
        if reads != self._reads:
            self._reads = reads
            if reads:
                self._watch.read_throws()
            else:
                self._watch.read_nothing()
        button, part = self._presses.felt(now_s)
        shown = replace(guided_snapshot(self._run.state), reading=seen.pixel_reading if seen else None)
        if trouble := self.camera_thread.trouble_now(now_s):
            shown = troubled(shown, trouble)
        return shown if button is None else replace(shown, pressed=button, held=int(part * HELD_STEPS) / HELD_STEPS)
