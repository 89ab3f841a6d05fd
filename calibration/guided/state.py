"""The guided calibration, step by step. Pure: measurements, throws and presses go in, a report comes out.

    markers   find the mat, or tap the tray's corners on the page; check the camera's view of it
    light     too dark, blown out, uneven, flickering
    focus     the sharpness, while the lens is turned
    lock      the controls that the camera can still change automatically
    dice      three throws: size, colours, how many, how many unsure; HOLD drops a misread one
    report    each check with its figure; BANK on a line repeats its step; save, or discard everything

BANK goes on, HOLD skips a step, long BANK (or MENU) goes back, and leaves from the first step.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from statistics import median
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from calibration.corners import USUAL_DIE_MM, clockwise, tray_of_corners
from calibration.guided.look import Lighting, Look, filled
from calibration.mat import MatView
from tabletop.config import plane
from tabletop.config.profile import LIGHT, MOST_ERROR_MM
from tabletop.core.message import SENTENCES, join, say
from tabletop.core.ports import Press
from tabletop.core.values import Die, Point, Profile, Unsure, UnsureReason
from tabletop.perception.frame_reader import LEAST_DIE_PX

LEAST_FILLED = 0.2  # of the picture by the tray: less is wasted pixels
MOST_TILT_DEG = 25.0  # to which the mat's places are proved (tests/calibration/test_mat_proof.py)
# Chosen by hand, well within what the reader bears on rendered dice: docs/calibration.md.
DARKEST, BRIGHTEST = 60.0, 245.0
MOST_BLOWN = 0.02
MOST_UNEVEN = 0.6
MOST_FLICKER = 0.03
LEAST_SHARPNESS = 25.0  # a blur of 1.6 pixels
OFF_BEST = 0.85  # of the best sharpness in this run: below, the lens was turned too far

HELD_NAMES = {"exposure": say("exposure"), "gain": say("gain"), "white": say("white balance"), "focus": say("focus")}

GLARE = say("move the lamp to the side")
MORE_LIGHT = say("more light")
CUT = say("show all five markers whole")
STEEPER = say("hang the camera straighter")
OTHER_DICE = say("other dice, or more light")
ADVICE = {
    UnsureReason.GLARE: GLARE,
    UnsureReason.TOO_DARK: MORE_LIGHT,
    UnsureReason.LEANS: STEEPER,
    UnsureReason.OUTSIDE_PICTURE: say("show the whole tray"),
    UnsureReason.ON_EDGE: say("throw into the middle"),
}


@dataclass(frozen=True, slots=True)
class Check:
    """One line of the report.

    step: the step to repeat. text: with its figure. advice: empty if it is good. asks: a question that only people can
    answer.
    """

    step: str
    text: str
    advice: str = ""
    asks: str = ""

    @property
    def good(self) -> bool:
        """Whether nothing needs to be changed."""
        return not self.advice


@dataclass(frozen=True, slots=True)
class Throw:
    """One throw at rest.

    dice: how many lay there, including unsure ones. reasons: of the unsure ones. Of the sure ones: sizes_mm, empty
    without a tray; faces; looks: the colour, and whether the pips are light or dark. picture: the frame, (H, W, 3) BGR.
    """

    dice: int
    reasons: tuple[UnsureReason, ...] = ()
    sizes_mm: tuple[float, ...] = ()
    faces: tuple[int, ...] = ()
    looks: tuple[tuple[str, str], ...] = ()
    picture: NDArray[np.uint8] | None = field(default=None, compare=False, repr=False)


def checks_of_markers(look: Look, view: MatView) -> tuple[Check, ...]:
    """Return the checks of a mat and its framing. view: that of the look."""
    not_flat = say("lay the mat flat") if view.misfit_mm > MOST_ERROR_MM else ""
    steeper = STEEPER if look.tilt_deg > MOST_TILT_DEG else ""
    return (
        Check("markers", say("places good to {text} mm", text=f"{view.error_mm:.1f}"), not_flat),
        *_framing_checks(view.profile(USUAL_DIE_MM), look.filled, CUT if look.cut else ""),
        Check("markers", say("camera leans {n} deg", n=round(look.tilt_deg)), steeper),
    )


def framing_advice(look: Look) -> str:
    """Return what to change about the tray's position in the picture, empty if it is good."""
    if look.cut:
        return CUT
    if look.tilt_deg > MOST_TILT_DEG:
        return STEEPER
    return say("bring the camera nearer") if look.filled < LEAST_FILLED else ""


