"""The table while it is calibrated: pictures and presses come in, snapshots go out; time is an argument of `tick`."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from calibration.guided.checks import Throw
from calibration.guided.look import Watcher
from calibration.guided.pages import guided_snapshot
from calibration.guided.state import LEAVE, SAVE, Guided
from calibration.mat_fit import USUAL_DIE_MM
from tabletop.config.profile import die_px, load_profile, place
from tabletop.config.setups import replace_profile
from tabletop.core.errors import InputError
from tabletop.core.message import say
from tabletop.core.ports import Buttons, Frame
from tabletop.core.values import Profile, Reading, Rest, SetUp
from tabletop.input.presses import Presses
from tabletop.perception.filters.markers import without_markers
from tabletop.perception.filters.tray_bounds import clip_to_tray
from tabletop.perception.pipeline import FrameResult, PerceptionPipeline
from tabletop.session.camera_thread import CameraThread
from tabletop.session.match.match_session import MatchSession
from tabletop.session.snapshotting import troubled
from tabletop.views.screen_care import ScreenCare
from tabletop.views.snapshot import Snapshot
from tabletop.vision.reader import read

HELD_STEPS = 12  # pictures on the way to a long press, as in play
LOOK_S = 0.15  # between two looks: a look takes 30 ms on a PC
KEPT = say("the old profile is better: kept")
NOTHING = say("nothing to save: show the mat")


class GuidedWatch(PerceptionPipeline):
    """Hands frames on as they are; once `throws_on` has been called, reads the dice in them."""

    def __init__(self) -> None:
        super().__init__(read)
        self._reading: PerceptionPipeline | None = None

    def throws_on(self, profile: Profile | None) -> None:
        """Read dice from now on, with this profile; None: hand frames on as they are again."""
        self._reading = None if profile is None else PerceptionPipeline(read, profile)

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
    file, which is replaced only by a better one. held: returns what the camera holds (see `Guided`). over: whether the
    run has ended. saved: whether it wrote a profile. fault: what kept it from writing.
    """

    session: MatchSession | None = None  # no match is played here

    def __init__(
        self,
        camera_thread: CameraThread,
        watch: GuidedWatch,
        buttons: Sequence[Buttons],
        state: Guided,
        out: Path,
        held: Callable[[], tuple[tuple[str, str], ...]] = lambda: (),
    ) -> None:
        self.camera_thread, self.state, self.care, self.saved = camera_thread, state, ScreenCare(), False
        self.fault: InputError | None = None
        self._watch, self._buttons, self._presses, self._out = watch, buttons, Presses(), out
        self._held = held
        self._watcher, self._looked_s, self._rested_s = Watcher(), float("-inf"), float("-inf")
        self._reads = False
        self._frames: list[Frame] = []  # one of each throw

    @property
    def over(self) -> bool:
        """Whether the run has ended."""
        return self.saved or self.state.outcome == LEAVE or self.fault is not None

    @property
    def busy(self) -> bool:
        """Whether a finger is at a button."""
        return self._presses.busy

    @property
    def old(self) -> Profile | None:
        """The profile that is there, None if there is none that can be read."""
        try:
            return load_profile(self._out) if self._out.is_file() else None
        except InputError:
            return None

    def begin(self, session: MatchSession | None) -> None:
        """Do nothing: no match is played."""

    def tick(self, now_s: float) -> Snapshot:
        """Process what happened up to `now_s` and return what views show."""
        edges = [edge for buttons in self._buttons for edge in buttons.edges()]
        self.care.light(now_s)
        if edges:
            self.care.stir(now_s)
        for press in self._presses.feed(edges, now_s):
            self.state = self.state.press(press)
        seen = self.camera_thread.newest
        if seen is not None:
            self._see(seen)
        if self.state.outcome == SAVE and not self.saved:
            self._save()
        button, part = self._presses.felt(now_s)
        shown = replace(guided_snapshot(self.state), reading=seen.pixel_reading if seen else None)
        if trouble := self.camera_thread.trouble_now(now_s):
            shown = troubled(shown, trouble)
        return shown if button is None else replace(shown, pressed=button, held=int(part * HELD_STEPS) / HELD_STEPS)

    def _see(self, seen: FrameResult) -> None:
        reads = self.state.step == "dice"
        if reads != self._reads:
            self._reads = reads
            self._watch.throws_on(self._base(USUAL_DIE_MM) if reads else None)
            self._rested_s, self._frames = seen.frame.time_s, []
        if reads:
            if seen.rest is not None:
                self._rest(seen.rest, seen.frame)
        elif seen.frame.time_s - self._looked_s >= LOOK_S:
            self._looked_s = seen.frame.time_s
            self.state = replace(self.state, held=self._held())
            self.state = self.state.see(self._watcher.look(seen.frame.pixels, seen.frame.time_s))

    def _rest(self, rest: Rest, frame: Frame) -> None:
        """Count a rest as a throw if something in it came to lie after the throw before."""
        newest_s = max((*rest.arrived_s, *rest.unsure_arrived_s), default=float("-inf"))
        if newest_s <= self._rested_s:
            return
        self._rested_s = newest_s
        self._frames.append(frame)
        reading = rest.reading
        high_mm = None
        view = self.state.found.view if self.state.found else None
        if view is not None:
            high_mm = view.high_mm
        sizes = tuple(die.size * (1 - die.size / 2 / high_mm) if high_mm else die.size for die in reading.dice)
        reasons = tuple(doubt.reason for doubt in reading.unsure)
        colours = tuple(die.colour for die in reading.dice)
        self.state = self.state.threw(Throw(len(reading.dice) + len(reasons), reasons, sizes, colours))

    def _base(self, die_mm: float) -> Profile | None:
        """Return the profile of the mat that was found in this run, else the one that is there."""
        found = self.state.found
        if found is not None and found.view is not None:
            return found.view.profile(die_mm)
        return self.old

    def _new(self) -> Profile | None:
        """Return the profile with all that was learnt in this run."""
        state, old = self.state, self.old
        base = self._base(state.die_mm or (old.die_mm if old else USUAL_DIE_MM))
        if base is None:
            return None
        before = old.setup if old is not None and old.setup is not None else SetUp(0.0)
        dice, unsure = state.dice
        lit = state.look.lighting.level if state.look is not None else before.light_level
        found = state.found.view if state.found is not None else None
        setup = SetUp(
            light_level=round(lit, 1),
            marker_error_mm=round(found.error_mm, 3) if found is not None else before.marker_error_mm,
            dice=dice or before.dice,
            unsure_share=round(unsure / dice, 4) if dice else before.unsure_share,
            die_colours=state.colours or before.die_colours,
        )
        return replace(base, die_mm=round(state.die_mm, 2) if state.die_mm else base.die_mm, setup=setup)

    def _save(self) -> None:
        new = self._new()
        if new is None:
            self.state = self.state.with_reason(NOTHING)
            return
        try:
            refused = replace_profile(new, self._out, old_unsure_share=self._unsure_with_old())
        except InputError as error:
            self.fault = error
            return
        if refused:
            self.state = self.state.with_reason(KEPT)
        else:
            self.saved = True

    def _unsure_with_old(self) -> float | None:
        """Return the share of unsure dice that the old profile finds in the pictures of this run, None without."""
        old = self.old
        if old is None:
            return None
        dice = unsure = 0
        for frame in self._frames:
            height, width = frame.pixels.shape[:2]
            try:
                size_px = die_px(old, width, height)
                seen = without_markers(frame.pixels, read(frame.pixels, die_px=size_px, fixed_size=True))
                inside = clip_to_tray(place(seen, old), old)
            except InputError:  # pictures of another shape than the old profile's
                return None
            dice += len(inside.dice) + len(inside.unsure)
            unsure += len(inside.unsure)
        return unsure / dice if dice else None
