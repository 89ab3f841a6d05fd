"""Picture files: every kind that people have is opened as it looks, and everything else is refused in one line."""

import io
import os
import socket
import struct
import subprocess
import sys
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from PIL import Image

from tabletop.core.errors import InputError
from tabletop.vision.image_io import MOST_PIXELS, open_picture

Picture = NDArray[np.uint8]
ORIENTATION = 0x0112  # EXIF tag

# Where the stored picture's row 0 and column 0 are seen (Exif 2.32, tag 0x0112)
ORIENTATIONS = {
    1: ("top", "left"),
    2: ("top", "right"),
    3: ("bottom", "right"),
    4: ("bottom", "left"),
    5: ("left", "top"),
    6: ("right", "top"),
    7: ("right", "bottom"),
    8: ("left", "bottom"),
}


def smooth(height: int = 40, width: int = 60) -> Picture:
    rows, columns = np.mgrid[0:height, 0:width]
    return np.dstack([rows * 200 // height, columns * 200 // width, np.full((height, width), 90)]).astype(np.uint8)


def as_image(frame: Picture) -> Image.Image:
    """Return BGR pixels as Pillow's RGB picture."""
    return Image.fromarray(np.ascontiguousarray(frame[:, :, ::-1]))


def stored(upright: Picture, row_0: str, column_0: str) -> Picture:
    """Return what lies in the file where row 0 and column 0 are seen on those sides."""
    rows_first = row_0 in ("top", "bottom")
    lying = upright if rows_first else upright.transpose(1, 0, 2)  # row 0 is now on the left, column 0 on top
    lying = lying[::-1] if row_0 in ("bottom", "right") else lying
    return np.ascontiguousarray(lying[:, ::-1] if column_0 in ("bottom", "right") else lying)


@pytest.mark.parametrize("orientation", ORIENTATIONS)
@pytest.mark.parametrize("suffix", ["jpg", "png", "tif", "webp"])
def test_all_eight_orientations(orientation: int, suffix: str, tmp_path: Path) -> None:
    """Whatever way EXIF says that the picture lies, it comes out upright."""
    exif = Image.Exif()
    exif[ORIENTATION] = orientation
    file = tmp_path / f"a.{suffix}"
    as_image(stored(smooth(), *ORIENTATIONS[orientation])).save(file, exif=exif, quality=98)
    opened = open_picture(file)
    assert opened.shape == (40, 60, 3)
    assert np.abs(opened.astype(int) - smooth()).mean() < 3


@pytest.mark.parametrize("mode", ["L", "LA", "P", "RGBA", "CMYK", "YCbCr", "LAB", "1", "I", "F", "I;16"])
def test_modes_keep_the_brightness(mode: str, tmp_path: Path) -> None:
    """Grey, palette, transparent, printing and deep pictures look like the plain one."""
    plain = as_image(smooth())
    image = Image.fromarray(np.asarray(plain.convert("L"), np.uint16) * 257) if mode == "I;16" else None
    if image is None and mode == "LAB":
        lab = np.asarray(cv2.cvtColor(smooth(), cv2.COLOR_BGR2LAB), np.uint8)
        lab[:, :, 1:] ^= 0x80  # signed there, offset by 128 here
        image = Image.frombytes("LAB", plain.size, lab.tobytes())
    file = tmp_path / "a.tif" if mode not in ("P", "LA") else tmp_path / "a.png"
    (image or plain.convert(mode)).save(file)
    opened = open_picture(file)
    assert opened.shape == (40, 60, 3)
    assert opened.dtype == np.uint8
    grey = np.asarray(plain.convert("L"), float)
    blocks = [picture.reshape(4, 10, 6, 10).mean(axis=(1, 3)) for picture in (cv2.cvtColor(opened, 6), grey)]
    assert np.abs(blocks[0] - blocks[1]).max() < 12


@pytest.mark.parametrize("suffix", ["png", "tif"])
@pytest.mark.parametrize("channels", [1, 3, 4])
def test_sixteen_bits(suffix: str, channels: int, tmp_path: Path) -> None:
    """16-bit pictures, grey, in colour and with alpha, written by another library, come out with their upper bytes."""
    deep = smooth().astype(np.uint16) * 257
    deep = {1: deep[:, :, 0], 3: deep, 4: np.dstack([deep, np.full(deep.shape[:2], 65535, np.uint16)])}[channels]
    file = tmp_path / f"a.{suffix}"
    cv2.imwrite(str(file), deep)
    opened = open_picture(file)
    expected = np.repeat(smooth()[:, :, :1], 3, axis=2) if channels == 1 else smooth()
    assert np.abs(opened.astype(int) - expected).max() <= 1


def test_fractions_are_shares_of_white(tmp_path: Path) -> None:
    """Programs that compute with light write 0 to 1."""
    Image.fromarray(np.linspace(0, 1, 256, dtype=np.float32).reshape(16, 16)).save(tmp_path / "a.tif")
    assert open_picture(tmp_path / "a.tif")[:, :, 1].ravel() == pytest.approx(np.arange(256), abs=1)


def test_transparency_is_seen_before_grey(tmp_path: Path) -> None:
    """What is wholly transparent is middle grey, not what lies hidden in its pixels."""
    Image.new("RGBA", (9, 9), (255, 0, 0, 0)).save(tmp_path / "a.png")
    assert (open_picture(tmp_path / "a.png") == 128).all()


@pytest.mark.parametrize(("suffix", "kind"), [("gif", "GIF"), ("png", "PNG"), ("webp", "WEBP")])
def test_moving_pictures_give_their_first(suffix: str, kind: str, tmp_path: Path) -> None:
    """Of an animated GIF, PNG or WebP the first picture is taken."""
    pictures = [Image.new("RGB", (30, 20), colour) for colour in ((200, 30, 30), (0, 200, 0), (0, 0, 200))]
    file = tmp_path / f"a.{suffix}"
    pictures[0].save(file, kind, save_all=True, append_images=pictures[1:], lossless=True)
    with Image.open(file) as opened:
        assert getattr(opened, "n_frames", 1) == 3
    assert np.abs(open_picture(file).astype(int) - (30, 30, 200)).max() < 8


def refused(path: Path) -> str:
    with pytest.raises(InputError) as caught:
        open_picture(path)
    text = str(caught.value)
    assert text.startswith(f"{path}: expected")
    assert "\n" not in text
    return text


def bomb(width: int, height: int) -> bytes:
    """Return a small PNG that says it has so many pixels (PNG 1.2, section 4.1)."""
    chunks = [(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)), (b"IDAT", zlib.compress(bytes(1000)))]
    packed = [
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data)) for name, data in chunks
    ]
    return b"\x89PNG\r\n\x1a\n" + b"".join(packed) + b"\0\0\0\0IEND\xaeB`\x82"


