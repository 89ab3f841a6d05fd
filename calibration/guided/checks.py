"""What each step says in the end: its figure, whether that is good, and what to change. Pure."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from calibration.from_mat import LEAST_DICE, dice_that_may_be, may_be_on_other_paper, print_scale
from calibration.guided.look import Lighting, Look
from calibration.mat_fit import USUAL_DIE_MM
from calibration.pip_polarity import DARK, LIGHT
from calibration.stickers import TrayView
from tabletop.config.profile import MOST_ERROR_MM
from tabletop.core.message import SENTENCES, join, say
from tabletop.core.values import Profile, UnsureReason
from tabletop.perception.frame_reader import LEAST_DIE_PX

LEAST_FILLED = 0.2  # of the picture by the tray: less is wasted pixels
MOST_TILT_DEG = 25.0  # to which the mat's places are proved (tests/calibration/test_mat_proof.py)
MOST_ASIDE_DEG = 30.0  # of dice in corners: beyond, one view in sixty has one read by its side (docs/calibration.md)
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

GLARE = say("move the lamp to the side")
MORE_LIGHT = say("more light")
CUT = say("show all five markers whole")
STEEPER = say("hang the camera straighter")
STRAIGHTER = say("camera straighter, or higher")
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

    step: by which it is repeated. text: with its figure. advice: empty if it is good. asks: what people alone can tell.
    """

    step: str
    text: str
    advice: str = ""
    asks: str = ""

    @property
    def good(self) -> bool:
        """Whether nothing has to be changed."""
        return not self.advice


@dataclass(frozen=True, slots=True)
class Throw:
    """One throw at rest.

    dice: how many lay there, unsure ones too. reasons: why those are. Of the sure ones: sizes_mm, empty without a tray;
    colours; faces; pips, light or dark by the body.
    """

    dice: int
    reasons: tuple[UnsureReason, ...] = ()
    sizes_mm: tuple[float, ...] = ()
    colours: tuple[str, ...] = ()
    faces: tuple[int, ...] = ()
    pips: tuple[str, ...] = ()


def checks_of_markers(look: Look) -> tuple[Check, ...]:
    """Return what is said of a mat and its framing; the look must have a view."""
    view = look.view
    assert view is not None  # noqa: S101 - the step is taken with a view only
    cut = CUT if look.cut else ""
    not_flat = say("lay the mat flat") if view.misfit_mm > MOST_ERROR_MM else ""
    return (
        Check("markers", say("places good to {text} mm", text=f"{view.error_mm:.1f}"), not_flat),
        *_framing_checks(view.profile(USUAL_DIE_MM), look.filled, cut),
        Check(
            "markers",
            say("camera leans {n} deg", n=round(look.tilt_deg)),
            STEEPER if look.tilt_deg > MOST_TILT_DEG else "",
        ),
    )


def framing_advice(look: Look) -> str:
    """Return what to change about how the tray stands in the picture, empty if that is good."""
    if look.cut:
        return CUT
    if look.tilt_deg > MOST_TILT_DEG:
        return STEEPER
    return say("bring the camera nearer") if look.filled < LEAST_FILLED else ""


def checks_of_tray(tray: TrayView) -> tuple[Check, ...]:
    """Return what is said of a tray without a mat, by its stickers or by dice in its corners."""
    wide, high = (round(side) for side in tray.profile.tray_mm)
    good = say("places good to {text} mm", text=f"{tray.error_mm:.1f}")
    flat = say("lay the stickers flat") if tray.misfit_mm > MOST_ERROR_MM else say("bring the camera nearer")
    error = (Check("markers", good, flat if tray.error_mm > MOST_ERROR_MM else ""),) if tray.error_mm else ()
    seen_at = say("dice seen at {n} deg", n=round(tray.aside_deg))
    aside = Check("markers", seen_at, STRAIGHTER if tray.aside_deg > MOST_ASIDE_DEG else "")
    return (
        Check("markers", say("tray of {n} x {n2} mm", n=wide, n2=high)),
        *error,
        *((aside,) if tray.aside_deg else ()),
        *_framing_checks(tray.profile, tray.filled, ""),
    )


