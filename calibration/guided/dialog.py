"""The guided calibration as a dialog: takes frames and presses, queries the camera, and writes the profile.

It is an entry of the table's menu, using its camera and buttons; `tabletop calibrate` shows it alone.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from calibration.corners import USUAL_DIE_MM, dice_in, edges_mm, pips_of
from calibration.guided.look import Watcher
from calibration.guided.signs import guided_snapshot
from calibration.guided.state import FIRST_STEPS, LEAVE, SAVE, STEPS, Guided, Throw, looks_of
from tabletop.cameras.live_camera import Described, Relit
from tabletop.config.profile import SHAPE_TOLERANCE, die_px, load_profile, place, replace_profile
from tabletop.core.errors import InputError, RefusedError, StaleError
from tabletop.core.message import say
from tabletop.core.ports import Press
from tabletop.core.values import Point, Profile, Reading, SetUp
from tabletop.dialogs.commands import Dialog, MenuAction
from tabletop.dialogs.menu import Item, Menu, Page, failed
from tabletop.perception import pipeline, tray_filter
from tabletop.views.snapshot import Snapshot
from tabletop.vision.reader import read

Picture = NDArray[np.uint8]

SHARE_DIGITS = 4  # decimals of the share of unsure dice
LOOK_S = 0.2  # between two looks: a look takes 30 ms on a PC
KEPT = say("the old profile is better: kept")
NOTHING = say("nothing to save: show the mat")


class GuidedDialog:
    """Guides through the steps of a state, evaluating the newest frame whenever it is drawn.

    out: the profile's file, which is replaced only on saving. apply: called with the saved profile; with None while
    throws must be read without one, because the dice may differ from those of the old profile, and then with the old
    one. camera: queried for its locked controls, None if there is none. saved: the profile that was written, None until
    then. fault: why it could not be written. first: only the first steps, saved without a report. tray: a known one.
    """

    def __init__(
        self,
        newest: Callable[[], pipeline.FrameResult | None],
        out: Path,
        apply: Callable[[Profile | None], None] = lambda _: None,
        camera: object = None,
        state: Guided | None = None,
        *,
        first: bool = False,
        tray: Profile | None = None,
    ) -> None:
        self._newest, self._out, self._apply, self._camera = newest, out, apply, camera
        self.state = state or Guided(FIRST_STEPS if first else STEPS, tray=tray)
        self.saved: Profile | None = None
        self.fault: InputError | None = None
        self._before, self._reads_any = self.old, False
        self._watcher, self._looked_s, self._rested_s = Watcher(), float("-inf"), float("-inf")
        self._relit = False
        self._pixels: Picture | None = None  # Whether the calibration has ended.
        self._thrown: pipeline.FrameResult | None = None  # the newest frame in the step about dice

    @property
    def over(self) -> bool:
        """Whether the run has ended."""
        return self.saved is not None or self.state.outcome == LEAVE or self.fault is not None

    @property
    def old(self) -> Profile | None:
        """The existing profile, None if it is missing or cannot be read."""
        try:
            return load_profile(self._out) if self._out.is_file() else None
        except InputError:
            return None

    @property
    def snapshot(self) -> Snapshot:
        """The snapshot of the current step, after evaluating the newest frame."""
        seen = self._newest()
        if seen is not None:
            self.see(seen)
        return guided_snapshot(self.state)

    def step_to(self, at: int) -> "GuidedDialog":
        """Return the dialog with this line selected, from 0; only the report has more than one."""
        self.state = replace(self.state, line=at)
        return self

    def press(self, press: Press) -> "Dialog | MenuAction":
        """Handle a press; return this dialog, or the next one after the end."""
        self._obey(press)
        if self._is_short and self.state.step == "report" and not self.over:
            self._save()
            if not self.over:  # nothing was found, or the old profile is better
                self.state = replace(self.state, outcome=LEAVE)
        self._read_any(wanted=self.state.step == "dice" and not self.over)
        if not self.over:
            return self
        if self.fault is not None:
            return failed(str(self.fault))
        is_kept = self._is_short and self.saved is None and self.state.note == KEPT
        if self.saved is not None:
            self._apply(self.saved)
        if (self._is_short or self.saved is None) and not is_kept:
            return MenuAction.START_MENU
        note = KEPT if is_kept else say("the table uses it now")
        return Menu((Page(say("Calibrated"), (Item(say("play"), MenuAction.START_MENU, note),)),))

    @property
    def _is_short(self) -> bool:
        return self.state.steps == FIRST_STEPS

    def _obey(self, press: Press) -> None:
        """Obey a press.

        In the step about dice BANK takes those that lie there for a throw, as long as none was counted: on a busy
        machine frames come too seldom to see dice come to rest.
        """
        seen, is_bank = self._thrown, press.button == "bank" and not (press.long or press.repeat)
        if is_bank and self.state.step == "dice" and not self.state.throws and seen and seen.pixel_reading.dice:
            self._count(seen, seen.pixel_reading, seen.frame.time_s)
            return
        self.state = self.state.press(press)
        if self.state.outcome == SAVE and self.saved is None:
            self._save()

    def _read_any(self, *, wanted: bool) -> None:
        """Have dice of any size read, or again those of the profile that is there."""
        if wanted != self._reads_any:
            self._reads_any = wanted
            self._apply(None if wanted else self._before)

    def put_aside(self) -> None:
        """Restore the old profile for reading: somebody at the page began a match instead."""
        self._read_any(wanted=False)

    def take_corners(self, corners: Sequence[Point]) -> None:
        """Set the tray's corners, as fractions of the picture, as tapped on the page, with the dice between them.

        Raises StaleError in another step, and RefusedError, with the reason, if they cannot be a tray's.
        """
        if self.over or self.state.step != "markers" or self._pixels is None:
            raise StaleError("expected the step about the tray, which asks for its corners")
        height, width = self._pixels.shape[:2]
        points = [(x * width, y * height) for x, y in corners]
        self.state = self.state.shown(points, dice_in(self._pixels), width, height)
        if self.state.step == "markers":
            raise RefusedError(self.state.note)
        self._read_any(wanted=self.state.step == "dice")

    # What the camera sees

    def see(self, seen: pipeline.FrameResult) -> None:
        """Evaluate the newest frame; in the dice step, count its rest."""
        about_dice = self.state.step == "dice"
        self._thrown = seen if about_dice else None
        if self.state.step != "lock":
            self._relit = False
        elif not self._relit:  # in the current light, not that at the camera's start
            self._relit = True
            if isinstance(self._camera, Relit):
                self._camera.relight()
        if not about_dice:
            self._rested_s = seen.frame.time_s
        if self.state.look is None or (not about_dice and seen.frame.time_s - self._looked_s >= LOOK_S):
            self._looked_s, self._pixels = seen.frame.time_s, seen.frame.pixels
            look = self._watcher.look(seen.frame.pixels, seen.frame.time_s, self._known(seen.frame.pixels))
            self.state = replace(self.state, held=self._held).see(look)
        if about_dice:
            self._rest(seen)

    @property
    def _held(self) -> tuple[tuple[str, str], ...]:
        """What the camera holds: name and state, locked, free (it may change) or absent; empty if it does not say."""
        said = self._camera.facts if isinstance(self._camera, Described) else None
        return () if said is None else tuple((name, str(state)) for name, state in said.held.items())

    def _known(self, pixels: Picture) -> Profile | None:
        """Return where the tray lies if it is known and this picture has the same shape as that was taken from."""
        base, (height, width) = self._base(USUAL_DIE_MM), pixels.shape[:2]
        if base is None or abs(base.width_px * height / base.height_px / width - 1) > SHAPE_TOLERANCE:
            return None
        return base

    def _base(self, die_mm: float) -> Profile | None:
        """Return the profile of the tray that was found in this run, else the one that is there."""
        found = self.state.found
        if found is not None and found.view is not None:
            return found.view.profile(die_mm)
        return replace(self.state.tray, die_mm=die_mm) if self.state.tray is not None else self.old

    def _rest(self, seen: pipeline.FrameResult) -> None:
        """Count a rest as a throw if something in it came to lie after the throw before."""
        if seen.rest is None:
            return
        newest_s = max((*seen.rest.arrived_s, *seen.rest.unsure_arrived_s), default=float("-inf"))
        if newest_s > self._rested_s:
            self._count(seen, seen.rest.reading, newest_s)

    def _count(self, seen: pipeline.FrameResult, lying: Reading, newest_s: float) -> None:
        """Count a throw: the dice that lie, the newest of them since `newest_s`."""
        base, pixels, picture = self._base(USUAL_DIE_MM), seen.pixel_reading, seen.frame.pixels
        self._rested_s = newest_s
        placed = pixels if base is None else place(pixels, base)
        reading = lying if base is None else tray_filter.clip_to_tray(placed, base)
        sizes = () if base is None else tuple(edges_mm(pixels, base))
        faces, reasons = tuple(die.face for die in reading.dice), tuple(doubt.reason for doubt in reading.unsure)
        looks = tuple(
            (die.colour, pips_of(picture, die))
            for die, there in zip(pixels.dice, placed.dice, strict=True)
            if there.where != "outside"
        )
        self.state = self.state.threw(Throw(len(faces) + len(reasons), reasons, sizes, faces, looks, picture))

    # The profile

    def _save(self) -> None:
        new = self._new() if self.state.checks else None  # all skipped: the old one, and it would be its own `previous`
        if new is None:
            self.state = self.state.with_reason(NOTHING)
            return
        if self._is_worse(new):
            self.state = self.state.with_reason(KEPT)
            return
        try:
            replace_profile(new, self._out)
        except InputError as error:
            self.fault = error
        else:
            self.saved = new

    def _is_worse(self, new: Profile) -> bool:
        """Return whether more of this run's dice are unsure than with the old profile in the very same pictures.

        A profile without dice says nothing against a new one, and a mat that fits worse than MOST_ERROR_MM gives none.
        """
        old = self.old
        if old is None or old.setup is None or not old.setup.dice or new.setup is None:
            return False
        share = self._unsure_share(old)
        return new.setup.unsure_share > (old.setup.unsure_share if share is None else share)

    def _unsure_share(self, old: Profile) -> float | None:
        """Return the share of unsure dice that a profile finds in this run's pictures, None without any of its shape.

        Dice that it does not find at all count as unsure: new ones may be of another size.
        """
        dice = unsure = 0
        for throw in self.state.throws:
            pixels = throw.picture
            if pixels is None:
                return None
            try:
                edge_px = die_px(old, pixels.shape[1], pixels.shape[0])
            except InputError:  # of another shape
                return None
            seen = tray_filter.without_markers(pixels, read(pixels, die_px=edge_px, fixed_size=True))
            inside = tray_filter.clip_to_tray(place(seen, old), old)
            found = len(inside.dice) + len(inside.unsure)
            dice += max(found, throw.dice)
            unsure += len(inside.unsure) + max(0, throw.dice - found)
        return round(unsure / dice, SHARE_DIGITS) if dice else None

    def _new(self) -> Profile | None:
        state, old = self.state, self.old
        base = self._base(state.die_mm or (old.die_mm if old else USUAL_DIE_MM))
        if base is None:
            return None
        before = old.setup if old is not None and old.setup is not None else SetUp(0.0)
        (dice, unsure), looks = state.dice, looks_of(state.throws)
        found = state.found.view if state.found is not None else None
        setup = SetUp(
            light_level=round(state.look.lighting.level, 1) if state.look is not None else before.light_level,
            marker_error_mm=round(found.error_mm, 3) if found else 0.0 if state.tray else before.marker_error_mm,
            dice=dice or before.dice,
            unsure_share=round(unsure / dice, SHARE_DIGITS) if dice else before.unsure_share,
            die_colours=tuple(looks) or before.die_colours,
            die_pips=tuple(looks.values()) if looks else before.die_pips,
        )
        return replace(base, die_mm=round(state.die_mm, 2) if state.die_mm else base.die_mm, setup=setup)
