"""No module needs itself to be imported: the imports between modules have no circle, not even for type checkers."""

import ast
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("tabletop", "hardware", "calibration", "tools")


def module_name(path: Path, root: Path) -> str:
    """Return the name under which a file is imported."""
    parts = path.relative_to(root).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports(root: Path) -> dict[str, set[str]]:
    """Return for each module those of the project that it imports, at its top or anywhere in it."""
    files = {module_name(path, root): path for package in PACKAGES for path in (root / package).rglob("*.py")}
    found = dict[str, set[str]]()
    for name, path in files.items():
        wanted = set[str]()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                wanted |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                inside = {f"{node.module}.{alias.name}" for alias in node.names}
                wanted |= inside & files.keys() or {node.module}
        found[name] = wanted & files.keys() - {name}
    return found


def circle(found: dict[str, set[str]]) -> list[str]:
    """Return the modules of a circle of these imports, empty if there is none."""
    try:
        TopologicalSorter(found).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def test_no_imports_go_in_a_circle() -> None:
    """Each module can be read after those that it imports."""
    found = imports(ROOT)
    assert len(found) > len(PACKAGES)
    assert circle(found) == []


@pytest.mark.parametrize("hidden", ["import tabletop.a", "def later():\n    from tabletop import a"])
def test_a_circle_is_found(tmp_path: Path, hidden: str) -> None:
    """At the top of a module or hidden in a function."""
    (tmp_path / "tabletop").mkdir()
    (tmp_path / "tabletop/a.py").write_text("from tabletop import b\n", encoding="utf-8")
    (tmp_path / "tabletop/b.py").write_text(f"{hidden}\n", encoding="utf-8")
    assert set(circle(imports(tmp_path))) == {"tabletop.a", "tabletop.b"}
