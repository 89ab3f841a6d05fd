"""Copy the repository's pages for MkDocs, with links that work on the site.

The English pages are the files of docs/ and the READMEs of the packages; the German ones are those of docs/de. A link
to a file that is not a page leads to the repository, whose address is in pyproject.
"""

import re
import shutil
import tomllib
from collections.abc import Mapping
from os.path import normpath, relpath
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LOOK = Path(__file__).with_name("theme") / "assets"
FONT = ROOT / "tabletop" / "web" / "static" / "font"
ICON = ROOT / "tabletop" / "web" / "static" / "icon.svg"
FOLDERS = ("calibration", "examples", "hardware", "systemd", "tabletop", "tests", "tools")  # their READMEs are pages
MOVED = {"games.md": "games/index.md"}  # above the pages of the games, in the navigation too
WITH_THEM = ("CHANGELOG.md", "CONTRIBUTING.md")
SHOWN = {".3mf", ".jpg", ".json", ".pdf", ".png", ".stl", ".step", ".svg", ".webp"}  # files that pages show or offer
# How high a page stands among what a search finds: what most people ask first, what only developers ask last.
ASKED_FIRST = {"playing.md", "evening.md", "parts.md", "building.md", "wiring.md", "messages.md", "accuracy.md"}
ASKED_LAST = ("tabletop/", "tests/", "tools/", "architecture.md", "referee.md")
FIRST, LAST = "---\nsearch:\n  boost: 2\n---\n\n", "---\nsearch:\n  boost: 0.3\n---\n\n"
ADDRESSES = ("Repository", "Source", "Homepage")  # of pyproject.toml, the first that is there
NO_ADDRESS = "https://example.org/tabletop"
BRANCH = "main"

TARGET = re.compile(r'(?P<before>\]\(|\b(?:src|href)=")(?P<path>[^)"#:\s]+)(?P<anchor>#[^)"\s]*)?(?=[)"])')
# GitHub needs no empty line above a list or a table, Python-Markdown does.
TIGHT = re.compile(r"^(?!\s*(?:[-*|>#]|\d+\.|```))(\S.*)\n(?=(?:[-*] |\d+\. |\|))", re.MULTILINE)
FENCE = re.compile(r"^(\s*```.*?^\s*```[^\n]*$)", re.MULTILINE | re.DOTALL)


def write(folder: Path, code: str) -> None:
    """Write the pages of a language into a folder, with its pictures, the font and the style sheet."""
    sources = places(code)
    for source, place in sources.items():
        text = for_site(source.read_text(encoding="utf-8"), source, sources, folder)
        (folder / place).parent.mkdir(parents=True, exist_ok=True)
        boost = FIRST if place in ASKED_FIRST else LAST if place.startswith(ASKED_LAST) else ""
        (folder / place).write_text(boost + text, encoding="utf-8")
    assets = folder / "assets"
    shutil.copytree(LOOK, assets)
    for file in (*FONT.glob("*.woff2"), ICON):
        shutil.copy(file, assets)


def places(code: str) -> Mapping[Path, str]:
    """Return the pages of a language: their files, and the place of each on the site."""
    docs = ROOT / "docs"
    pages = sorted((docs if code == "en" else docs / code).glob("*.md"))
    placed = {path: MOVED.get(path.name, path.name) for path in pages}
    if code != "en":
        return placed
    readmes = [path for name in FOLDERS for path in sorted((ROOT / name).rglob("README.md"))]
    more = [*readmes, *(ROOT / name for name in WITH_THEM)]
    return placed | {path: str(path.relative_to(ROOT)) for path in more}


def for_site(text: str, source: Path, sources: Mapping[Path, str], folder: Path) -> str:
    """Convert a page for the site, and copy its pictures into the folder."""

    def link(found: re.Match[str]) -> str:
        target = Path(normpath(source.parent / found["path"]))
        if not target.is_relative_to(ROOT) or not target.exists():
            return found[0]  # a page that is made, or a dead link, which MkDocs reports
        return found["before"] + _link(target, source, sources, folder) + (found["anchor"] or "")

    parts = FENCE.split(text)
    parts[::2] = [TIGHT.sub(r"\1\n\n", TARGET.sub(link, part)) for part in parts[::2]]
    return "".join(parts)


def _link(target: Path, source: Path, sources: Mapping[Path, str], folder: Path) -> str:
    here = Path(sources[source]).parent
    if target == ROOT / "README.md":
        return relpath("index.md", here)
    if target / "README.md" in sources:
        target /= "README.md"
    if target in sources:
        return relpath(sources[target], here)
    if target.suffix not in SHOWN:
        return f"{address()}/blob/{BRANCH}/{target.relative_to(ROOT)}"
    docs = ROOT / "docs"
    place = target.relative_to(docs if target.is_relative_to(docs) else ROOT)
    (folder / place).parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(target, folder / place)
    return relpath(place, here)


def address() -> str:
    """Return the address of the repository."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    named = project.get("urls", {})
    return next((str(named[name]).rstrip("/") for name in ADDRESSES if name in named), NO_ADDRESS)
