"""Each package has a README, and every file that it names is there."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = [
    *sorted(path.parent for path in (ROOT / "tabletop").glob("*/__init__.py")),
    *(ROOT / name for name in ("hardware", "calibration", "tools", "systemd")),
]  # folders inside them may have a README of their own


@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.name)
def test_a_package_has_a_readme(package: Path) -> None:
    """Nothing in it that is not there: files of its tables, and files that it links to."""
    text = (package / "README.md").read_text(encoding="utf-8")
    for name in re.findall(r"`([\w/.-]+(?:\.py|\.toml|\.md|/))`", text):
        here = "/" not in name and any(package.rglob(name))
        assert here or any((place / name).exists() for place in (package, ROOT, ROOT / "tabletop")), name
    for link in re.findall(r"\]\((?!http)([^)#]+)\)", text):
        assert (package / link).exists(), link


@pytest.mark.parametrize("package", PACKAGES[:-1], ids=lambda package: package.name)
def test_a_readme_names_every_file(package: Path) -> None:
    """Each module is named, in the nearest README above it; games are too many, and found by their names."""
    modules = [path for path in package.rglob("*.py") if not path.stem.startswith("__")]
    if package.name != "games":
        assert [str(path) for path in modules if f"{path.name}`" not in _nearest_readme(path)] == []


def _nearest_readme(path: Path) -> str:
    folder = next(folder for folder in path.parents if (folder / "README.md").exists())
    return (folder / "README.md").read_text(encoding="utf-8")


def test_every_package_says_what_it_is() -> None:
    """Its docstring is a sentence."""
    for package in ("tabletop", "hardware", "calibration", "tools"):
        for path in (ROOT / package).rglob("__init__.py"):
            docstring = path.read_text(encoding="utf-8").partition('"""')[2].partition('"""')[0]
            assert re.match(r"[\w`].{10,}\.", docstring), path
