"""The networks: they answer as another implementation does, alone, among others and band by band."""

import subprocess
import sys
from collections.abc import Sequence
from random import Random

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tabletop.core.values import Reading
from tabletop.simulator.render import compose
from tabletop.simulator.scene import Light, Look, PosedDie, Viewpoint, lying
from tabletop.simulator.tray import SIZE_PX
from tabletop.vision import detector
from tabletop.vision.classifier import FIRST, KNOWN_SIZE, LIKELY, Found, classify_all, shipped
from tabletop.vision.detector import CandidatePlace
from tabletop.vision.network import FLATTEST, Network, normalised, resized, shipped_weights
from tabletop.vision.reader import read, shipped_networks
from tabletop.vision.second_opinion import centre_answers
from tools.bench.pictures import still
from tools.room.chance import felt
from tools.room.rare_look import RareLook
from tools.room.room import Cloth, Room
from tools.room.world import RoomWorld


def dice_on_felt(width: int, height: int, edge_px: float, count: int) -> tuple[NDArray[np.uint8], list[int]]:
    """Return a picture of ivory dice far apart under a camera far away, and their faces."""
    chance, look = Random(4), Look()
    faces = [chance.randint(1, 6) for _ in range(count)]
    middles = [(width * (n + 1) / (count + 1), height * chance.uniform(0.3, 0.7)) for n in range(count)]
    dice = [
        PosedDie(x, y, edge_px, lying(face, chance.uniform(0, 360), look), look)
        for face, (x, y) in zip(faces, middles, strict=True)
    ]
    small = felt(480, 640, (60, 95, 45), np.random.default_rng(2))
    ground = np.asarray(cv2.resize(small, (width, height), interpolation=cv2.INTER_CUBIC), np.uint8)
    return compose(ground, dice, camera=Viewpoint(distance_px=5.0 * width, x=width / 2, y=height / 2)), sorted(faces)