def checks_of_tray(tray: Profile) -> tuple[Check, ...]:
    """Return the checks of a tray without a mat, from its corners."""
    wide, high = (round(side) for side in tray.tray_mm)
    return (Check("markers", say("tray of {n} x {n2} mm", n=wide, n2=high)), *_framing_checks(tray, filled(tray), ""))


def _framing_checks(profile: Profile, share: float, cut: str) -> tuple[Check, ...]:
    """Return how many pixels a die has, and the tray's share of the picture. cut: what to do about a border."""
    die_px, nearer = round(USUAL_DIE_MM * profile.px_per_mm), say("bring the camera nearer")
    framing = cut or (nearer if share < LEAST_FILLED else "")
    return (
        Check("markers", say("a die has {n} px", n=die_px), nearer if die_px < LEAST_DIE_PX else ""),
        Check("markers", say("tray: {n} % of picture", n=round(100 * share)), framing),
    )


def light_advice(light: Lighting) -> str:
    """Return what to change about the light, the worst problem first; empty if it is good."""
    if light.blown > MOST_BLOWN or light.level > BRIGHTEST:
        return say("too bright: less light")
    if light.level < DARKEST:
        return say("too dark: more light")
    if light.flicker is not None and light.flicker > MOST_FLICKER:
        return say("flicker: use another lamp")
    if light.uneven > MOST_UNEVEN:
        return say("uneven: lamp farther away")
    return ""


def focus_advice(sharpness: float | None, best: float) -> str:
    """Return what to do about the lens, empty if it is sharp."""
    if sharpness is None:
        return say("show a marker, or dice")
    if sharpness < OFF_BEST * best:
        return say("turn the lens back")
    return say("turn the lens") if sharpness < LEAST_SHARPNESS else ""


def held_text(held: Sequence[tuple[str, str]]) -> str:
    """Return how many of the camera's controls are locked, or that it does not report them."""
    if not held:
        return say("camera tells nothing")
    locked, free = (sum(state == which for _, state in held) for which in ("locked", "free"))
    return say("{n} of {n2} locked", n=locked, n2=locked + free)


def not_held(held: Sequence[tuple[str, str]]) -> str:
    """Return the controls that can still change automatically, empty if none; absent controls never change."""
    free = [HELD_NAMES.get(name, name) for name, state in held if state == "free"]
    return say("not held: {text}", text=join(", ", free)) if free else ""


def checks_of_dice(throws: Sequence[Throw]) -> tuple[Check, ...]:
    """Return the checks of the dice; at least one throw."""
    dice, reasons = sum(throw.dice for throw in throws), Counter(reason for throw in throws for reason in throw.reasons)
    sizes = [size for throw in throws for size in throw.sizes_mm]
    size = (Check("dice", say("dice of {text} mm", text=f"{median(sizes):.1f}")),) if sizes else ()
    unsure = tuple(
        Check("dice", _unsure_text(reason, count, dice), ADVICE.get(reason, OTHER_DICE))
        for reason, count in reasons.most_common()
    )
    looks = tuple(
        Check("dice", say("{value}: light pips" if pips == LIGHT else "{value}: dark pips", value=colour))
        for colour, pips in looks_of(throws).items()
        if pips
    )
    return (
        *size,
        *_counts(throws),
        *looks,
        *(unsure or (Check("dice", say("unsure: {n} of {n2} dice", n=0, n2=dice)),)),
    )


def _counts(throws: Sequence[Throw]) -> tuple[Check, ...]:
    """Return of how many dice the throws were where that differs: one may have lain unseen, people alone know."""
    counts = [throw.dice for throw in throws]
    if len(set(counts)) == 1:
        return ()
    return (Check("dice", say("throws of {text}", text=" ".join(map(str, counts))), asks=say("was a die not seen?")),)


def _unsure_text(reason: UnsureReason, count: int, dice: int) -> str:
    """Return of how many dice something hinders the reading: "glare: 3 of 12 dice"."""
    why = say("two faces possible") if reason is UnsureReason.TWO_FACES else SENTENCES[reason]
    return say("{text}: {n} of {n2} dice", text=why, n=count, n2=dice)


def looks_of(throws: Sequence[Throw]) -> dict[str, str]:
    """Return the colours of the dice, most frequent first, each with its usual kind of pips, "" if not seen."""
    looks = [look for throw in throws for look in throw.looks]
    result = dict[str, str]()
    for colour, _ in Counter(colour for colour, _ in looks).most_common():
        pips = Counter(pips for each, pips in looks if each == colour and pips)
        result[colour] = pips.most_common(1)[0][0] if pips else ""
    return result


