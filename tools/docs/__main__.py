"""Write the sources of the site: one folder of Markdown for each language. `make docs` runs this, then MkDocs.

PYTHONPATH=tests/support python -m tools.docs build/docs/source
"""

import os
import sys
from pathlib import Path

from tools.docs import games, pages, pictures, promised, reference

LANGUAGES = ("en", "de")


def main(folder: Path) -> None:
    """Write all pages below a folder, which must not exist yet."""
    for code in LANGUAGES:
        pages.write(folder / code, code)
        games.write(folder / code, code)
    reference.write(folder / "en")
    promised.write(folder / "en")
    pictures.write(folder, LANGUAGES)


if __name__ == "__main__":
    os.environ["XDG_DATA_DIRS"] = os.devnull  # the same pictures whatever fonts the system has
    main(Path(sys.argv[1]))
