"""`tabletop read`: its JSON, odd pictures, and people's mistakes."""

import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from tabletop.cli.main import main
from tabletop.config.profile import save_profile
from tabletop.core.values import Profile
from tabletop.simulator.render import compose
from tabletop.simulator.scene import Look, PosedDie, Viewpoint, face_up, lying

RIGHT_TOP = 6  # EXIF orientation: the picture must be turned clockwise by a quarter
ORIENTATION = 0x0112  # EXIF tag


@pytest.fixture(scope="module")
def frame() -> NDArray[np.uint8]:
    """Return a rendered tray, (200, 300, 3) BGR: a 2 at (70, 60) and a 5 at (220, 140), edge 50."""
    look = Look(body=(235, 240, 240))
    dice = [PosedDie(70, 60, 50, lying(2, 20, look), look), PosedDie(220, 140, 50, lying(5, 65, look), look)]
    assert [face_up(die) for die in dice] == [2, 5]
    return compose(np.full((200, 300, 3), (60, 110, 50), np.uint8), dice, camera=Viewpoint(distance_px=5000))


def as_image(frame: NDArray[np.uint8]) -> Image.Image:
    """Return BGR pixels as Pillow's RGB picture."""
    return Image.fromarray(np.ascontiguousarray(frame[:, :, ::-1]))


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, list[dict[str, Any]], str]:
    status = main(["read", "--json", *words])
    out, err = capsys.readouterr()
    return status, [json.loads(line) for line in out.splitlines()], err


def test_contract(tmp_path: Path, frame: NDArray[np.uint8], capsys: pytest.CaptureFixture[str]) -> None:
    """One object a photograph on one line, with exactly the contract's names, in the photographs' order."""
    one, two = str(tmp_path / "a.png"), str(tmp_path / "b c.jpg")
    as_image(frame).save(one)
    as_image(frame).save(two, quality=90)
    status, objects, err = run(capsys, "--die-px", "50", "--expect", "2", one, two)
    assert (status, err) == (0, "")
    assert [reading["file"] for reading in objects] == [one, two]
    for reading in objects:
        assert set(reading) == {"file", "width", "height", "ms", "dice", "unsure"}
        assert (reading["width"], reading["height"]) == (300, 200)
        assert reading["ms"] > 0
        assert sorted(die["face"] for die in reading["dice"]) == [2, 5]
        for die in reading["dice"]:
            assert set(die) == {"face", "x", "y", "size", "angle", "colour", "confidence"}
            place = {2: (70, 60), 5: (220, 140)}[die["face"]]
            assert np.hypot(die["x"] - place[0], die["y"] - place[1]) < 8
            assert die["size"] == pytest.approx(50, rel=0.15)
            assert 0 <= die["angle"] < 90
            assert 0 <= die["confidence"] <= 1
            assert die["colour"] == "white"


def test_profile_gives_millimetres(
    tmp_path: Path, frame: NDArray[np.uint8], capsys: pytest.CaptureFixture[str]
) -> None:
    """With the profile of a camera that sees 96 x 64 mm, places are in millimetres and each die is in the tray."""
    corners = ((0.0, 0.0), (300.0, 0.0), (300.0, 200.0), (0.0, 200.0))
    mm_per_px = 0.32
    homography = ((mm_per_px, 0.0, 0.0), (0.0, mm_per_px, 0.0), (0.0, 0.0, 1.0))
    save_profile(Profile(300, 200, corners, (96.0, 64.0), homography, 1 / mm_per_px, 16.0), tmp_path / "tray.toml")
    as_image(frame).save(tmp_path / "a.png")
    status, (reading,), _ = run(capsys, "--profile", str(tmp_path / "tray.toml"), str(tmp_path / "a.png"))
    assert (status, reading["unit"]) == (0, "mm")
    places = {die["face"]: (die["x"], die["y"], die["where"]) for die in reading["dice"]}
    assert places[2] == (pytest.approx(70 * 0.32, abs=2), pytest.approx(60 * 0.32, abs=2), "tray")
    assert places[5] == (pytest.approx(220 * 0.32, abs=2), pytest.approx(140 * 0.32, abs=2), "tray")
    assert all(die["size"] == pytest.approx(16, rel=0.25) for die in reading["dice"])


