"""What the guided run says of the mat's print by the dice, and what it only asks."""

from dataclasses import replace

import pytest

from calibration.guided.checks import Throw, checks_of_dice
from calibration.guided.look import Lighting, Look
from calibration.guided.pages import guided_snapshot
from calibration.guided.state import STEPS, Guided
from tabletop.core.ports import Press


def test_a_mat_that_was_printed_too_small_is_told_by_the_dice() -> None:
    """At 94 per cent dice of 16 mm measure 17 of its millimetres; those that are sold, and no mat, tell nothing."""
    for size_mm, on_mat, told in (
        (16 / 0.94, True, [("mat printed at 94 %", "16 mm dice? print at 100 %")]),
        (12 / 0.94, True, [("mat printed at 94 %", "12 mm dice? print at 100 %")]),
        (16 / 0.98, True, []),
        (16 / 0.71, True, [("mat printed at 71 %?", "16 mm dice? print at 100 %")]),  # A3 on A4
        (16 / 0.65, True, [("mat printed at 65 %?", "16 mm dice? print at 100 %")]),  # A3 on letter
        (16 / 1.41, True, [("mat printed at 141 %?", "16 mm dice? print at 100 %")]),  # A4 on A3
        (12.0, True, []),
        (20.0, True, []),
        (16 / 0.71, False, []),
        (18.0, True, []),
        (16 / 0.94, False, []),
    ):
        checks = checks_of_dice([Throw(3, (), (size_mm,) * 3, ("red",) * 3)], on_mat=on_mat)
        assert [(check.text, check.advice) for check in checks if "printed" in check.text] == told


@pytest.mark.parametrize(
    ("size_mm", "asked"),
    [
        (18 / 0.94, "18 mm dice? print at 100 %"),
        (18.0, "16 mm dice? print at 100 %"),
        (16.0, "good"),
        (15.8, "good"),
        (12.0, "good"),
        (14.0, "good"),
    ],
)
def test_dice_of_another_size_are_asked_about_and_nothing_has_to_be_changed(size_mm: float, asked: str) -> None:
    """Dice of 18 mm at 94 per cent measure as those of 19 do: people read the question on the line of their size."""
    state = replace(Guided(), done=STEPS[:4], found=Look(0.0, Lighting(200.0, 0.0, 0.1, 0.001)))
    report = state.threw(Throw(3, (), (size_mm,) * 3, ("red",) * 3)).press(Press("bank"))
    shown = guided_snapshot(replace(report, line=0)).menu
    assert shown is not None
    assert (shown.items[0], shown.note) == (f"dice of {size_mm:.1f} mm", asked)
    assert all(check.good for check in report.checks)
