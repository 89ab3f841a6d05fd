"""A MkDocs hook: expand patterns in the navigation, and find the pages that exist in both languages."""

from pathlib import Path
from typing import Any


def on_config(config: Any) -> None:  # noqa: ANN401 - MkDocs is no dependency of ours, and has no type here
    """Replace each pattern, such as games/*.md, by the pages that no other line of the navigation names."""
    folder = Path(config["docs_dir"])
    named = {line for line in _lines(config["nav"]) if "*" not in line}
    config["nav"] = _filled(config["nav"], folder, named)
    both = {str(path.relative_to(folder)) for path in folder.rglob("*.md")}
    for other in folder.parent.iterdir():
        both &= {str(path.relative_to(other)) for path in other.rglob("*.md")}
    config["extra"]["both"] = both


def _title(path: Path) -> str:
    """Return the first heading of a page, as it is sorted."""
    return next(line for line in path.read_text(encoding="utf-8").splitlines() if line.startswith("# ")).casefold()


def _lines(nav: Any) -> list[str]:  # noqa: ANN401 - nested lists and dictionaries of YAML
    if isinstance(nav, str):
        return [nav]
    parts = nav.values() if isinstance(nav, dict) else nav
    return [line for part in parts for line in _lines(part)]


def _filled(nav: Any, folder: Path, named: set[str]) -> Any:  # noqa: ANN401 - the same
    if isinstance(nav, dict):
        return {title: _filled(part, folder, named) for title, part in nav.items()}
    if not isinstance(nav, list):
        return nav
    filled: list[Any] = []
    for part in nav:
        if isinstance(part, str) and "*" in part:
            found = (str(path.relative_to(folder)) for path in sorted(folder.glob(part), key=_title))
            filled += [place for place in found if place not in named]
        else:
            filled.append(_filled(part, folder, named))
    return filled
