"""Write the drawings: `python -m tools.drawings [FOLDER]`, by default into docs/drawings."""

import sys
from pathlib import Path

from tools.drawings.battens import Battens
from tools.drawings.battens_view import battens_drawing
from tools.drawings.case import Case
from tools.drawings.case_views import case_drawing
from tools.drawings.height_chart import height_chart
from tools.drawings.stand import Stand
from tools.drawings.stand_sheet import sheet_drawing
from tools.drawings.stand_views import stand_drawing
from tools.drawings.wiring import wiring_drawing
from tools.drawings.wiring_card import card_drawing

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "drawings"


def drawings() -> dict[str, str]:
    """Return file name -> text for each drawing."""
    stand = Stand()
    return {
        "camera-height.svg": height_chart().as_text(),
        "wiring.svg": wiring_drawing().as_text(),
        "stand.svg": stand_drawing(stand).as_text(),
        "stand-parts.svg": sheet_drawing(stand).as_text(),
        "stand-battens.svg": battens_drawing(Battens()).as_text(),
        "case.svg": case_drawing(Case()).as_text(),
        "wiring-card.svg": card_drawing().as_text(),
    }


def main(words: list[str]) -> int:
    """Write every drawing into the given folder, or into the docs."""
    folder = Path(words[0]) if words else FOLDER
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in drawings().items():
            (folder / name).write_text(text, encoding="utf-8")
    except OSError as error:
        sys.stderr.write(f"expected a folder to write drawings into, got {folder}: {error.strerror}\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
