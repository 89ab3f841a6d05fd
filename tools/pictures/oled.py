"""Draw every kind of picture on the small screen, for every game: magnified for people, or as golden pictures.

PYTHONPATH=tests/support python -m tools.pictures.oled build/screens    # a sheet of all kinds, and one of each game
PYTHONPATH=tests/support python -m tools.pictures.oled --golden         # tests/golden: look before you commit it
"""

import os
import sys
from collections.abc import Iterable, Sequence
from itertools import product
from pathlib import Path

import numpy as np
import oled_examples
import oled_games
import terminal_games
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from tabletop.rules import game_ids
from tabletop.views.i18n.catalogue import load_language

ZOOM, EDGE_PX, NAME_PX, BACKGROUND = 4, 4, 14, 90
WIDTH_PX, HEIGHTS_PX = oled_games.WIDTH_PX, oled_games.HEIGHTS_PX
Row = tuple[str, Sequence[NDArray[np.bool_]]]  # a name, and pages of one size


def sheet(rows: Iterable[Row]) -> Image.Image:
    """Draw the rows one below the other, magnified, each with its name above it."""
    rows = list(rows)
    height = rows[0][1][0].shape[0]
    wide, high = WIDTH_PX * ZOOM + EDGE_PX, height * ZOOM + NAME_PX
    whole = Image.new("L", (max(len(drawn) for _, drawn in rows) * wide, len(rows) * high), BACKGROUND)
    for row, (name, drawn) in enumerate(rows):
        ImageDraw.Draw(whole).text((2, row * high), name, fill=255)
        for column, pixels in enumerate(drawn):
            tile = Image.fromarray(pixels).resize((WIDTH_PX * ZOOM, height * ZOOM)).convert("L")
            whole.paste(tile, (column * wide, row * high + NAME_PX))
    return whole


def write_sheets(folder: Path) -> None:
    """Write a sheet of all kinds, and one of each game in each language, for both heights."""
    folder.mkdir(parents=True, exist_ok=True)
    for height in HEIGHTS_PX:
        sheet((name, oled_examples.pages_of(name, height)) for name in oled_examples.SCREENS).save(
            folder / f"kinds-{height}.png"
        )
        for game_id, code in product(game_ids(), ("en", "de")):
            rows = oled_games.rows(game_id, height, load_language(code))
            sheet(rows).save(folder / f"{game_id}-{height}-{code}.png")


def write_golden() -> None:
    """Write the golden pictures for the tests, and the texts of the terminal."""
    for name, picture in oled_examples.pictures():
        picture.save(oled_examples.GOLDEN / f"{name}.png", optimize=True)
    for game_id in game_ids():
        for height in HEIGHTS_PX:
            oled_games.picture(game_id, height).save(oled_games.GOLDEN / f"{game_id}-{height}.png", optimize=True)
        (terminal_games.GOLDEN / f"{game_id}.txt").write_text(terminal_games.golden(game_id), encoding="utf-8")


if __name__ == "__main__":
    os.environ["XDG_DATA_DIRS"] = os.devnull  # the same pictures whatever fonts the system has
    if sys.argv[1] == "--golden":
        write_golden()
    else:
        write_sheets(Path(sys.argv[1]))
