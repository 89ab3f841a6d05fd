"""The printable parts: closed, printable, as large as the drawings say, and fitting each other.

Everything is measured on the committed files, by code that knows nothing of how they were made, unless a test says so.
"""

import re
import xml.etree.ElementTree as ET
import zipfile
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from manifold3d import Manifold, Mesh64

from tools.drawings.__main__ import drawings
from tools.drawings.battens import Battens
from tools.drawings.cameras import TRAY_MM
from tools.drawings.case import DISPLAYS, Case, Display
from tools.drawings.stand import Hole, Slot
from tools.drawings.stand_views import WALL_MM
from tools.models.__main__ import FOLDER, main, models
from tools.models.joints import corner
from tools.models.parts import SETS, closed_case, standing
from tools.models.pictures import GROUND, View, picture
from tools.models.shapes import box, pin

NAMES = sorted(path.stem for path in FOLDER.glob("*.stl"))
WALL = 2.0  # mm, of every part
JOINT_WALL = 4.0  # of the joints, but for the camera's, whose holes lie beside the lens
BRIDGE_MM = 4.0  # what any printer spans without support, as over a screw hole that lies
STL_MAX_BYTES = 300_000
CORE = "{http://schemas.microsoft.com/3dmanufacturing/core/2015/02}"


def triangles(name: str) -> np.ndarray:
    data = (FOLDER / f"{name}.stl").read_bytes()
    count = int.from_bytes(data[80:84], "little")
    assert len(data) == 84 + 50 * count
    records = np.frombuffer(data, [("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("more", "<u2")], offset=84)
    return np.asarray(records["corners"], float)


def solid(faces: np.ndarray) -> Manifold:
    corners, numbers = np.unique(faces.reshape(-1, 3), axis=0, return_inverse=True)
    return Manifold(Mesh64(corners, numbers.reshape(-1, 3).astype(np.uint64)))


def normals(faces: np.ndarray) -> np.ndarray:
    across = np.cross(faces[:, 1] - faces[:, 0], faces[:, 2] - faces[:, 0])
    return np.asarray(across / np.linalg.norm(across, axis=1, keepdims=True))


def differs_by_mm3(first: Manifold, second: Manifold) -> float:
    return float((first - second).volume() + (second - first).volume())


def loops(faces: np.ndarray, z: float) -> list[np.ndarray]:
    """Return the outlines in which a solid is cut at this height, each as its corners in order; the longest first."""
    following = dict[tuple[float, ...], tuple[float, ...]]()
    for face in faces:
        above = face[:, 2] > z
        if above.all() or not above.any():
            continue
        ends = {}
        for number in range(3):
            a, b = face[number], face[(number + 1) % 3]
            if (a[2] > z) != (b[2] > z):
                low, high = sorted((tuple(a), tuple(b)), key=lambda point: point[2])  # the same from both its triangles
                share = (z - low[2]) / (high[2] - low[2])
                x, y = (low[axis] + share * (high[axis] - low[axis]) for axis in (0, 1))
                ends[bool(b[2] > z)] = (round(x, 4), round(y, 4))
        if ends[True] != ends[False]:
            following[ends[False]] = ends[True]
    found = []
    while following:
        start = point = next(iter(following))
        loop = []
        while point in following:
            loop.append(point)
            point = following.pop(point)
        assert point == start
        found.append(np.array(loop))
    return sorted(found, key=lambda loop: -np.prod(np.ptp(loop, axis=0)))


def middle(loop: np.ndarray) -> np.ndarray:
    return np.asarray((loop.min(axis=0) + loop.max(axis=0)) / 2)


def round_holes(faces: np.ndarray, z: float, diameter: float) -> np.ndarray:
    """Return the middles of the holes of this diameter at this height, sorted: (n, 2)."""
    cut = [loop for loop in loops(faces, z) if np.ptp(loop, axis=0) == pytest.approx((diameter, diameter), abs=0.06)]
    return np.array(sorted(tuple(middle(loop)) for loop in cut))


def written(name: str) -> list[str]:
    root = ET.fromstring(drawings()[name])  # noqa: S314 - our own text
    return [node.text or "" for node in root.iter("{http://www.w3.org/2000/svg}text")]


def test_the_files_are_what_the_code_makes() -> None:
    """`make models` would write the same parts, and none is left over."""
    made = models()
    assert {path.name for path in FOLDER.iterdir()} == set(made) | {"case.png", "stand.png"}
    for name in NAMES:
        data = np.frombuffer(made[f"{name}.stl"][84:], [("n", "<f4", 3), ("corners", "<f4", (3, 3)), ("more", "<u2")])
        assert differs_by_mm3(solid(data["corners"].astype(float)), solid(triangles(name))) < 0.5


@pytest.mark.parametrize("name", NAMES)
def test_a_part_is_closed(name: str) -> None:
    """Each edge has two triangles that run along it in opposite directions; the inside is inside; the file is small."""
    faces = triangles(name)
    _, corners = np.unique(faces.reshape(-1, 3), axis=0, return_inverse=True)
    edges = [(a, b) for face in corners.reshape(-1, 3) for a, b in zip(face, np.roll(face, -1), strict=True)]
    assert len(set(edges)) == len(edges)
    assert set(edges) == {(b, a) for a, b in edges}
    assert np.einsum("ij,ij->i", faces[:, 0], np.cross(faces[:, 1], faces[:, 2])).sum() / 6 > 1000
    assert (FOLDER / f"{name}.stl").stat().st_size < STL_MAX_BYTES


@pytest.mark.parametrize("name", NAMES)
def test_a_part_is_printed_without_supports(name: str) -> None:
    """It lies on a bed of 200 x 200 mm; above it nothing faces down by more than 45 degrees, except short bridges."""
    faces = triangles(name)
    low, high = faces.min(axis=(0, 1)), faces.max(axis=(0, 1))
    assert low == pytest.approx(0.0, abs=1e-4)
    assert max(high[:2]) <= 200
    hanging = faces[(normals(faces)[:, 2] < -0.72) & (faces[:, :, 2].max(axis=1) > 0.01)]
    narrow = np.ptp(hanging[:, :, :2], axis=1).min(axis=1)
    assert (narrow <= BRIDGE_MM).all()


@pytest.mark.parametrize("name", NAMES)
def test_no_wall_is_thinner_than_named(name: str) -> None:
    """From points on each face straight inwards, the face on the other side is at least the named wall away."""
    faces = triangles(name)
    wall = JOINT_WALL if name in {"batten-foot", "batten-corner", "batten-webcam"} else WALL
    body, out = solid(faces), normals(faces)
    found = 0
    for face, normal in zip(faces, out, strict=True):
        for weights in ((1 / 3, 1 / 3, 1 / 3), (0.8, 0.1, 0.1), (0.1, 0.8, 0.1), (0.1, 0.1, 0.8)):
            start = np.array(weights) @ face - normal * 1e-3
            hits = body.ray_cast(tuple(start), tuple(start - normal * (wall - 0.02)))
            across = [hit for hit in hits if np.dot(hit.normal, normal) < -0.95]  # opposite, not a corner
            assert not across, (start, [hit.distance for hit in across])
            found += 1
    assert found == 4 * len(faces)


@pytest.mark.parametrize("display", DISPLAYS, ids=lambda display: display.name)
def test_the_case_has_the_drawings_measures(display: Display) -> None:
    """Outside, holes and window, cut 1.5 mm above the outer face: the numbers that the drawing shows."""
    faces = triangles(f"case-{display.name}")
    outside, window, *buttons = loops(faces, 1.5)
    width, height = np.ptp(outside, axis=0)
    depth = faces[:, :, 2].max()
    holes = round_holes(faces, 1.5, 12.4)
    opening = np.ptp(window, axis=0)
    assert len(buttons) == len(holes) == 2
    assert opening == pytest.approx(np.array(display.active) + 1.5, abs=0.01)
    assert middle(window)[0] == pytest.approx(width / 2)
    assert (holes[0][0] + holes[1][0]) / 2 == pytest.approx(width / 2)
    if display is Case().display:
        shown = [f"{width:.4g}", f"{height:.4g}", f"{depth:.4g}", f"{holes[0][1]:.4g}", f"{window.min(axis=0)[1]:.2f}"]
        shown += [f"{opening[0]:.2f}", f"{opening[1]:.2f}", f"{holes[1][0] - holes[0][0]:.4g}; holes 12.4"]
        assert set(shown) <= set(written("case.svg"))


def test_the_lid_has_the_drawings_measures() -> None:
    """Its size beside the tongue, the screws' holes, and the feet."""
    faces = triangles("case-lid")
    (outside, *_), high = loops(faces, 1.5), loops(faces, 3.5)
    holes = round_holes(faces, 1.5, 3.4)
    assert len(holes) == 4
    width = np.ptp(outside, axis=0)[0]
    height = np.ptp(outside[outside[:, 0] < width / 4][:, 1])  # the tongue is in the middle
    across, along = np.ptp(holes, axis=0)
    assert len(high) == 2
    tops = sorted(faces[:, :, 2][faces[:, :, 2] > 3.5].round(3).tolist())
    shown = [f"{width:.4g}", f"{height:.4g}", f"{across:.4g}; holes 3.4", f"{along:.4g}"]
    shown += [f"{tops[0] - 3:.4g}", f"{tops[-1] - 3:.4g}", f"{abs(middle(high[0])[1] - middle(high[1])[1]):.4g}"]
    assert set(shown) <= set(written("case.svg"))


def test_the_camera_plate_has_the_drawings_measures() -> None:
    """The module's holes are 21 and 12.5 mm apart, as on the plywood plate; its slots are 0.2 mm wider."""
    faces = triangles("camera-plate")
    holes = round_holes(faces, 3.0, 2.2)
    outside, *openings = loops(faces, 3.0)
    assert len(holes) == 4
    shown = [f"{value:.4g}" for value in (*np.ptp(holes, axis=0), *np.ptp(outside, axis=0))]
    assert set(shown) <= set(written("stand.svg"))
    assert shown == ["21", "12.5", "100", "60"]
    slots = [np.ptp(loop, axis=0) for loop in openings if 6 < np.ptp(loop, axis=0)[0] < 7]
    assert slots == [pytest.approx((6.3, 20.3), abs=1e-3)] * 2


def test_case_clamp_and_lid_fit() -> None:
    """As the code puts them together nothing overlaps; the lid has the play that the drawing states, and no more."""
    (play,) = (float(number) for words in written("case.svg") for number in re.findall(r"play ([\d.]+)", words))
    for display in DISPLAYS:
        parts = closed_case(Case(display))
        for first, second in combinations(parts.values(), 2):
            assert (first ^ second).volume() < 1e-6
        for way in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            for by, overlaps in ((play - 0.02, False), (play + 0.02, True)):
                moved = parts["lid"].translate((way[0] * by, way[1] * by, 0.0))
                assert ((moved ^ parts["case"]).volume() > 1e-3) is overlaps


@pytest.mark.parametrize("display", DISPLAYS, ids=lambda display: display.name)
def test_bought_parts_fit_the_case(display: Display) -> None:
    """The display's board, push buttons with their collars and nuts, and M3 screws have room; the board has little."""
    case = Case(display)
    body = closed_case(case)["case"]
    width, height = display.board
    left, top = case.width / 2 - width / 2, case.display_y - height / 2
    board = box(Slot(left, top, width, height), case.wall, case.wall + 2.8)
    assert (board ^ body).volume() < 1e-6
    assert (board.translate((0.9, 0.0, 0.0)) ^ body).volume() > 0
    for hole in case.buttons:
        thread, nut = pin(Hole(hole.x, hole.y, 12.0), -5.0, 20.0), pin(Hole(hole.x, hole.y, 17.0), case.wall, 20.0)
        assert ((thread + nut) ^ body).volume() < 1e-6
        assert (nut ^ board).volume() < 1e-6
    for hole in case.lid_screws:
        assert (pin(Hole(hole.x, hole.y, 2.4), case.depth - 8.0, case.depth) ^ body).volume() < 1e-6


def test_the_battens_stand() -> None:
    """Battens and joints do not overlap, the camera is where the drawings say, and the tray has room."""
    battens = Battens()
    parts = standing(battens)
    for first, second in combinations(parts.values(), 2):
        assert (first ^ second).volume() < 1e-6
    assert parts["camera"].bounding_box()[2] == pytest.approx(340.0)
    front_of_foot = parts["foot"].bounding_box()[3]
    assert front_of_foot < battens.side + battens.stand.reach - TRAY_MM[1] / 2 - WALL_MM[0]
    lengths = {"upright": parts["upright"].bounding_box()[5], "arm": parts["arm"].bounding_box()[3]}
    assert {f"{name} {length:.4g}" for name, length in lengths.items()} <= set(written("stand-battens.svg"))
    holes = round_holes(triangles("batten-camera"), 2.0, 2.2)
    assert np.ptp(holes, axis=0) == pytest.approx((12.5, 21.0), abs=1e-3)


def test_both_cheeks_of_the_corner_are_alike() -> None:
    """Mirrored at its diagonal the corner is itself, so that the same print serves either side."""
    cheek = corner(Battens())
    assert differs_by_mm3(cheek, cheek.mirror((1.0, -1.0, 0.0))) < 1e-3


@pytest.mark.parametrize("name", SETS)
def test_a_set_is_whole(name: str) -> None:
    """A 3MF file is in millimetres and has its parts, as they are in the STL files, side by side on the bed."""
    with zipfile.ZipFile(FOLDER / f"{name}.3mf") as archive:
        assert archive.testzip() is None
        root = ET.fromstring(archive.read("3D/3dmodel.model"))  # noqa: S314 - our own text
    assert root.get("unit") == "millimeter"
    objects = root.findall(f".//{CORE}object")
    assert tuple(node.get("name") for node in objects) == SETS[name]
    assert [node.get("objectid") for node in root.iter(f"{CORE}item")] == [node.get("id") for node in objects]
    laid = []
    for node in objects:
        corners = np.array([[float(vertex.get(axis, "")) for axis in "xyz"] for vertex in node.iter(f"{CORE}vertex")])
        faces = [[int(face.get(key, "")) for key in ("v1", "v2", "v3")] for face in node.iter(f"{CORE}triangle")]
        part = Manifold(Mesh64(corners, np.array(faces, np.uint64)))
        left, front, bottom = part.bounding_box()[:3]
        assert differs_by_mm3(part.translate((-left, -front, -bottom)), solid(triangles(str(node.get("name"))))) < 0.5
        laid.append(np.array(part.bounding_box()).reshape(2, 3))
    for low, high in laid:
        assert (low >= 0).all()
        assert max(high[:2]) <= 200
    for (low, high), (other_low, other_high) in combinations(laid, 2):
        assert (np.maximum(low, other_low)[:2] > np.minimum(high, other_high)[:2] + 5).any()


def test_a_picture_shows_what_is_near() -> None:
    """From above a low wide box hides nothing of a high narrow one on it; both keep their colours."""
    low, high = box(Slot(0, 0, 20, 20), 0, 2), box(Slot(5, 5, 10, 10), 0, 8)
    seen = picture([(low, (0, 0, 200)), (high, (0, 200, 0))], View(0.0, 90.0, 100, 100)).astype(int)
    assert tuple(seen[2, 2]) == GROUND
    assert seen[50, 50].argmax() == 1
    assert seen[50, 15].argmax() == 2
    green = (seen.argmax(axis=2) == 1).mean()
    assert green == pytest.approx((0.88 / 2) ** 2, abs=0.02)


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The command ends with status 2 and names the place."""
    (tmp_path / "file").touch()
    assert main([str(tmp_path / "file" / "models")]) == 2
    assert str(tmp_path / "file") in capsys.readouterr().err
