"""Cameras of files: every frame in its time, photographs by name, and clear words for everything else."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from labelled import PHOTOS, needs_photos

from tabletop.cameras.files import Film, FilmRecorder, Photographs
from tabletop.cameras.opening import open_camera
from tabletop.core.errors import DeviceError, InputError
from tabletop.core.ports import Camera, Frame


def _frames(camera: Camera) -> list[Frame]:
    frames = []
    while (frame := camera.read()) is not None:
        frames.append(frame)
    assert camera.read() is None
    camera.close()
    return frames


def _film(path: Path, greys: list[int], fps: float = 25.0) -> Path:
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), fps, (64, 48))
    for grey in greys:
        writer.write(np.full((48, 64, 3), grey, np.uint8))
    writer.release()
    return path


def test_a_film_gives_every_frame_in_its_own_time(tmp_path: Path) -> None:
    """Ten frames written at 25 a second come back as ten, 40 ms apart, in order."""
    greys = list(range(20, 220, 20))
    frames = _frames(open_camera(str(_film(tmp_path / "a.avi", greys))))
    assert [round(float(frame.pixels.mean()), -1) for frame in frames] == greys
    assert np.diff([frame.time_s for frame in frames]) == pytest.approx(0.04, abs=1e-3)
    assert not any(frame.at_rest for frame in frames)


@pytest.mark.slow
@needs_photos
def test_recorded_throws_are_read_to_their_last_frame() -> None:
    """The films of the manifest have as many frames as it says, upright, at 30 a second."""
    facts = json.loads((PHOTOS / "manifest.json").read_text())["throws"][0]
    frames = _frames(Film(PHOTOS / facts["file"]))
    assert len(frames) == facts["frames"]
    assert frames[0].pixels.shape == (facts["height"], facts["width"], 3)
    assert frames[-1].time_s == pytest.approx((facts["frames"] - 1) / facts["fps"], abs=0.1)


def test_photographs_come_by_name_and_at_rest(tmp_path: Path) -> None:
    """Pictures of a folder in the order of their names, other files left out, each one at rest."""
    for name, grey in (("b.png", 100), ("a.PNG", 50), ("c.jpg", 150)):
        cv2.imwrite(str(tmp_path / name), np.full((10, 10, 3), grey, np.uint8))
    (tmp_path / "notes.txt").write_text("no picture")
    frames = _frames(open_camera(str(tmp_path)))
    assert [round(float(frame.pixels.mean())) for frame in frames] == [50, 100, 150]
    assert all(frame.at_rest for frame in frames)
    assert len(_frames(open_camera(str(tmp_path / "b.png")))) == 1


def test_a_broken_photograph_is_told_and_the_next_one_comes(tmp_path: Path) -> None:
    """A file that is no picture costs one error; the others are still seen."""
    (tmp_path / "a.jpg").write_bytes(b"\xff\xd8 not really")
    cv2.imwrite(str(tmp_path / "b.png"), np.zeros((10, 10, 3), np.uint8))
    camera = Photographs.of_folder(tmp_path)
    with pytest.raises(DeviceError, match=r"a\.jpg"):
        camera.read()
    assert camera.read() is not None
    assert camera.read() is None


def test_what_is_no_camera_is_told_in_one_line(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """A broken film, an empty folder, an unplugged camera, a word without meaning: what was expected, what came."""
    (tmp_path / "broken.mp4").write_bytes(b"\x00\x00\x00 ftypisom" + bytes(300))
    (tmp_path / "empty").mkdir()
    for word, said in (
        (str(tmp_path / "broken.mp4"), "expected a film"),
        (str(tmp_path / "empty"), "expected photographs"),
        ("usb:x", "expected a number after usb:"),
        ("usb:97", "expected a camera at usb:97"),
        ("nowhere.mp4", "expected --camera sim"),
        ("pi:x", "expected a number after pi:"),
    ):
        with pytest.raises((InputError, DeviceError), match=said) as told:
            open_camera(word)
        assert "\n" not in str(told.value)
    assert capfd.readouterr().err == ""


def test_a_recording_plays_back_what_the_camera_saw(tmp_path: Path) -> None:
    """Frames at 10 a second are recorded so that the film lasts as long, and shows them in order."""

    class Slow:
        live = False

        def __init__(self) -> None:
            self.left = [Frame(np.full((48, 64, 3), 40 * i, np.uint8), 5.0 + i / 10) for i in range(1, 6)]

        def read(self) -> Frame | None:
            return self.left.pop(0) if self.left else None

        def close(self) -> None:
            self.left.clear()

    _frames(FilmRecorder(Slow(), tmp_path / "kept.avi"))
    played = _frames(Film(tmp_path / "kept.avi"))
    assert played[-1].time_s == pytest.approx(0.4, abs=0.04)
    greys = [round(float(frame.pixels.mean()) / 40) for frame in played]
    assert sorted(set(greys)) == [1, 2, 3, 4, 5]
    assert greys == sorted(greys)
    for bad in ("kept.avi", "kept.txt", "no/where.avi"):
        with pytest.raises(InputError, match="expected"):
            FilmRecorder(Slow(), tmp_path / bad)
