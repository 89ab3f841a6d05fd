"""What each step says in the end: its figure, whether that is good, and what to change. Pure."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from calibration.guided.look import Lighting, Look
from calibration.mat_fit import USUAL_DIE_MM
from tabletop.core.message import join, say
from tabletop.core.reasons import UnsureReason

LEAST_DIE_PX = 25.0  # contract of `tabletop read`
LEAST_FILLED = 0.2  # of the picture by the tray: less is wasted pixels
MOST_TILT_DEG = 25.0  # to which the mat's places are proved (tests/calibration/test_mat_proof.py)
MOST_ERROR_MM = 0.5
# Chosen by hand, well within what the reader bears on rendered dice: docs/calibration.md.
DARKEST, BRIGHTEST = 60.0, 245.0
MOST_BLOWN = 0.02
MOST_UNEVEN = 0.6
MOST_FLICKER = 0.03
LEAST_SHARPNESS = 25.0  # a blur of 1.6 pixels
OFF_BEST = 0.85  # of the best sharpness in this run: below, the lens was turned too far

HELD_NAMES = {
    "exposure": say("exposure"),
    "gain": say("gain"),
    "white": say("white balance"),
    "focus": say("focus"),
}

GLARE = say("move the lamp to the side: glare")
MORE_LIGHT = say("more light")
STEEPER = say("hang the camera straighter")
ADVICE = {
    UnsureReason.GLARE: GLARE,
    UnsureReason.TOO_DARK: MORE_LIGHT,
    UnsureReason.LEANS: STEEPER,
    UnsureReason.OUTSIDE_PICTURE: say("show the whole tray"),
    UnsureReason.ON_EDGE: say("throw into the middle"),
}


@dataclass(frozen=True, slots=True)
class Check:
    """One line of the report. step: by which it is repeated. text: with its figure. advice: empty if it is good."""

    step: str
    text: str
    advice: str = ""

    @property
    def good(self) -> bool:
        """Whether nothing has to be changed."""
        return not self.advice


@dataclass(frozen=True, slots=True)
class Throw:
    """One throw at rest. dice: how many lay there, unsure ones too. reasons: why those are. sizes_mm: of the sure."""

    dice: int
    reasons: tuple[UnsureReason, ...] = ()
    sizes_mm: tuple[float, ...] = ()
    colours: tuple[str, ...] = ()


def checks_of_markers(look: Look) -> tuple[Check, ...]:
    """Return what is said of markers and framing; the look must have a view."""
    view = look.view
    assert view is not None  # noqa: S101 - the step is taken with a view only
    die_px = round(USUAL_DIE_MM * view.profile(USUAL_DIE_MM).px_per_mm)
    nearer = say("bring the camera nearer")
    flat = say("lay the mat flat")
    framing = say("show all five markers whole") if look.cut else ""
    if not framing and look.filled < LEAST_FILLED:
        framing = nearer
    return (
        Check(
            "markers",
            say("markers: {text} mm off", text=f"{view.error_mm:.1f}"),
            flat if view.error_mm > MOST_ERROR_MM else "",
        ),
        Check("markers", say("a die has {n} px", n=die_px), nearer if die_px < LEAST_DIE_PX else ""),
        Check("markers", say("tray: {n} % of picture", n=round(100 * look.filled)), framing),
        Check(
            "markers",
            say("camera leans {n} deg", n=round(look.tilt_deg)),
            STEEPER if look.tilt_deg > MOST_TILT_DEG else "",
        ),
    )


def light_advice(light: Lighting) -> str:
    """Return what to change about the light, the worst first; empty if it is good."""
    if light.blown > MOST_BLOWN or light.level > BRIGHTEST:
        return say("too bright: less light")
    if light.level < DARKEST:
        return say("too dark: more light")
    if light.flicker is not None and light.flicker > MOST_FLICKER:
        return say("flicker: use another lamp")
    if light.uneven > MOST_UNEVEN:
        return say("uneven: lamp farther away")
    return ""


def checks_of_light(light: Lighting) -> tuple[Check, ...]:
    """Return what is said of the light."""
    return (Check("light", say("brightness {n} of 255", n=round(light.level)), light_advice(light)),)


def focus_advice(sharpness: float | None, best: float) -> str:
    """Return what to do about the lens, empty if it is sharp."""
    if sharpness is None:
        return say("show a marker")
    if sharpness < OFF_BEST * best:
        return say("turn the lens back")
    return say("turn the lens") if sharpness < LEAST_SHARPNESS else ""


def checks_of_focus(sharpness: float | None, best: float) -> tuple[Check, ...]:
    """Return what is said of the focus."""
    return (Check("focus", say("sharpness {n} of 100", n=round(sharpness or 0)), focus_advice(sharpness, best)),)


def checks_of_lock(held: Sequence[tuple[str, str]]) -> tuple[Check, ...]:
    """Return what is said of the camera: what it can change by itself. held: name -> locked, free or absent."""
    if not held:
        return (Check("lock", say("camera tells nothing")),)
    return (Check("lock", held_text(held), not_held(held)),)


def held_text(held: Sequence[tuple[str, str]]) -> str:
    """Return how much is held of what the camera has."""
    locked, free = (sum(state == which for _, state in held) for which in ("locked", "free"))
    return say("{n} of {n2} locked", n=locked, n2=locked + free)


def not_held(held: Sequence[tuple[str, str]]) -> str:
    """Return which can still change by themselves, empty if none can: a camera that has no such thing never changes."""
    free = [HELD_NAMES.get(name, name) for name, state in held if state == "free"]
    return say("not held: {text}", text=join(", ", free)) if free else ""


def checks_of_dice(throws: Sequence[Throw]) -> tuple[Check, ...]:
    """Return what is said of the dice; at least one throw."""
    dice, reasons = sum(throw.dice for throw in throws), Counter(reason for throw in throws for reason in throw.reasons)
    sizes = [size for throw in throws for size in throw.sizes_mm]
    advice = ""
    if reasons:
        (reason, _), *_ = reasons.most_common()
        advice = ADVICE.get(reason, say("other dice, or more light"))
    unsure = Check("dice", say("unsure: {n} of {n2} dice", n=sum(reasons.values()), n2=dice), advice)
    if not sizes:
        return (unsure,)
    return (Check("dice", say("dice of {text} mm", text=f"{median(sizes):.1f}")), unsure)
