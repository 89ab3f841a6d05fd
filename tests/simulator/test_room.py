"""The simulated living room: what it shows is what it says; who watches it takes throws and nothing else."""

from random import Random

import numpy as np
import pytest

from tabletop.simulator.physics import Place
from tabletop.simulator.scene import lean_deg
from tabletop.vision.reader import read
from tools.room.landing import LeanOn
from tools.room.room import Room, any_room
from tools.room.tray import MishapTray
from tools.room.world import RoomWorld

QUIET = Room(noise=0.0)


def settled(world: RoomWorld, seconds: float = 0.2) -> np.ndarray:
    end_s = world.wait(seconds)
    while True:
        frame = world.camera.read()
        assert frame is not None
        if world.now_s >= end_s and not world.busy:
            return frame.pixels


def test_the_same_chance_gives_the_same_pictures() -> None:
    """Hands, light and camera included."""
    pictures = []
    for _ in range(2):
        world = RoomWorld(2, chance=Random(4), fps=10.0, room=any_room(Random(4)))
        world.wave_hand()
        world.throw()
        for _ in range(8):
            frame = world.camera.read()
            assert frame is not None
        world.switch_lamp()
        world.bump_camera()
        pictures += [settled(world, 0.1)]
    assert np.array_equal(pictures[0], pictures[1])


def test_what_the_reader_sees_lies_where_the_truth_says() -> None:
    """Also after the camera was nudged: faces right, places within a tenth of an edge."""
    world = RoomWorld(5, chance=Random(6), fps=10.0, room=QUIET)
    world.throw()
    settled(world)
    world.bump_camera()
    reading = read(settled(world, 0.6), time_s=0.0, die_px=56.0, expect=5, fixed_size=False)
    truth = world.truth()
    assert reading.faces == truth.faces
    for die in truth.dice:
        assert min(np.hypot(read.x - die.x, read.y - die.y) for read in reading.dice) < 0.1 * die.size


def test_a_hand_hides_dice_and_is_gone_afterwards() -> None:
    """While it is there the truth says that the view is not free; afterwards the picture is as before."""
    world = RoomWorld(5, chance=Random(3), fps=10.0, room=QUIET)
    world.throw()
    before = settled(world)
    world.wave_hand(1.5)
    free = []
    while world.busy:
        world.camera.read()
        free.append(world.truth().free)
    assert not all(free)
    assert np.array_equal(settled(world), before)


@pytest.mark.parametrize("on", ["wall", "die"])
def test_dice_lean_as_far_as_friction_holds_them(on: LeanOn) -> None:
    """The middle of a cube on one edge that touches with the opposite one is half its width from what holds it.

    Leaning by an angle it is as wide as the sum of the angle's sine and cosine.
    """
    tray = MishapTray(3, chance=Random(1))
    felt = tray.layout.felt
    for _ in range(20):
        tray.throw()
        tray.lean(0, on)
        tray.advance(tray.busy_until_s)
        pose = tray.pieces[0].pose(tray.now_s)
        assert pose is not None
        lean = np.radians(lean_deg(pose))
        assert 18 <= np.degrees(lean) <= 44
        away = (np.sin(lean) + np.cos(lean)) / 2 * pose.size_px
        to_walls = min(pose.y - felt.top, felt.bottom - pose.y) - away
        others = [piece.place for piece in tray.pieces[1:] if piece.place]
        to_dice = min(_from_side(pose.x, pose.y, other) for other in others) - pose.size_px / 2 - away
        assert min(abs(to_walls), abs(to_dice)) < 2.0
        if on == "wall":
            assert abs(to_walls) < 2.0


def _from_side(x: float, y: float, other: Place) -> float:
    """Return how far a point is from the middle of a die's square, along that square's nearest side direction."""
    angle = np.radians(other.angle_deg)
    along = (x - other.x) * np.cos(angle) + (y - other.y) * np.sin(angle)
    across = (y - other.y) * np.cos(angle) - (x - other.x) * np.sin(angle)
    return float(max(abs(along), abs(across)))


def test_a_die_that_lies_on_another_is_seen_whole_and_told() -> None:
    """The upper one shows its face and hides some of the lower one's; a push lays it beside it, with the same face."""
    world = RoomWorld(2, chance=Random(2), fps=10.0, room=QUIET)
    world.throw()
    settled(world)
    face = world.tray.pieces[0].face
    world.stack(0)
    settled(world)
    upper, lower = world.truth().dice
    assert (upper.stacked, lower.stacked, upper.face) == (True, False, face)
    assert world.truth().leaning
    assert np.hypot(upper.x - lower.x, upper.y - lower.y) < 0.7 * lower.size
    world.nudge(1)  # the lower one: then the upper one goes
    settled(world)
    assert not world.truth().leaning
    assert {die.index: die.face for die in world.truth().dice}[0] == face
