"""A view: keeps the score in a text file, for streaming software such as OBS that shows a text file on screen.

Install the examples (`pip install ./examples`), then name the file after the colon:
    tabletop play pig --view score-file:scores.txt
"""

from pathlib import Path

from tabletop import Frame, Snapshot, View
from tabletop.core.errors import DeviceError


class ScoreFile:
    """Write a line for each player: a mark for whose turn it is, the name, the score."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._written = ""

    def show(self, snapshot: Snapshot, frame: Frame | None, now_s: float) -> None:  # noqa: ARG002 - a view needs neither
        """Write the scores if they have changed. The table calls this some 20 times a second."""
        text = score_text(snapshot)
        if text == self._written:
            return
        try:
            self._path.write_text(text, encoding="utf-8")
        except OSError:
            return  # a full disk must not stop the match: the next call tries again
        self._written = text

    def close(self) -> None:
        """Leave the final score in the file."""


def score_text(snapshot: Snapshot) -> str:
    """Return the text of the file: one line for each player in seat order, then the winner."""
    lines = [
        f"{'>' if name == snapshot.asked else ' '} {name} {score}"
        for name, score in zip(snapshot.players, snapshot.scores, strict=True)
    ]
    return "".join(f"{line}\n" for line in (*lines, snapshot.over) if line)


def open_score_file(options: str) -> View:
    """Open `--view score-file:FILE`; options is the text after the colon."""
    if not options:
        raise DeviceError("expected --view score-file:FILE, got no file")
    return ScoreFile(Path(options))
