"""The file of own dice: what is written comes back, and what is wrong with a file is said in a line."""

import json
import zipfile
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from tabletop.config.own_dice import INDEX, MOST, MOST_A_FACE, bounded, load_own_dice, save_own_dice
from tabletop.core.errors import InputError
from tabletop.vision.own_dice import SIDE_PX, Sample


def sample(face: int, look: str = "blue", seed: int = 0) -> Sample:
    pixels = np.random.default_rng(seed).integers(0, 256, (SIDE_PX, SIDE_PX, 3), np.uint8)
    return Sample(pixels, face, look)


def test_what_is_written_comes_back(tmp_path: Path) -> None:
    """Pixels to the byte, faces and looks; a table that was taught nothing has no file."""
    assert load_own_dice(tmp_path / "own.dice") == ()
    written = [sample(2), sample(6, "türkis", 1)]
    save_own_dice(written, tmp_path / "new" / "own.dice")
    read = load_own_dice(tmp_path / "new" / "own.dice")
    for one, other in zip(written, read, strict=True):
        assert (one.face, one.look) == (other.face, other.look)
        assert np.array_equal(one.pixels, other.pixels)
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["own.dice"]


def test_the_old_file_stays_where_the_new_one_cannot_be_written(tmp_path: Path) -> None:
    """A folder in the way of the new file: a line says so, and what was known is still there."""
    path = tmp_path / "own.dice"
    save_own_dice([sample(3)], path)
    (tmp_path / "own.dice.new").mkdir()
    with pytest.raises(InputError, match="expected a place to write own dice to"):
        save_own_dice([sample(4)], path)
    assert [each.face for each in load_own_dice(path)] == [3]


DIE: dict[str, Any] = {"face": 2, "look": "blue", "taught": True}


@pytest.mark.parametrize(
    ("index", "said"),
    [
        ({"version": 9, "dice": []}, "version 1, got 9"),
        ({"dice": []}, "version 1, got None"),
        ([], "version 1, got None"),
        ({"version": 1, "dice": {}}, "a list"),
        ({"version": 1, "dice": [{**DIE, "face": 7}]}, "die 0"),
        ({"version": 1, "dice": [{**DIE, "face": True}]}, "die 0"),
        ({"version": 1, "dice": [{**DIE, "look": "a\nb"}]}, "die 0"),
        ({"version": 1, "dice": ["blue"]}, "die 0"),
        ({"version": 1, "dice": [DIE]}, "0.png to be a PNG"),
    ],
)
def test_a_wrong_index_is_told(tmp_path: Path, index: object, said: str) -> None:
    """What is expected and where: the version, the list, each die, its picture."""
    path = tmp_path / "own.dice"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(INDEX, json.dumps(index))
    with pytest.raises(InputError, match=said) as caught:
        load_own_dice(path)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("content", [b"", b"nothing of the kind", b"PK\x05\x06" + b"\0" * 18])
def test_another_file_is_told(tmp_path: Path, content: bytes) -> None:
    """A file that is no archive, and an archive without an index."""
    path = tmp_path / "own.dice"
    path.write_bytes(content)
    with pytest.raises(InputError, match="expected"):
        load_own_dice(path)


def test_the_number_of_dice_is_bounded() -> None:
    """Of each look and face the newest stay, never more than fit in a file; order is kept."""
    chance, pixels = Random(1), np.zeros((SIDE_PX, SIDE_PX, 3), np.uint8)
    many = [Sample(pixels, chance.randint(1, 6), f"look {chance.randint(1, 9)}") for _ in range(3000)]
    kept = bounded(many)
    counts = Counter((each.look, each.face) for each in kept)
    assert len(kept) == MOST
    assert max(counts.values()) <= MOST_A_FACE
    assert kept[-1] is many[-1]
    places = [next(place for place, one in enumerate(many) if one is each) for each in kept]
    assert places == sorted(places)
    few = many[:40]
    assert bounded(few) == tuple(few)
