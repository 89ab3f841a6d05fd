"""The list of what is installed with the service, against what the packages themselves say they need."""

import re
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tools.release import NAME

ROOT = Path(__file__).resolve().parents[2]
EXTRAS = ("pi", "web", "mqtt", "mat")  # all of them are locked
MOST = 32  # packages that a player downloads
ONLY_FOR_BUILDING = {"setuptools"}  # it builds the program itself


def needed(name: str) -> set[str]:
    """Return the names of everything that this package needs to run here, and what those need."""
    found, asked = set[str](), [(name, extra) for extra in ("", *EXTRAS)]
    while asked:
        package, extra = asked.pop()
        try:
            lines = distribution(package).requires or []
        except PackageNotFoundError:  # for another system
            continue
        for requirement in map(Requirement, lines):
            if requirement.marker is not None and not requirement.marker.evaluate({"extra": extra}):
                continue
            plain = canonicalize_name(requirement.name)
            if plain not in found:
                found.add(plain)
                asked += [(plain, also) for also in ("", *requirement.extras)]
    return found


def test_the_list_is_whole() -> None:
    """Whatever the program needs is in it, and nothing that only its makers need."""
    pinned = re.findall(r"^(\S+)==", (ROOT / "requirements.lock").read_text(), re.MULTILINE)
    assert set(pinned) == needed(NAME) | ONLY_FOR_BUILDING
    assert len(pinned) <= MOST