def test_exif_rotation(tmp_path: Path, frame: NDArray[np.uint8], capsys: pytest.CaptureFixture[str]) -> None:
    """A photograph stored lying, with EXIF to turn it, is read upright: places and size are those after turning."""
    stored = np.rot90(frame)  # a quarter against the clock, to be turned back by EXIF
    exif = Image.Exif()
    exif[ORIENTATION] = RIGHT_TOP
    file = str(tmp_path / "turned.jpg")
    as_image(stored).save(file, quality=95, exif=exif)
    _, (reading,), _ = run(capsys, file)
    assert (reading["width"], reading["height"]) == (300, 200)
    places = {die["face"]: (die["x"], die["y"]) for die in reading["dice"]}
    assert np.hypot(places[2][0] - 70, places[2][1] - 60) < 8
    assert np.hypot(places[5][0] - 220, places[5][1] - 140) < 8


def test_tiny_and_plain_pictures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One pixel, one row, all black and all white are read: nothing is in them."""
    names = []
    for number, (shape, value) in enumerate([((1, 1, 3), 200), ((1, 90, 3), 9), ((64, 64, 3), 0), ((64, 64, 3), 255)]):
        names.append(str(tmp_path / f"{number}.png"))
        Image.fromarray(np.full(shape, value, np.uint8)).save(names[-1])
    status, objects, err = run(capsys, *names)
    assert (status, err) == (0, "")
    assert [reading["dice"] for reading in objects] == [[]] * 4


def test_no_picture_costs_a_line_and_the_others_are_read(
    tmp_path: Path, frame: NDArray[np.uint8], capsys: pytest.CaptureFixture[str]
) -> None:
    """Text, an empty file, half a photograph, a folder and nothing at all: a line each, status 2, the rest is read."""
    good = str(tmp_path / "good.png")
    as_image(frame).save(good)
    packed = io.BytesIO()
    as_image(frame).save(packed, "JPEG")
    bad = {"text.jpg": b"no picture\n", "empty.png": b"", "half.jpg": packed.getvalue()[: len(packed.getvalue()) // 3]}
    for name, content in bad.items():
        (tmp_path / name).write_bytes(content)
    (tmp_path / "folder").mkdir()
    names = [str(tmp_path / name) for name in (*bad, "folder", "absent.jpg")]
    status, objects, err = run(capsys, names[0], good, *names[1:])
    assert status == 2
    assert [reading["file"] for reading in objects] == [good]
    lines = err.splitlines()
    assert len(lines) == len(names)
    for line, name in zip(lines, names, strict=True):
        assert line.startswith(f"tabletop read: {name}: expected")


@pytest.mark.parametrize(
    "word",
    ["--die-px=0", "--die-px=nan", "--die-px=1e9", "--die-px=big", "--expect=-1", "--expect=2.5", "--expect=101"],
)
def test_hints_out_of_range(word: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A hint that cannot be is refused in one line that names it, before any photograph is opened."""
    status, objects, err = run(capsys, word, str(tmp_path / "absent.jpg"))
    assert (status, objects, err.count("\n")) == (2, [], 1)
    assert word.partition("=")[0] in err
    assert "expected" in err
    assert "absent" not in err