Step = Literal["markers", "light", "focus", "lock", "dice", "report"]
STEPS: tuple[Step, ...] = ("markers", "light", "focus", "lock", "dice")
FIRST_STEPS: tuple[Step, ...] = ("markers", "dice")  # the page shows light and focus all the time
THROWS = 3
NO_MAT = say("the mat is not seen yet")
NOT_CORNERS = say("tap each corner of the tray")
NO_RULER = say("lay a die into the tray")
NO_TRAY = say("no tray has this size")
NO_THROW = say("throw the dice first")
LEFT_OUT = say("left out: throw again")
SAVE, LEAVE = "save", "leave"


@dataclass(frozen=True, slots=True)
class Guided:
    """The state of a guided calibration.

    steps: the steps to do. held: the camera's controls: name -> locked, free or absent. look: the newest measurements.
    best: the best sharpness so far. found: the measurements that gave a mat's tray. tray: one without a mat. throws: so
    far, without those that people found wrong. done: steps completed or skipped. checks: the results. line: the
    selected line of the report. note: a line about the last event. outcome: the final decision, empty until then.
    """

    steps: tuple[Step, ...] = STEPS
    held: tuple[tuple[str, str], ...] = ()
    look: Look | None = None
    best: float = 0.0
    found: Look | None = None
    tray: Profile | None = None
    throws: tuple[Throw, ...] = ()
    done: tuple[Step, ...] = ()
    checks: tuple[Check, ...] = ()
    line: int = 0
    note: str = ""
    outcome: str = ""

    @property
    def step(self) -> Step:
        """The current step, `report` after the last."""
        return next((step for step in self.steps if step not in self.done), "report")

    @property
    def lines(self) -> int:
        """The number of lines in the report: the checks, then save and leave."""
        return len(self.checks) + 2

    def see(self, look: Look) -> "Guided":
        """Return the state after a measurement."""
        return replace(self, look=look, best=max(self.best, look.sharpness or 0.0))

    def threw(self, throw: Throw) -> "Guided":
        """Return the state after a throw has come to rest; only the dice step counts it."""
        if self.step != "dice":
            return self
        return replace(self, throws=(*self.throws, throw), note="")

    def shown(self, points: Sequence[Point], dice: Sequence[Die | Unsure], width_px: int, height_px: int) -> "Guided":
        """Return the state after somebody has tapped the corners in a picture, in pixels, in any order.

        dice: all that are visible; those between the corners set the scale. Errors are reported in the note.
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
        return _finished(replace(self, tray=tray, found=None), checks_of_tray(tray))

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
        """Return the state after saving was refused for this reason."""
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
        if not self.done:
            return replace(self, outcome=LEAVE)
        return self._again(self.done[-1])

    def _taken(self) -> "Guided":
        if self.step == "report":
            return self._line_taken()
        if self.step == "lock":
            return _finished(self, (Check("lock", held_text(self.held), not_held(self.held)),))
        if self.step == "dice":
            return _finished(self, checks_of_dice(self.throws)) if self.throws else replace(self, note=NO_THROW)
        return replace(self, note=NO_MAT) if self.look is None else self._look_taken(self.look)

    def _look_taken(self, look: Look) -> "Guided":
        if self.step == "light":
            level = say("brightness {n} of 255", n=round(look.lighting.level))
            return _finished(self, (Check("light", level, light_advice(look.lighting)),))
        if self.step == "focus":
            figure = say("sharpness {n} of 100", n=round(look.sharpness or 0))
            return _finished(self, (Check("focus", figure, focus_advice(look.sharpness, self.best)),))
        if look.view is None:
            return replace(self, note="")  # the page says what hinders
        return _finished(replace(self, found=look, tray=None), checks_of_markers(look, look.view))

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
        """The median edge of the thrown dice, None without any."""
        sizes = [size for throw in self.throws for size in throw.sizes_mm]
        return median(sizes) if sizes else None

    @property
    def dice(self) -> tuple[int, int]:
        """The number of dice thrown, and how many of them were unsure."""
        return sum(throw.dice for throw in self.throws), sum(len(throw.reasons) for throw in self.throws)


def _finished(state: Guided, checks: tuple[Check, ...]) -> Guided:
    """Return the state after the present step, with what came out of it."""
    step = state.step
    kept = [check for check in state.checks if check.step != step]
    ordered = sorted([*kept, *checks], key=lambda check: STEPS.index(check.step))
    after = replace(state, done=(*state.done, step), checks=tuple(ordered), note="")
    return replace(after, line=len(ordered) if after.step == "report" else 0)
