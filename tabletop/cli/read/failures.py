"""The contact sheet of `tabletop read --sheet`: crops of all dice that failed, over all photographs of one run."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from tabletop.cli.read.output import save
from tabletop.views.photo import Collection, Exhibit, contact_sheet, crop
from tabletop.vision.labels import Labelled, failures

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from tabletop.core.values import Reading

# The groups in the order of the sheet, the worst first
HEADINGS = {
    "silent": "Wrong in silence (as many dice as there are, none unsure, other faces)",
    "wrong": "Wrong face",
    "false": "Read where no die has a label",
    "missed": "Missed",
    "unsure": "Unsure",
}


@dataclass(slots=True)
class Sheet:
    """What failed so far. labels: by resolved path; photographs without labels show what is unsure only."""

    labels: dict[Path, Labelled]
    collection: Collection = field(default_factory=lambda: Collection(tuple(HEADINGS)))
    photographs: int = 0
    failed: int = 0

    def add(self, name: str, frame: "NDArray[np.uint8]", reading: "Reading") -> None:
        """Take in one photograph; reading: in pixels of the frame, of which only crops are kept."""
        found = failures(reading, self.labels.get(Path(name).resolve()))
        self.photographs += 1
        self.failed += bool(found)
        for failure in found:
            picture = crop(frame, failure.x, failure.y, failure.size)
            self.collection.add(failure.kind, Exhibit(picture, failure.truth, failure.read_as, Path(name).name))

    def write(self, path: Path) -> None:
        """Write the sheet."""
        photographs = "1 photograph" if self.photographs == 1 else f"{self.photographs} photographs"
        judged = "wrong or unsure" if self.labels else "unsure"
        title = f"{photographs}, {self.failed} of them with something {judged}"
        save(contact_sheet(self.collection, HEADINGS, title), path)
