"""Nobody looks for faint dice where all that are due are sure: they are found all the same where some are not."""

from collections.abc import Sequence
from random import Random

from tabletop.core.values import Reading
from tabletop.simulator.scene import Light
from tabletop.simulator.tray import SIZE_PX
from tabletop.vision.classifier import FIRST, KNOWN_SIZE, LIKELY, Found, classify_all
from tabletop.vision.detector import CandidatePlace
from tabletop.vision.reader import read, shipped_networks
from tools.bench.pictures import still
from tools.room.rare_look import RareLook
from tools.room.room import Cloth, Room
from tools.room.world import RoomWorld


def test_faint_places_are_looked_at_unless_all_is_found() -> None:
    """Two of three dice at faint places: found where three are wanted, passed over where one is enough."""
    known = still(640, 480, 70, 3)
    places = [
        CandidatePlace(one.x, one.y, 70.0, 2.0 if n == 0 else LIKELY - 0.5) for n, one in enumerate(known.truth.labels)
    ]
    classifier = shipped_networks().classifier
    assert len(classify_all(classifier, known.open(), places)) == 3
    assert len(classify_all(classifier, known.open(), places, KNOWN_SIZE, lambda found: len(found) >= 3)) == 3
    assert len(classify_all(classifier, known.open(), places, KNOWN_SIZE, lambda found: len(found) >= 1)) == 1


def test_where_there_is_no_use_in_looking_the_others_are_left() -> None:
    """Asked after one look at the likeliest FIRST places, and after one at all likely ones."""
    known = still(640, 480, 60, 12)
    places = [CandidatePlace(one.x, one.y, 60.0, 2.0 if n < 11 else -0.7) for n, one in enumerate(known.truth.labels)]
    for stop, left, times in ((1, FIRST, [FIRST]), (11, 11, [FIRST, 11]), (99, 12, [FIRST, 11])):
        asked = list[int]()

        def in_vain(found: Sequence[Found], stop: int = stop, asked: list[int] = asked) -> bool:
            asked.append(len(found))
            return len(found) >= stop

        found = classify_all(shipped_networks().classifier, known.open(), places, KNOWN_SIZE, in_vain=in_vain)
        assert (len(found), asked) == (left, times)


def test_one_die_too_many_is_seen() -> None:
    """Where five are expected and six lie there, all six are told: the table says that there is one too many."""
    known = still(640, 480, 70, 6)
    assert len(read(known.open(), die_px=70, expect=5).dice) == 6


GOLDEN = RareLook(
    body=(75, 47, 27), pip=(49, 174, 212), ace_scale=1.85, edge_radius=0.144, pip_radius=0.135, pip_spacing=0.29,
    pattern="veins", gloss=0.72, dimple=0.7, bulge=0.118,
)  # fmt: skip
LIT = Light(
    azimuth_deg=203.0, elevation_deg=72.0, lamp=0.65, ambient=0.45, softness=0.06, tint=(0.96, 1.0, 1.12),
    window=0.46, window_azimuth_deg=205.0, window_wide=0.25, window_high=0.12,
)  # fmt: skip


def test_an_ace_half_an_edge_wide_is_read_where_the_size_of_the_dice_is_known() -> None:
    """Dark blue dice with golden pips: the spot is taken for the die, and the die for none by half of all looks."""
    faces = [die.face for reading in _golden_aces(LIT) for die in reading.dice]
    assert faces == [1] * 15


def _golden_aces(light: Light) -> list[Reading]:
    room = Room(looks=(GOLDEN,), cloth=Cloth(felt=(44, 98, 40)), light=light, camera_px=800.0)
    world = RoomWorld(5, chance=Random(0), fps=6.0, room=room)
    seen = list[Reading]()
    for _ in range(3):
        world.throw(faces=[1] * 5)
        frame = world.camera.read()
        while world.busy:
            frame = world.camera.read()
        assert frame is not None
        seen.append(read(frame.pixels, die_px=SIZE_PX, expect=5, fixed_size=True))
    return seen