def _framing_checks(profile: Profile, filled: float, cut: str) -> tuple[Check, ...]:
    """Return how many pixels a die has, and how much of the picture the tray takes. cut: what to do about a border."""
    die_px, nearer = round(USUAL_DIE_MM * profile.px_per_mm), say("bring the camera nearer")
    return (
        Check("markers", say("a die has {n} px", n=die_px), nearer if die_px < LEAST_DIE_PX else ""),
        Check(
            "markers",
            say("tray: {n} % of picture", n=round(100 * filled)),
            cut or (nearer if filled < LEAST_FILLED else ""),
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
        return say("show a marker, or dice")
    if sharpness < OFF_BEST * best:
        return say("turn the lens back")
    return say("turn the lens") if sharpness < LEAST_SHARPNESS else ""


def checks_of_focus(sharpness: float | None, best: float) -> tuple[Check, ...]:
    """Return what is said of the focus."""
    return (Check("focus", say("sharpness {n} of 100", n=round(sharpness or 0)), focus_advice(sharpness, best)),)


def checks_of_lock(held: Sequence[tuple[str, str]]) -> tuple[Check, ...]:
    """Return what is said of the camera: what it can change by itself. held: name -> locked, free or absent."""
    return (Check("lock", held_text(held), not_held(held)),)


def held_text(held: Sequence[tuple[str, str]]) -> str:
    """Return how much is held of what the camera has, or that it does not say so."""
    if not held:
        return say("camera tells nothing")
    locked, free = (sum(state == which for _, state in held) for which in ("locked", "free"))
    return say("{n} of {n2} locked", n=locked, n2=locked + free)


def not_held(held: Sequence[tuple[str, str]]) -> str:
    """Return which can still change by themselves, empty if none can: a camera that has no such thing never changes."""
    free = [HELD_NAMES.get(name, name) for name, state in held if state == "free"]
    return say("not held: {text}", text=join(", ", free)) if free else ""


def checks_of_dice(throws: Sequence[Throw], *, on_mat: bool = False) -> tuple[Check, ...]:
    """Return what is said of the dice; at least one throw. on_mat: millimetres are those of a printed mat."""
    dice, reasons = sum(throw.dice for throw in throws), Counter(reason for throw in throws for reason in throw.reasons)
    sizes = [size for throw in throws for size in throw.sizes_mm]
    printed = _print_checks(sizes) if on_mat else ()
    asks = (
        _print_at_100(die_mm) if on_mat and not printed and (die_mm := next(iter(dice_that_may_be(sizes)), 0)) else ""
    )
    size = (Check("dice", say("dice of {text} mm", text=f"{median(sizes):.1f}"), asks=asks),) if sizes else ()
    unsure = tuple(
        Check("dice", _unsure_text(reason, count, dice), ADVICE.get(reason, OTHER_DICE))
        for reason, count in reasons.most_common()
    )
    return (
        *size,
        *_counts(throws),
        *printed,
        *_looks(throws),
        *(unsure or (Check("dice", say("unsure: {n} of {n2} dice", n=0, n2=dice)),)),
    )


def _counts(throws: Sequence[Throw]) -> tuple[Check, ...]:
    """Return of how many dice the throws were where that differs: one may have lain unseen, people alone know."""
    counts = [throw.dice for throw in throws]
    if len(set(counts)) == 1:
        return ()
    return (Check("dice", say("throws of {text}", text=" ".join(map(str, counts))), asks=say("was a die not seen?")),)


def _print_checks(sizes_mm: Sequence[float]) -> tuple[Check, ...]:
    """Return that the mat was not printed at 100 %, or asks it where it may be on other paper; else nothing.

    The first if dice of no size that is sold lie on it.
    """
    if len(sizes_mm) >= LEAST_DICE and may_be_on_other_paper(median(sizes_mm)):
        text = say("mat printed at {n} %?", n=round(100 * USUAL_DIE_MM / median(sizes_mm)))
        return (Check("dice", text, _print_at_100(USUAL_DIE_MM)),)
    die_mm, scale = print_scale(sizes_mm, None)
    if scale == 1.0:
        return ()
    return (Check("dice", say("mat printed at {n} %", n=round(100 * scale)), _print_at_100(die_mm)),)


def _print_at_100(die_mm: float) -> str:
    return say("{n} mm dice? print at 100 %", n=round(die_mm))


def _unsure_text(reason: UnsureReason, count: int, dice: int) -> str:
    """Return of how many dice something hinders the reading: "glare: 3 of 12 dice"."""
    why = say("two faces possible") if reason is UnsureReason.TWO_FACES else SENTENCES[reason]
    return say("{text}: {n} of {n2} dice", text=why, n=count, n2=dice)


def pips_by_colour(throws: Sequence[Throw], colours: Sequence[str]) -> tuple[str, ...]:
    """Return for each of these colours of dice whether most of their pips are light or dark, "" where none was seen."""
    seen = Counter(pair for throw in throws for pair in zip(throw.colours, throw.pips, strict=False))
    return tuple(
        max((LIGHT, DARK), key=lambda pips: seen[colour, pips]) if seen[colour, LIGHT] + seen[colour, DARK] else ""
        for colour in colours
    )


def _looks(throws: Sequence[Throw]) -> tuple[Check, ...]:
    """Return a line for each look of dice: its colour, and whether its pips are light or dark."""
    colours = tuple(dict.fromkeys(colour for throw in throws for colour in throw.colours))
    checks = list[Check]()
    for colour, pips in zip(colours, pips_by_colour(throws, colours), strict=True):
        if pips == LIGHT:
            checks.append(Check("dice", say("{value}: light pips", value=colour)))
        elif pips == DARK:
            checks.append(Check("dice", say("{value}: dark pips", value=colour)))
    return tuple(checks)