def test_bands_tell_what_the_whole_tells(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same places in one go and in bands of 16 rows, to the network's own rounding."""
    picture, _ = dice_on_felt(640, 480, 30.0, 6)
    whole = detector.shipped().places(picture, 30.0)
    monkeypatch.setattr(detector, "BAND_PX", 16.0 * 640)
    banded = detector.shipped().places(picture, 30.0)
    assert len(whole) >= 6
    assert [(one.x, one.y, one.size, one.logit) for one in banded] == [
        pytest.approx((one.x, one.y, one.size, one.logit), rel=1e-3, abs=1e-2) for one in whole
    ]


@pytest.mark.parametrize("die_px", [4.0, 0.01])
def test_a_size_that_cannot_be_costs_no_memory(die_px: float) -> None:
    """A hint of four pixels, or less, makes no picture larger than it is: dice of 30 are too large for it."""
    picture, _ = dice_on_felt(640, 480, 30.0, 2)
    assert detector.shipped().places(picture, die_px) == detector.shipped().places(picture, detector.EDGE_PX)


@pytest.mark.parametrize("height", [1, 3])
def test_a_strip_has_no_dice_and_costs_nothing(height: int) -> None:
    """However long it is: made so large that a die might fill it, it would not fit into any memory."""
    strip = np.zeros((height, 1_000_000, 3), np.uint8)
    assert not any(detector.shipped().coarse_to_fine(strip, {}))
    assert detector.shipped().everywhere(strip, ()) == ()


@pytest.mark.parametrize("die_px", [110.0, 150.0])
def test_large_dice_are_found_before_the_last_pass(die_px: float) -> None:
    """From coarse to fine: no pass forgets a die of one before, and four large ones need only the first passes."""
    picture, faces = dice_on_felt(1280, 960, die_px, 4)
    dice = read(picture, die_px=die_px, expect=4).dice
    assert sorted(die.face for die in dice) == faces
    found = [
        sum(any(np.hypot(die.x - place.x, die.y - place.y) < 0.3 * die.size for place in places) for die in dice)
        for places in detector.shipped().coarse_to_fine(picture, {})
    ]
    assert found == sorted(found)
    assert 4 in found[:-1]
    assert read(picture).faces == tuple(faces)


@pytest.mark.parametrize("die_px", [20.0, 25.0, 32.0, 40.0, 50.0, 63.0])
def test_two_small_dice_are_read_though_nobody_told_their_size(die_px: float) -> None:
    """A first throw of plain white dice on a plain dark cloth: no size lies between two passes of the detector."""
    look = Look(body=(235, 235, 235), pip=(25, 25, 25))
    places = ((192.0, 288.0, 5), (448.0, 192.0, 4))
    dice = [PosedDie(x, y, die_px, lying(face, 10.0 * face, look)) for x, y, face in places]
    picture = compose(felt(480, 640, (38, 34, 36), np.random.default_rng(3)), dice)
    assert sorted(read(picture).faces) == [4, 5]


@pytest.mark.slow
@pytest.mark.parametrize(("width", "height"), [(640, 480), (1000, 700), (4000, 3000)])
def test_small_dice_are_found_in_pictures_of_any_size(width: int, height: int) -> None:
    """Dice of 28 pixels, size and number unknown."""
    picture, faces = dice_on_felt(width, height, 28.0, 5)
    assert sorted(read(picture).faces) == faces


KNOWN = still(640, 480, 60.0, 18)
PLACES = [CandidatePlace(one.x, one.y, 60.0, 1.0) for one in KNOWN.truth.labels]


@pytest.mark.parametrize("many", [1, 2, 3, 16, 18])
def test_a_place_is_seen_alike_alone_and_among_others(many: int) -> None:
    """The network is shown up to 16 crops at once: none is read with another's pixels."""
    picture, classifier = KNOWN.open(), shipped()
    together = classifier.look(picture, PLACES[:many])
    alone = [classifier.look(picture, [place])[0] for place in PLACES[:many]]
    assert [one.face for one in together] == [label.face for label in KNOWN.truth.labels[:many]]
    for one, other in zip(together, alone, strict=True):
        assert one.kinds == pytest.approx(other.kinds, abs=1e-4)
        assert one.faces == pytest.approx(other.faces, abs=1e-4)
        assert (one.x, one.y, one.size) == pytest.approx((other.x, other.y, other.size), abs=1e-2)


def test_crops_are_shown_with_mean_0_and_spread_1() -> None:
    """Measured with numpy in 64 bits; a crop that is nearly uniform is not stretched."""
    chance = np.random.default_rng(3)
    crops = np.stack([chance.integers(40, 200, (64, 64, 3), np.uint8), np.full((64, 64, 3), (10, 90, 200), np.uint8)])
    shown = normalised(crops)
    assert shown.shape == (2, 3, 64, 64)
    assert shown.dtype == np.float32
    for one, pixels in zip(shown, crops.astype(np.float64), strict=True):
        wanted = (pixels - pixels.mean()) / pixels.std()
        assert np.abs(one - wanted.transpose(2, 0, 1)).max() < 1e-4
    dull = np.full((1, 64, 64, 3), 90, np.uint8)
    dull[0, :32] = 92
    assert np.abs(normalised(dull)).max() == pytest.approx(1 / FLATTEST, abs=1e-4)


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
    assert faces == [1] * 10


def _golden_aces(light: Light) -> list[Reading]:
    room = Room(looks=(GOLDEN,), cloth=Cloth(felt=(44, 98, 40)), light=light, camera_px=800.0)
    world = RoomWorld(5, chance=Random(0), fps=6.0, room=room)
    seen = list[Reading]()
    for _ in range(2):
        world.throw(faces=[1] * 5)
        frame = world.camera.read()
        while world.busy:
            frame = world.camera.read()
        assert frame is not None
        seen.append(read(frame.pixels, die_px=SIZE_PX, expect=5, fixed_size=True))
    return seen


# What ONNX Runtime 1.27 answered to noise of seed 5, with the files as PyTorch exported them, before two were rewritten
# for OpenCV: the first, middle and last number, mean and spread.
ANSWERED = {
    "detector": ((1, 3, 240, 320), (-3.0887, 0.0596, -0.7782, -0.9489, 1.3599)),
    "classifier": ((5, 3, 64, 64), (2.1384, -0.3708, -0.1259, -0.2567, 0.8941)),
    "second_opinion": ((2, 6, 96, 96), (-2.6757, -2.0628, -0.0200, -0.0311, 1.1923)),
    "surroundings": ((3, 6, 64, 64), (-0.9989, -1.2437, -1.9109, -1.3845, 0.3854)),
    "tilt": ((1, 3, 64, 64), (-0.0455, -0.0411, 0.4530, 0.1222, 0.2340)),
}
NEAR = 1e-3  # of a logit: what the order of additions may change

PROGRAM = """
import sys
import cv2
import numpy as np
cv2.setNumThreads(4)
from tabletop.vision.network import Network, shipped_weights
Network(shipped_weights("tilt")).answers(np.zeros((1, 3, 64, 64), np.float32))
"""


@pytest.mark.parametrize("name", ANSWERED)
def test_the_answers_are_those_of_another_implementation(name: str) -> None:
    """Noise of mean 0 and spread 1, as what a network is shown is normalised; float32."""
    shape, told = ANSWERED[name]
    answer = Network(shipped_weights(name)).answers(np.random.default_rng(5).standard_normal(shape).astype(np.float32))
    assert answer.dtype == np.float32
    if name == "second_opinion":
        answer = centre_answers(answer)
    flat = answer.ravel()
    here = (flat[0], flat[len(flat) // 2], flat[-1], flat.mean(), flat.std())
    assert here == pytest.approx(told, abs=NEAR)


def test_a_network_that_answers_has_nothing_else_to_say() -> None:
    """No warning on the terminal in which people play."""
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("", "")


@pytest.mark.parametrize("size", [(640, 480), (641, 481), (900, 700)])
@pytest.mark.parametrize("zoom", [0.12, 0.286, 0.5, 0.7, 1.6])
def test_as_opencv_averages_areas(size: tuple[int, int], zoom: float) -> None:
    """Within 1.5 of 255 in the mean, on a picture of blots as large as a die in it would be."""
    width, height = size
    blots = np.random.default_rng(5).uniform(0, 255, (8, 8, 3)).astype(np.float32)
    picture = cv2.resize(blots, size, interpolation=cv2.INTER_LINEAR).astype(np.uint8)
    to = round(width * zoom), round(height * zoom)
    way = cv2.INTER_AREA if zoom < 1 else cv2.INTER_LINEAR
    whole = cv2.resize(picture, to, interpolation=way).astype(float)
    small = resized(picture, *to)
    assert small.shape == (to[1], to[0], 3)
    assert small.dtype == np.uint8
    assert np.abs(small - whole).mean() < 1.5


def test_a_spot_stays_where_it_is() -> None:
    """Made smaller in three halves and a rest, a spot lies where it lay, to a tenth of its new pixels."""
    for at in (100, 611, 1203):
        picture = np.zeros((1232, 1640, 3), np.uint8)
        cv2.circle(picture, (at, at), 20, (255, 255, 255), -1)
        small = resized(picture, 164, 123)[:, :, 0].astype(float)
        rows, columns = np.indices(small.shape)
        x, y = ((grid * small).sum() / small.sum() for grid in (columns, rows))
        assert abs((x + 0.5) * 1640 / 164 - 0.5 - at) < 1.0
        assert abs((y + 0.5) * 1232 / 123 - 0.5 - at) < 1.0