def test_table_for_people(tmp_path: Path, frame: NDArray[np.uint8], capsys: pytest.CaptureFixture[str]) -> None:
    """Without --json there is a line for the photograph with its faces, and one for each die."""
    file = str(tmp_path / "a.png")
    as_image(frame).save(file)
    assert main(["read", file]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith(f"{file}: 2 5")
    assert len(lines) == 3
    assert all("white" in line for line in lines[1:])


def test_what_to_try(tmp_path: Path, frame: NDArray[np.uint8], capsys: pytest.CaptureFixture[str]) -> None:
    """Small dice that nobody gave a size: their size is named, and with it they are read. Nothing: what to try."""
    small = np.full((480, 640, 3), frame[0, 0], np.uint8)
    small[100:136, 100:154] = cv2.resize(frame, (54, 36), interpolation=cv2.INTER_AREA)  # edge 9
    for name, pixels in (("small.png", small), ("empty.png", np.full((480, 640, 3), 90, np.uint8))):
        cv2.imwrite(str(tmp_path / name), pixels)
    assert main(["read", str(tmp_path / "small.png")]) == 0
    found, advised = capsys.readouterr().out.splitlines()
    assert ": no dice" in found
    (die_px,) = re.findall(r"try --die-px (\d+)", advised)
    assert main(["read", str(tmp_path / "small.png"), "--die-px", die_px]) == 0
    assert ": no dice" not in capsys.readouterr().out
    assert main(["read", str(tmp_path / "empty.png")]) == 0
    assert "nothing that looks like a die: try --die-px N" in capsys.readouterr().out


def pixels(path: Path) -> NDArray[np.uint8]:
    with Image.open(path) as picture:
        return np.asarray(picture.convert("RGB"), np.uint8)


@pytest.mark.parametrize("out", ["drawn.png", "drawn.JPG", "drawn.webp"])
def test_draw_one(out: str, tmp_path: Path, frame: NDArray[np.uint8], capsys: pytest.CaptureFixture[str]) -> None:
    """One photograph goes to the file that was named, in its kind; the readings are told as without."""
    photo = tmp_path / "a.png"
    as_image(frame).save(photo)
    status, (reading,), err = run(capsys, "--draw", str(tmp_path / out), str(photo))
    assert (status, err, len(reading["dice"])) == (0, "", 2)
    with Image.open(tmp_path / out) as picture:
        drawn = np.asarray(picture.convert("RGB"), np.uint8)
    assert drawn.shape[0] * 3 == drawn.shape[1] * 2
    assert (np.abs(drawn.astype(int) - (0, 114, 178)).max(axis=2) < 60).mean() > 0.01


def test_draw_many(tmp_path: Path, frame: NDArray[np.uint8], capsys: pytest.CaptureFixture[str]) -> None:
    """Several go into a folder that is made; taken names get numbers, kinds that cannot be written become PNG."""
    names = ["one/a.png", "two/a.png", "two/b.gif", "two/\udcff \n.jpg"]
    for name in names:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        as_image(frame).save(tmp_path / name)
    (tmp_path / "two" / "bad.png").write_bytes(b"no picture")
    files = [str(tmp_path / name) for name in (*names, "two/bad.png")]
    out = tmp_path / "new" / "folder"
    status, objects, err = run(capsys, "--draw", str(out), *files)
    assert (status, len(objects), len(err.splitlines())) == (2, 4, 1)
    assert {path.name for path in out.iterdir()} == {"a.png", "a-2.png", "b.gif.png", "\udcff \n.jpg"}
    before = (tmp_path / "one" / "a.png").read_bytes()
    assert run(capsys, "--draw", f"{tmp_path / 'one'}/", files[0])[0] == 0
    assert sorted(path.name for path in (tmp_path / "one").iterdir()) == ["a-2.png", "a.png"]
    assert (tmp_path / "one" / "a.png").read_bytes() == before


@pytest.mark.parametrize(
    ("out", "told"),
    [
        ("out.xyz", "expected a file that ends in one of"),
        ("out", "got no ending"),
        ("absent/out.png", "expected an existing folder"),
        ("a.png/out.png", "expected an existing folder"),
        ("a.png/", "expected a folder"),
        ("long" * 100 + ".png", "File name too long"),
        ("a.png", "something lies there"),
        ("gone.png", "something lies there"),
    ],
)
def test_outputs_that_cannot_be(
    out: str,
    told: str,
    tmp_path: Path,
    frame: NDArray[np.uint8],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A picture that cannot be written, or lies over anything: one line, status 2, nothing is read or written."""
    monkeypatch.chdir(tmp_path)
    as_image(frame).save("a.png")
    Path("gone.png").symlink_to("nothing.png")
    status, objects, err = run(capsys, "--draw", out, "a.png")
    assert (status, objects, len(err.splitlines())) == (2, [], 1)
    assert told in err
    assert {path.name for path in tmp_path.iterdir()} == {"a.png", "gone.png"}


def test_a_kind_that_cannot_hold_the_picture(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """WebP holds at most 16383 pixels a side: a longer photograph costs a line, no file, and is still read."""
    Image.new("RGB", (17_000, 20)).save(tmp_path / "a.png")
    status, objects, err = run(capsys, "--draw", str(tmp_path / "b.webp"), "--die-px", "100", str(tmp_path / "a.png"))
    assert (status, len(objects), len(err.splitlines())) == (2, 1, 1)
    assert [path.name for path in tmp_path.iterdir()] == ["a.png"]


def test_names_that_no_terminal_shows(tmp_path: Path, frame: NDArray[np.uint8]) -> None:
    """A name with bytes of no encoding and line ends is told with escapes, one line a die; JSON tells it exactly."""
    name = os.fsencode(tmp_path) + b"/\xff\n\x1b[31m.png"
    as_image(frame).save(tmp_path / "a.png")
    (tmp_path / "a.png").rename(Path(os.fsdecode(name)))
    command = [sys.executable, "-m", "tabletop", "read"]
    done = subprocess.run([*command, name], capture_output=True, check=True)
    assert len(done.stdout.splitlines()) == 3
    assert b"\x1b" not in done.stdout
    done = subprocess.run([*command, "--json", name], capture_output=True, check=True)
    assert json.loads(done.stdout)["file"] == os.fsdecode(name)


def test_errors_are_one_line_on_every_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    """A name with control characters that is no file."""
    assert main(["read", "no\x1b]0;file\x07.png"]) == 2
    assert capsys.readouterr().err.startswith("tabletop read: no\\x1b]0;file\\x07.png: expected")
