"""The directions of imports hold, without a circle: a violation of each, planted in a copy of the tree, is seen."""

import ast
import re
import shutil
import subprocess
import sys
import tomllib
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("tabletop", "hardware", "calibration", "tools")

LAYERS = "Each layer imports only what stands below it"
APART = "Hardware and calibration do not know each other"
OUTSIDE = "The table does not know hardware, calibration and tools"
GAMES = "Games do not import one another"
PURE = "What decides imports no clock, chance, file, thread or array"
TORCH = "Only training knows PyTorch"
CORE = "core: errors below values, values below ports"
RULES = "rules: the referee knows no family of games"
VISION = "vision: the detector, then the classifier, then what decides"
PERCEPTION = "perception: the pipeline alone"
SIMULATOR = "simulator: players and hands"
WEB = "web: the page knows its site"
SERVER = "Only the page's server knows starlette and uvicorn"
DEVICES = "Only hardware knows the Pi's devices"

DECIDES = ("rules", "games", "core.values", "interpret", "perception.settler", "perception.tracks", "input.presses")

SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
CONTRACTS = [contract["name"] for contract in SETTINGS["tool"]["importlinter"]["contracts"]]

# (contract, where it is planted, what is imported there): one violation for each contract, and of the layers one a gap.
PLANTS = [
    (LAYERS, "tabletop.replay", "tabletop.cli"),
    (LAYERS, "tabletop.simulator", "tabletop.session"),
    (LAYERS, "tabletop.dialogs", "tabletop.session"),
    (LAYERS, "tabletop.views", "tabletop.store"),
    (LAYERS, "tabletop.interpret", "tabletop.config"),
    (LAYERS, "tabletop.rules", "tabletop.games"),
    (LAYERS, "tabletop.vision", "tabletop.rules"),
    (LAYERS, "tabletop.input.presses", "tabletop.vision"),
    (LAYERS, "tabletop.core.ports", "tabletop.rules"),
    (LAYERS, "tabletop.session", "tabletop.web"),
    (CORE, "tabletop.core.values", "tabletop.core.ports"),
    (RULES, "tabletop.rules.match", "tabletop.rules.families.race"),
    (VISION, "tabletop.vision.detector", "tabletop.vision.acceptance"),
    (PERCEPTION, "tabletop.perception.settler", "tabletop.perception.hands"),
    (SIMULATOR, "tabletop.simulator.render", "tabletop.simulator.tray"),
    (WEB, "tabletop.web.payload", "tabletop.web.commands"),
    (SERVER, "tabletop.web.guards", "starlette"),
    (APART, "hardware", "calibration"),
    (OUTSIDE, "tabletop.cli", "hardware"),
    (OUTSIDE, "tabletop.doctor", "tools"),
    (GAMES, "tabletop.games.pig", "tabletop.games.yahtzee"),
    *((PURE, f"tabletop.{name}", "time") for name in DECIDES),
    (PURE, "tabletop.rules", "random"),
    (PURE, "tabletop.interpret", "cv2"),
    (TORCH, "tabletop.vision", "torch"),
    (DEVICES, "tabletop.cli", "gpiozero"),
]


def copy_of_the_tree(folder: Path) -> Path:
    for name in PACKAGES:
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__", "*.onnx"))
    shutil.copy(ROOT / "pyproject.toml", folder)
    return folder


def lint_imports(folder: Path) -> tuple[int, str]:
    program = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run([program, "--no-cache"], cwd=folder, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


@pytest.fixture(scope="module")
def broken(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Plant every violation in one copy; return contract -> its part of the report."""
    folder = copy_of_the_tree(tmp_path_factory.mktemp("planted"))
    for _, place, imported in PLANTS:
        path = folder.joinpath(*place.split("."))
        module = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
        module.write_text(module.read_text() + f"\nimport {imported}\n")
    (folder / "tabletop" / "afterthought.py").write_text("")
    status, report = lint_imports(folder)
    assert status == 1, report
    contracts = "|".join(re.escape(name) for name in CONTRACTS)
    parts = re.split(rf"^({contracts}).*\n-+$", report.partition("Broken contracts")[2], flags=re.MULTILINE)
    named = dict(zip(parts[1::2], parts[2::2], strict=True))
    return {
        short: part
        for short in {plant[0] for plant in PLANTS}
        for name, part in named.items()
        if name.startswith(short)
    }


@pytest.mark.parametrize(("contract", "place", "imported"), PLANTS)
def test_a_violation_is_seen(broken: dict[str, str], contract: str, place: str, imported: str) -> None:
    """The import that was planted is named under the contract that forbids it."""
    assert f" {place} -> {imported} (l." in broken.get(contract, "")


def test_a_module_without_a_layer_is_seen(broken: dict[str, str]) -> None:
    """A new part of tabletop must be given its layer before the tests pass."""
    assert "afterthought" in broken[LAYERS]


def test_what_decides_opens_and_prints_nothing() -> None:
    """The built-ins that need no import are not called there either."""
    for name in DECIDES:
        path = ROOT.joinpath("tabletop", *name.split("."))
        files = sorted(path.rglob("*.py")) if path.is_dir() else [path.with_suffix(".py")]
        assert files
        for file in files:
            for node in ast.walk(ast.parse(file.read_text())):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                    assert node.func.id not in ("open", "print", "input", "exec", "eval"), f"{file}:{node.lineno}"


def test_a_forgotten_await_is_a_type_error(tmp_path: Path) -> None:
    """Each `await` of Pig, left out alone, is reported by mypy under the settings of this project."""
    text = (ROOT / "tabletop" / "games" / "pig.py").read_text()
    places = [found.start() for found in re.finditer(r"\bawait ", text)]
    assert places
    (tmp_path / "whole.py").write_text(text)
    for number, place in enumerate(places):
        (tmp_path / f"without_{number}.py").write_text(text[:place] + text[place + len("await ") :])
    settings = [f"--config-file={ROOT / 'pyproject.toml'}", f"--cache-dir={ROOT / '.mypy_cache'}"]
    mypy = [sys.executable, "-m", "mypy", *settings, *map(str, sorted(tmp_path.glob("*.py")))]
    done = subprocess.run(mypy, cwd=ROOT, capture_output=True, text=True, check=False)
    wrong = {Path(line.split(":")[0]).name for line in done.stdout.splitlines() if ": error:" in line}
    assert wrong == {f"without_{number}.py" for number in range(len(places))}, done.stdout + done.stderr


def imports(root: Path) -> dict[str, set[str]]:
    paths = [path for package in PACKAGES for path in (root / package).rglob("*.py")]
    files = {".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__"): path for path in paths}
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


def test_no_imports_go_in_a_circle() -> None:
    """Each module can be read after those that it imports; CycleError names the circle."""
    found = imports(ROOT)
    assert len(found) > len(PACKAGES)
    TopologicalSorter(found).prepare()
