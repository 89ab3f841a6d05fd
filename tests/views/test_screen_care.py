"""Screens are dimmed and switched off while nobody does anything, and lit again by the next press."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from tabletop.core.values import Die, Reading, Rest, Unsure, UnsureReason
from tabletop.views.screen_care import ScreenCare

MINUTE, HOUR = 60.0, 3600.0
ONE, TWO = (Die(face, 100.0 * face, 200.0, 40.0, 0.0, "ivory", 0.9) for face in (1, 2))


def rest(*dice: Die, unsure: tuple[Unsure, ...] = ()) -> Rest:
    return Rest(Reading(0.0, 640, 480, dice, unsure), (0.0,) * len(dice), (0.0,) * len(unsure))


def quiet_care(*dice: Die) -> ScreenCare:
    """Return the care of a table over which these dice lie since time 0.0."""
    care = ScreenCare()
    care.light(0.0)
    care.see(rest(*dice), 0.0)
    return care


def test_the_light_is_taken_back_step_by_step() -> None:
    """Full for five minutes, dim for an hour, then off; a press brings it back."""
    care = ScreenCare()
    times = [1000.0 + after_s for after_s in (0.0, 4.9 * MINUTE, 5.1 * MINUTE, 59 * MINUTE, 61 * MINUTE, 99 * HOUR)]
    assert [care.light(now_s) for now_s in times] == ["full", "full", "dim", "dim", "off", "off"]
    care.stir(1000.0 + 100 * HOUR)
    assert care.light(1000.0 + 100 * HOUR) == "full"


def test_a_throw_lights_it() -> None:
    """The same faces in other places were thrown; one die beside the others was moved by hand."""
    care = quiet_care(ONE, TWO)
    care.see(rest(replace(ONE, x=300.0), replace(TWO, x=420.0)), 2 * HOUR)
    assert care.light(2 * HOUR) == "full"
    care.see(rest(replace(ONE, x=300.0), replace(TWO, x=480.0)), 4 * HOUR)
    assert care.light(4 * HOUR) == "full"


def test_picking_dice_up_lights_it() -> None:
    """Somebody begins: the first die that goes, and the next one, too."""
    care = quiet_care(ONE, TWO)
    care.see(rest(TWO), 2 * HOUR)
    assert care.light(2 * HOUR) == "full"
    care.see(rest(), 4 * HOUR)
    assert care.light(4 * HOUR) == "full"


def test_dice_that_lie_there_do_not() -> None:
    """Neither do dice that creep a little, are read otherwise, or are moved over by a hand and a shadow."""
    care = quiet_care(ONE, TWO)
    for minute in range(120):
        shadow = (Unsure(300.0, 300.0, 40.0, UnsureReason.PARTLY_HIDDEN),) if minute % 2 else ()
        crept = replace(ONE, x=ONE.x + 3.0 * (minute % 3), face=1 + minute % 6)
        care.see(rest(crept, TWO, unsure=shadow), minute * MINUTE)
        care.see(None, minute * MINUTE + 1.0)
    assert care.light(2 * HOUR) == "off"


@given(st.lists(st.sets(st.sampled_from((ONE, TWO))), min_size=1, max_size=60))
def test_a_flickering_lamp_does_not_keep_it_lit(seen: list[set[Die]]) -> None:
    """Dice that are lost and found again where they lay: each counts once at most, for ever."""
    care = quiet_care(ONE, TWO)
    care.see(rest(ONE), 1.0)
    care.see(rest(TWO), 2.0)
    for count, dice in enumerate(seen):
        care.see(rest(*dice), 3.0 + count * 10 * MINUTE)
    assert care.light(2.0 + HOUR) == "off"
    assert care.light(2.0 + 4.9 * MINUTE) == "full"
