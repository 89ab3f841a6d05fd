"""The guided run, step by step. Pure: looks, throws and presses come in, time with them; a report comes out.

    markers   the mat is found, or four stickers, or dice in the tray's corners; how the camera looks at it
    light     too dark, blown out, uneven, flickering
    focus     the sharpness, while somebody turns the lens
    lock      what of the camera can still change by itself
    dice      three throws: size, colours, how many, how many unsure; HOLD leaves one out that was read wrongly
    report    each check with its figure; BANK on a line repeats its step; save, or leave all as it was

BANK goes on, HOLD skips a step, long BANK (or MENU) goes back and from the first step leaves. Nothing is written here.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import hypot
from statistics import median
from typing import Literal

from calibration.guided.checks import (
    Check,
    Throw,
    checks_of_dice,
    checks_of_focus,
    checks_of_light,
    checks_of_lock,
    checks_of_markers,
    checks_of_tray,
    pips_by_colour,
)
from calibration.guided.look import Look
from calibration.stickers import CORNERS, SeenDie, TrayView, clockwise, tray_of_corners, tray_of_dice
from tabletop.config import plane
from tabletop.core.message import say
from tabletop.core.ports import Press
from tabletop.core.values import Point

Step = Literal["markers", "light", "focus", "lock", "dice", "report"]
STEPS: tuple[Step, ...] = ("markers", "light", "focus", "lock", "dice")
THROWS = 3
NO_MAT = say("the mat is not seen yet")
NO_CORNERS = say("no tray: a die into each corner")
NOT_CORNERS = say("tap each corner of the tray")
NO_RULER = say("lay a die into the tray")
NO_TRAY = say("no tray has this size")
SAME_CORNER = say("the same corner: next one")
NO_THROW = say("throw the dice first")
LEFT_OUT = say("left out: throw again")
SAVE, LEAVE = "save", "leave"


@dataclass(frozen=True, slots=True)
class Guided:
    """Where the run stands.

    steps: those to be done. held: what the camera can hold: name -> locked, free or absent. look: the newest. best: the
    best sharpness seen in this run. found: the look from which a mat's tray was taken. tray: one without a mat.
    corners: dice that were laid into its corners, one by one. throws: so far, those that people found wrong left out.
    done: steps that are done or were skipped. checks: what came out. line: where HOLD stands in the report. note: a
    line about what happened last. outcome: what people have decided, empty while the run goes on.
    """

    steps: tuple[Step, ...] = STEPS
    held: tuple[tuple[str, str], ...] = ()
    look: Look | None = None
    best: float = 0.0
    found: Look | None = None
    tray: TrayView | None = None
    corners: tuple[SeenDie, ...] = ()
    throws: tuple[Throw, ...] = ()
    done: tuple[Step, ...] = ()
    checks: tuple[Check, ...] = ()
    line: int = 0
    note: str = ""
    outcome: str = ""

    @property
    def step(self) -> Step:
        """The step that is being done, `report` after the last."""
        return next((step for step in self.steps if step not in self.done), "report")

    @property
    def lines(self) -> int:
        """How many lines the report has: the checks, then save and leave."""
        return len(self.checks) + 2

    def see(self, look: Look) -> "Guided":
        """Return the state after a look."""
        return replace(self, look=look, best=max(self.best, look.sharpness or 0.0))

    def threw(self, throw: Throw) -> "Guided":
        """Return the state after a throw has come to rest; only the step about dice counts them."""
        if self.step != "dice":
            return self
        return replace(self, throws=(*self.throws, throw), note="")

    def laid(self, dice: Sequence[SeenDie], width_px: int, height_px: int) -> "Guided":
        """Return the state after BANK with these dice in a tray without markers: one in a corner, or one in each.

        Any other number is no corner, nor is a die where one was taken before (BANK was pressed twice). width_px,
        height_px: of the picture.
        """
        corners = (*self.corners, *dice) if len(dice) == 1 else tuple(dice)
        if len(dice) not in (1, CORNERS):
            return replace(self, note=NO_CORNERS)
        if len(dice) == 1 and any(hypot(die.x - dice[0].x, die.y - dice[0].y) < die.size for die in self.corners):
            return replace(self, note=SAME_CORNER)
        if len(corners) < CORNERS:
            return replace(self, corners=corners, note="")
        tray = tray_of_dice(corners, width_px, height_px)
        if tray is None:
            return replace(self, corners=(), note=NO_CORNERS)
        return _finished(replace(self, tray=tray, found=None, corners=()), checks_of_tray(tray))

    def shown(self, points: Sequence[Point], dice: Sequence[SeenDie], width_px: int, height_px: int) -> "Guided":
        """Return the state after somebody has shown the corners in a picture, in pixels, in any order.

        dice: all that are seen; those between the corners are the ruler. Anything wrong is said in the note.
        """
        corners = clockwise(points)
        if corners is None:
            return replace(self, note=NOT_CORNERS)
        ruler = [die for die in dice if plane.holds(corners, (die.x, die.y))]
        if not ruler:
            return replace(self, note=NO_RULER)
        tray = tray_of_corners(corners, ruler, width_px, height_px)
        if tray is None:
            return replace(self, note=NO_TRAY)
        return _finished(replace(self, tray=tray, found=None, corners=()), checks_of_tray(tray))

    def press(self, press: Press) -> "Guided":
        """Return the state after a press."""
        if self.outcome:
            return self
        if press.menu:  # the third button goes back wherever something is asked, as in the table's menus
            return self._back()
        if press.button == "hold":
            return self._held(press)
        if press.repeat:
            return self
        return self._back() if press.long else self._taken()

    def with_reason(self, reason: str) -> "Guided":
        """Return the state in which saving was refused for this reason."""
        return replace(self, outcome="", note=reason)

    def _held(self, press: Press) -> "Guided":
        if self.step == "report":
            return replace(self, line=(self.line + 1) % self.lines, note="")
        if press.repeat:
            return self
        if self.step == "dice" and self.throws:
            return replace(self, throws=self.throws[:-1], note=LEFT_OUT)
        return _finished(self, ())

    def _back(self) -> "Guided":
        if self.step == "markers" and self.corners:
            return replace(self, corners=self.corners[:-1], note="")
        if not self.done:
            return replace(self, outcome=LEAVE)
        return self._again(self.done[-1])

    def _taken(self) -> "Guided":
        if self.step == "report":
            return self._line_taken()
        if self.step == "lock":
            return _finished(self, checks_of_lock(self.held))
        if self.step == "dice":
            if not self.throws:
                return replace(self, note=NO_THROW)
            return self._dice_taken()
        if self.look is None:
            return replace(self, note=NO_MAT)
        return self._tray_taken(self.look) if self.step == "markers" else self._figure_taken(self.look)

    def _dice_taken(self) -> "Guided":
        """Return the state after the throws; where dice are the ruler, those thrown are a better one than four are."""
        if self.tray is None or self.die_mm is None:
            return _finished(self, checks_of_dice(self.throws, on_mat=self.found is not None))
        tray = self.tray.ruled_by(self.die_mm)
        share = tray.profile.tray_mm[0] / self.tray.profile.tray_mm[0]
        throws = tuple(replace(throw, sizes_mm=tuple(size * share for size in throw.sizes_mm)) for throw in self.throws)
        others = tuple(check for check in self.checks if check.step != "markers")
        ruled = replace(self, tray=tray, throws=throws, checks=(*checks_of_tray(tray), *others))
        return _finished(ruled, checks_of_dice(throws))

    def _tray_taken(self, look: Look) -> "Guided":
        if look.view is not None:
            return _finished(replace(self, found=look, tray=None, corners=()), checks_of_markers(look))
        if look.tray is not None:
            return _finished(replace(self, tray=look.tray, found=None, corners=()), checks_of_tray(look.tray))
        return replace(self, note="")  # the page says what hinders

    def _figure_taken(self, look: Look) -> "Guided":
        is_light = self.step == "light"
        checks = checks_of_light(look.lighting) if is_light else checks_of_focus(look.sharpness, self.best)
        return _finished(self, checks)

    def _line_taken(self) -> "Guided":
        if self.line < len(self.checks):
            return self._again(self.checks[self.line].step)
        return replace(self, outcome=SAVE if self.line == len(self.checks) else LEAVE)

    def _again(self, step: str) -> "Guided":
        """Return the state in which this step is to be done once more."""
        kept = tuple(check for check in self.checks if check.step != step)
        done = tuple(each for each in self.done if each != step)
        throws = () if step == "dice" else self.throws
        best = 0.0 if step == "focus" else self.best
        return replace(self, done=done, checks=kept, throws=throws, best=best, line=0, note="")

    # What was learnt

    @property
    def die_mm(self) -> float | None:
        """The median edge of the dice thrown, None without any."""
        sizes = [size for throw in self.throws for size in throw.sizes_mm]
        return median(sizes) if sizes else None

    @property
    def dice(self) -> tuple[int, int]:
        """How many dice were thrown in all, and how many of them were unsure."""
        return sum(throw.dice for throw in self.throws), sum(len(throw.reasons) for throw in self.throws)

    @property
    def colours(self) -> tuple[str, ...]:
        """The colours of the dice, the commonest first."""
        return tuple(colour for colour, _ in Counter(c for throw in self.throws for c in throw.colours).most_common())

    @property
    def pips(self) -> tuple[str, ...]:
        """Whether the pips of each of these colours are light or dark."""
        return pips_by_colour(self.throws, self.colours)


def _finished(state: Guided, checks: tuple[Check, ...]) -> Guided:
    """Return the state after the present step, with what came out of it."""
    step = state.step
    kept = [check for check in state.checks if check.step != step]
    ordered = sorted([*kept, *checks], key=lambda check: STEPS.index(check.step))
    after = replace(state, done=(*state.done, step), checks=tuple(ordered), note="")
    return replace(after, line=len(ordered) if after.step == "report" else 0)
