"""The API reference: a page that lists the documented names for mkdocstrings, in the order of `tabletop`."""

from inspect import isclass, isroutine
from pathlib import Path

import tabletop

HEAD = """\
# API reference

Every name that `from tabletop import ...` offers, from the docstrings of the sources. [API](api.md) has an example for
each of them, and [What a game can use](game-modules.md) is the reference for games.
"""


def write(folder: Path) -> None:
    """Write the page."""
    named = {name: getattr(tabletop, name) for name in tabletop.__all__}
    homes = [
        f"::: {value.__module__}.{value.__qualname__}\n    options:\n      heading: {name}\n      toc_label: {name}\n"
        for name, value in named.items()
        if isclass(value) or isroutine(value)
    ]
    (folder / "reference.md").write_text("\n".join([HEAD, *homes]), encoding="utf-8")