@pytest.mark.parametrize("size", [(60_000, 60_000), (13_000, 10_000), (2**31 - 1, 2**31 - 1)])
def test_picture_bombs(size: tuple[int, int], tmp_path: Path) -> None:
    """A file of some hundred bytes that claims more pixels than any camera makes is refused before they are made."""
    (tmp_path / "a.png").write_bytes(bomb(*size))
    assert str(MOST_PIXELS) in refused(tmp_path / "a.png")


def test_what_is_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Folders, pipes, sockets, devices and nothing at all are told by their names, and nothing waits."""
    os.mkfifo(tmp_path / "pipe.png")
    (tmp_path / "folder.png").mkdir()
    (tmp_path / "link.png").symlink_to(tmp_path / "gone.png")
    monkeypatch.chdir(tmp_path)
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("socket.png")  # the whole path may be longer than a socket's name can be
    for name, told in {"pipe": "a pipe", "folder": "a folder", "socket": "a socket", "link": "No such file"}.items():
        assert told in refused(tmp_path / f"{name}.png")
    assert "a device" in refused(Path("/dev/zero"))
    assert "No such file" in refused(tmp_path / "absent.png")
    assert "name" in refused(tmp_path / ("long" * 100))


NO_PICTURES = (
    b"",
    b"\0",
    b"no picture\n",
    b"\xff\xd8",
    b"\x89PNG\r\n\x1a\n",
    b"GIF89a",
    b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n",
)


@pytest.mark.parametrize("content", NO_PICTURES)
def test_what_is_no_picture(content: bytes, tmp_path: Path) -> None:
    """Nothing, text, beginnings of pictures and programs for printers are refused."""
    (tmp_path / "a.png").write_bytes(content)
    refused(tmp_path / "a.png")


@pytest.fixture(scope="module")
def packed() -> dict[str, bytes]:
    """Return one picture in all forms."""
    forms = {
        "JPEG": {},
        "PNG": {},
        "GIF": {},
        "BMP": {},
        "TIFF": {},
        "TIFF lzw": {"compression": "tiff_lzw"},
        "WEBP": {},
    }
    files = {}
    for form, options in forms.items():
        memory = io.BytesIO()
        as_image(smooth()).save(memory, form.split()[0], **options)
        files[form] = memory.getvalue()
    return files


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_broken_bytes(data: st.DataObject, packed: dict[str, bytes], tmp_path: Path) -> None:
    """Whatever bytes are changed or cut off, there is a picture or one line, and nothing else."""
    whole = bytearray(packed[data.draw(st.sampled_from(sorted(packed)))])
    reach = data.draw(st.sampled_from([60, 600, len(whole)]))
    places = st.integers(0, min(reach, len(whole)) - 1)
    for place, value in data.draw(st.lists(st.tuples(places, st.integers(0, 255)), max_size=8)):
        whole[place] = value
    file = tmp_path / "broken"
    file.write_bytes(whole[: data.draw(st.one_of(st.just(len(whole)), st.integers(0, len(whole))))])
    try:
        opened = open_picture(file)
    except InputError as error:
        assert str(error).startswith(f"{file}: expected")  # noqa: PT017 - both ways are right
        assert "\n" not in str(error)  # noqa: PT017 - the same
    else:
        assert opened.dtype == np.uint8
        assert opened.ndim == 3
        assert opened.shape[2] == 3


def test_libraries_write_nothing_beside(packed: dict[str, bytes], tmp_path: Path) -> None:
    """Broken TIFF files, of which the library below complains on its own, cost their line and nothing more."""
    whole = packed["TIFF lzw"]
    names = []
    for number in range(8):
        broken = bytearray(whole)
        broken[8 + 5 * number : 30 + 5 * number] = bytes([255 - number] * 22)
        names.append(str(tmp_path / f"{number}.tif"))
        Path(names[-1]).write_bytes(broken)
    done = subprocess.run(
        [sys.executable, "-m", "tabletop", "read", *names], capture_output=True, text=True, check=False
    )
    lines = done.stderr.splitlines()
    assert lines
    assert all(line.startswith("tabletop read: ") for line in lines)
    assert len(lines) + len(done.stdout.splitlines()) == len(names)


def test_deep_pictures_are_not_clipped(tmp_path: Path) -> None:
    """32-bit grey above 16 bits is scaled, not cut; values that are no numbers are dark."""
    values = np.linspace(0, 1_000_000, 2400).reshape(40, 60).astype(np.float32)
    values[0, :3] = np.nan, np.inf, -np.inf
    file = tmp_path / "a.tif"
    Image.fromarray(values).save(file)
    opened = open_picture(file)
    assert opened[-1, -1, 0] >= 254
    assert 120 <= opened[20, 0, 0] <= 135
    assert opened[0, :3].max() == 0
