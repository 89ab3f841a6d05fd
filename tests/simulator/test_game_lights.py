"""The ring of lamps around the simulated tray: as bright, as coloured and as long as was asked for."""

import numpy as np
import pytest
from numpy.typing import NDArray

from tabletop.simulator.tray import LAYOUT
from tools.room.game_lights import FADE_S, GREEN, OFF, RED, WHITE, GameLights, blink, chase, fade
from tools.room.room import Cloth, Room

GREY = (120, 120, 120)
ROOM = Room(cloth=Cloth(GREY, GREY, GREY, 0.0))


def added(ring: GameLights, time_s: float) -> NDArray[np.float64]:
    """Return the light that the ring adds to the room's in an empty grey tray, (H, W, 3)."""
    ground = ROOM.ground()
    picture = ring.picture.draw((), ())
    assert np.array_equal(picture, ground)
    return np.square(ring.lit(picture, time_s) / 255) / np.square(ground / 255) - 1


@pytest.mark.parametrize("strength", [0.05, 0.3, 1.0])
def test_it_is_as_bright_as_asked_for(strength: float) -> None:
    """On average over the tray, and more at the rim than in the middle; red light adds red."""
    ring = GameLights(ROOM, LAYOUT, strength)
    ring.play(fade(WHITE, WHITE), 0.0)
    white = added(ring, 1.0)
    assert white.mean() == pytest.approx(strength, rel=0.1)
    assert white[240, 10].mean() > 1.5 * white[240, 320].mean()
    ring.play(fade(RED, RED), 2.0)
    blue, green, red = added(ring, 3.0).mean(axis=(0, 1))
    assert (blue, green) == (pytest.approx(0, abs=0.001), pytest.approx(0, abs=0.001))
    assert red == pytest.approx(strength, rel=0.1)


def test_it_fades_and_blinks_as_wled_does() -> None:
    """Half of either colour in the middle of a fade; three flashes in a second and a half, then as before."""
    ring = GameLights(ROOM, LAYOUT, 0.5)
    ring.play(fade(RED, GREEN), 1.0)
    assert not added(ring, 0.9).any()
    _, green, red = added(ring, 1.0 + FADE_S / 2).mean(axis=(0, 1))
    assert (green, red) == (pytest.approx(0.25, rel=0.1), pytest.approx(0.25, rel=0.1))
    ring.play(blink(RED, leaves=OFF), 3.0)
    lit = [bool(added(ring, 3.0 + tenth / 10).any()) for tenth in range(20)]
    assert lit == [*(3 * [True, True, True, False, False]), *(5 * [False])]
    assert ring.ends_s == pytest.approx(4.5)


def test_a_light_that_runs_round_is_bright_on_one_side() -> None:
    """A second later it is there again; half a second later it is on the other side."""
    ring = GameLights(ROOM, LAYOUT, 0.5)
    ring.play(chase(WHITE), 0.0)
    now, half, whole = (added(ring, at_s)[:, :, 1] for at_s in (0.1, 0.6, 1.1))
    assert np.allclose(now, whole)
    assert np.corrcoef(now.ravel(), half.ravel())[0, 1] < 0
