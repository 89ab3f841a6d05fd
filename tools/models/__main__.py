"""Write the printable parts: `python -m tools.models [FOLDER]`, and with `--pictures FOLDER` pictures of them.

Each part is written to an STL file, each set of parts printed together to a 3MF file.
"""

import argparse
import sys
from pathlib import Path

import cv2

from tools.models.files import stl, three_mf
from tools.models.parts import SETS, laid_out, parts
from tools.models.scenes import case_picture, stand_picture

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "models"


def models() -> dict[str, bytes]:
    """Return file name -> content for each file."""
    single = {f"{name}.stl": stl(solid) for name, solid in parts().items()}
    return single | {f"{name}.3mf": three_mf(laid_out(names)) for name, names in SETS.items()}


def main(words: list[str]) -> int:
    """Write every file into the given folder, or into the docs."""
    parser = argparse.ArgumentParser(prog="python -m tools.models")
    parser.add_argument("folder", type=Path, nargs="?", default=FOLDER)
    parser.add_argument("--pictures", type=Path, help="draw shaded pictures into this folder instead; takes a minute")
    options = parser.parse_args(words)
    folder: Path = options.pictures or options.folder
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if options.pictures:
            for name, draw in (("case.png", case_picture), ("stand.png", stand_picture)):
                cv2.imwrite(str(folder / name), draw(), [cv2.IMWRITE_PNG_COMPRESSION, 9])
        else:
            for name, content in models().items():
                (folder / name).write_bytes(content)
    except OSError as error:
        sys.stderr.write(f"expected a folder to write models into, got {folder}: {error.strerror}\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
