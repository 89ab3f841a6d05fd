"""Write the list of packages in NOTICE: `make notice`.

    notice.py NOTICE

The names come from the lock, licences and home pages from the installed packages.
"""

import re
import sys
from importlib.metadata import distribution
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LIST = re.compile(r"(?<=`make notice` writes this list:\n\n)(  .*\n)*\n?")
PAGES = ("homepage", "home", "source code", "source", "code")  # the first that a package names
MOST_LETTERS = 30  # longest name of a licence: longer values are its text
SPDX = {
    "3-Clause BSD License": "BSD-3-Clause",
    "Apache 2.0": "Apache-2.0",
    "BSD License": "BSD",
    "MIT License": "MIT",
    "MPLv2.0": "MPL-2.0",
}
LIBRARIES = {  # in wheels: what their own licence files name besides
    "numpy": "its wheels contain OpenBLAS (BSD-3-Clause), libgfortran (GPL-3.0-or-later WITH GCC-exception-3.1)",
    "opencv-python-headless": "its wheels contain FFmpeg (LGPL-2.1-or-later), used to read films",
}


def locked() -> list[str]:
    """Return the names of all runtime packages on any machine, in alphabetical order."""
    return sorted(re.findall(r"^([a-z0-9-]+)==", (ROOT / "requirements.lock").read_text(), re.MULTILINE))


def licence(name: str) -> str:
    """Return the licence stated by a package: as an expression, as short text, or as a classifier."""
    said = distribution(name).metadata
    if said["License-Expression"]:
        return str(said["License-Expression"])
    kinds = (each.rpartition(" :: ")[2] for each in said.get_all("Classifier") or [] if each.startswith("License ::"))
    (stated, *_) = (each for each in (said["License"], *kinds) if each and len(each) <= MOST_LETTERS)
    return str(SPDX.get(stated, stated))


def home(name: str) -> str:
    """Return the home page stated by a package, else its source repository."""
    said = distribution(name).metadata
    if (said["Home-page"] or "").startswith("http"):
        return str(said["Home-page"])
    named = (each.partition(", ") for each in said.get_all("Project-URL") or [])
    pages = {label.lower(): url for label, _, url in named}
    (page, *_) = (pages[label] for label in PAGES if label in pages)
    return str(page)


def line(name: str) -> str:
    """Return the line for an installed package."""
    besides = f"\n{'':26}{LIBRARIES[name]}" if name in LIBRARIES else ""
    return f"  {name:23} {licence(name)}  {home(name)}{besides}\n"


if __name__ == "__main__":
    file = Path(sys.argv[1])
    written = "".join([line(name) for name in locked()]) + "\n"
    file.write_text(LIST.sub(lambda _: written, file.read_text(), count=1))
