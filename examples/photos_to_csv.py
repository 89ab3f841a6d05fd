"""The reader: read a folder of photographs and write one row of CSV for each.

    python examples/photos_to_csv.py photos > dice.csv

The columns are the file, the faces that were read surely, and how many dice were unsure.
"""

import csv
import sys
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from tabletop import read

SUFFIXES = {".jpg", ".jpeg", ".png"}
COLUMNS = ("file", "faces", "unsure")


def rows(folder: Path) -> Iterator[tuple[str, str, int]]:
    """Yield a row for each photograph, sorted by name. Files that are not pictures are reported and skipped."""
    for path in sorted(folder.iterdir()):
        if path.suffix.lower() not in SUFFIXES:
            continue
        picture = cv2.imread(str(path))
        if picture is None:
            print(f"expected a picture, got {path}; it is skipped", file=sys.stderr)
            continue
        reading = read(picture.astype(np.uint8))
        faces = sorted(die.face for die in reading.dice)
        yield path.name, " ".join(map(str, faces)), len(reading.unsure)


def main() -> None:
    """Write the CSV to standard output."""
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(rows(Path(sys.argv[1])))


if __name__ == "__main__":
    main()
