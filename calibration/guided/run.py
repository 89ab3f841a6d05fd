"""One guided run: takes pictures and presses, asks the camera what it holds fixed, and writes the profile."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from calibration.dice import USUAL_DIE_MM, dice_in, edges_mm, in_tray, polarity, samples_of
from calibration.guided.look import Watcher
from calibration.guided.state import LEAVE, SAVE, Guided, Throw
from tabletop.cameras.driver import Described, Relit
from tabletop.config.profile import SHAPE_TOLERANCE, die_px, load_profile, place, replace_profile
from tabletop.core.errors import InputError, RefusedError, StaleError
from tabletop.core.message import say
from tabletop.core.ports import Frame, Press
from tabletop.core.values import Point, Profile, Reading, SetUp
from tabletop.perception.pipeline import FrameResult
from tabletop.perception.tray_filter import clip_to_tray, without_markers
from tabletop.vision.reader import read


class Holding:
    """Asks one camera. camera: any; None, or one that does not say, holds nothing that is known."""

    def __init__(self, camera: object) -> None:
        self._camera = camera

    @property
    def held(self) -> tuple[tuple[str, str], ...]:
        """Return name and state: locked, free (it may change) or absent; empty if the camera does not say."""
        said = self._camera.facts if isinstance(self._camera, Described) else None
        return () if said is None else tuple((name, str(state)) for name, state in said.held.items())

    def relight(self) -> None:
        """Let the camera measure all four again, in the light that there is now, and hold what it finds."""
        if isinstance(self._camera, Relit):
            self._camera.relight()


Picture = NDArray[np.uint8]

LOOK_S = 0.2  # between two looks: a look takes 30 ms on a PC
KEPT = say("the old profile is better: kept")
NOTHING = say("nothing to save: show the mat")


class GuidedRun:
    """Guides through the steps of a state, and writes the profile.

    out: the profile's file, which is replaced only by a better one. holding: what the camera holds, and its measuring
    begun again. saved: the profile that was written, None as long as none was. fault: what kept it from being written.
    """

    def __init__(self, state: Guided, out: Path, holding: Holding | None = None) -> None:
        self.state = state
        self.saved: Profile | None = None
        self.fault: InputError | None = None
        self._out, self._holding, self._relit = out, holding or Holding(None), False
        self._watcher, self._looked_s, self._rested_s = Watcher(), float("-inf"), float("-inf")
        self._frames: list[Frame] = []  # one of each throw
        self._pixels: Picture | None = None  # of the newest look
        self._newest: FrameResult | None = None  # in the step about dice

    @property
    def over(self) -> bool:
        """Whether the run has ended."""
        return self.saved is not None or self.state.outcome == LEAVE or self.fault is not None

    @property
    def old(self) -> Profile | None:
        """The profile that is there, None if there is none that can be read."""
        try:
            return load_profile(self._out) if self._out.is_file() else None
        except InputError:
            return None

    def step_to(self, at: int) -> None:
        """Step to this line, from 0; only the report has more than one."""
        self.state = replace(self.state, line=at)

    def press(self, press: Press) -> None:
        """Obey a press.

        In the step about dice BANK takes those that lie there for a throw, as long as none was counted: on a busy
        machine frames come too seldom to see dice come to rest.
        """
        seen, is_bank = self._newest, press.button == "bank" and not (press.long or press.repeat)
        if is_bank and self.state.step == "dice" and not self.state.throws and seen and seen.pixel_reading.dice:
            self._count(seen, seen.pixel_reading, seen.frame.time_s)
            return
        self.state = self.state.press(press)
        self._frames = self._frames[: len(self.state.throws)]  # fewer than before if one was read wrongly
        if self.state.outcome == SAVE and self.saved is None:
            self._save()

    def see(self, seen: FrameResult) -> None:
        """Look at the newest frame; in the step about dice, count its rest."""
        self._newest = seen if self.state.step == "dice" else None
        if self._newest is not None:
            self._rest(seen)
            return
        if self.state.step != "lock":
            self._relit = False
        elif not self._relit:  # in the light as it is now, not as it was when the camera was opened
            self._relit = True
            self._holding.relight()
        self._rested_s = seen.frame.time_s
        if seen.frame.time_s - self._looked_s >= LOOK_S:
            self._looked_s, self._pixels = seen.frame.time_s, seen.frame.pixels
            look = self._watcher.look(seen.frame.pixels, seen.frame.time_s, self._known(seen.frame.pixels))
            self.state = replace(self.state, held=self._holding.held).see(look)

    def take_corners(self, corners: Sequence[Point]) -> None:
        """Take the tray's corners, in parts of the picture, as somebody has shown them, with the dice between them.

        Raises StaleError in another step, and RefusedError, with the reason, if they can be no tray's.
        """
        if self.over or self.state.step != "markers" or self._pixels is None:
            raise StaleError("expected the step about the tray, which asks for its corners")
        height, width = self._pixels.shape[:2]
        points = [(x * width, y * height) for x, y in corners]
        self.state = self.state.shown(points, dice_in(self._pixels), width, height)
        if self.state.step == "markers":
            raise RefusedError(self.state.note)

    def _known(self, pixels: Picture) -> Profile | None:
        """Return where the tray lies if it is known and this picture has the same shape as that was taken from."""
        base, (height, width) = self.base(USUAL_DIE_MM), pixels.shape[:2]
        if base is None or abs(base.width_px * height / base.height_px / width - 1) > SHAPE_TOLERANCE:
            return None
        return base

    def base(self, die_mm: float) -> Profile | None:
        """Return the profile of the tray that was found in this run, else the one that is there."""
        found = self.state.found
        if found is not None and found.view is not None:
            return found.view.profile(die_mm)
        return replace(self.state.tray, die_mm=die_mm) if self.state.tray is not None else self.old

    def _rest(self, seen: FrameResult) -> None:
        """Count a rest as a throw if something in it came to lie after the throw before."""
        if seen.rest is None:
            return
        newest_s = max((*seen.rest.arrived_s, *seen.rest.unsure_arrived_s), default=float("-inf"))
        if newest_s > self._rested_s:
            self._count(seen, seen.rest.reading, newest_s)

    def _count(self, seen: FrameResult, lying: Reading, newest_s: float) -> None:
        """Count a throw: the dice that lie, the newest of them since `newest_s`."""
        base = self.base(USUAL_DIE_MM)
        self._rested_s = newest_s
        self._frames.append(seen.frame)
        pixels = seen.pixel_reading
        reading = lying if base is None else clip_to_tray(place(pixels, base), base)
        sizes = () if base is None else tuple(edges_mm(pixels, base))
        reasons = tuple(doubt.reason for doubt in reading.unsure)
        inside = pixels.dice if base is None else in_tray(pixels, base)
        samples = samples_of(seen.frame.pixels, inside)
        self.state = self.state.threw(
            Throw(
                len(reading.dice) + len(reasons),
                reasons,
                sizes,
                tuple(sample.look for sample in samples),
                tuple(sample.face for sample in samples),
                tuple(polarity(sample.pixels, sample.face) for sample in samples),
            )
        )

    def _new(self) -> Profile | None:
        """Return the profile with all that was learnt in this run."""
        state, old = self.state, self.old
        base = self.base(state.die_mm or (old.die_mm if old else USUAL_DIE_MM))
        if base is None:
            return None
        before = old.setup if old is not None and old.setup is not None else SetUp(0.0)
        dice, unsure = state.dice
        lit = self._lit(before)
        found = state.found.view if state.found is not None else None
        setup = SetUp(
            light_level=round(lit, 1),
            marker_error_mm=round(found.error_mm, 3) if found else 0.0 if state.tray else before.marker_error_mm,
            dice=dice or before.dice,
            unsure_share=round(unsure / dice, 4) if dice else before.unsure_share,
            die_colours=state.colours or before.die_colours,
            die_pips=state.pips if state.colours else before.die_pips,
        )
        return replace(base, die_mm=round(state.die_mm, 2) if state.die_mm else base.die_mm, setup=setup)

    def _lit(self, before: SetUp) -> float:
        """Return the tray's light as it is now; a run of the step about dice alone has only the frames of throws."""
        if self.state.look is None and self._frames:
            frame = self._frames[-1]
            return Watcher().look(frame.pixels, frame.time_s, self._known(frame.pixels)).lighting.level
        return before.light_level if self.state.look is None else self.state.look.lighting.level

    def _save(self) -> None:
        new = self._new() if self.state.checks else None  # all skipped: the old one, and it would be its own `previous`
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
            self.saved = new

    def _unsure_with_old(self) -> float | None:
        """Return the share of unsure dice that the old profile finds in the pictures of this run, None without.

        Dice that it does not find at all count as unsure: new ones may be of another size.
        """
        old = self.old
        if old is None:
            return None
        dice = unsure = 0
        for frame, throw in zip(self._frames, self.state.throws, strict=False):
            height, width = frame.pixels.shape[:2]
            try:
                size_px = die_px(old, width, height)
                seen = without_markers(frame.pixels, read(frame.pixels, die_px=size_px, fixed_size=True))
                inside = clip_to_tray(place(seen, old), old)
            except InputError:  # pictures of another shape than the old profile's
                return None
            seen_here = len(inside.dice) + len(inside.unsure)
            missed = max(0, throw.dice - seen_here)
            dice += seen_here + missed
            unsure += len(inside.unsure) + missed
        return unsure / dice if dice else None
