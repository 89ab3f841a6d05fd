"""What a Raspberry Pi installs and loads: the table, and nothing that only training, tests or benchmarks need."""

import subprocess
import sys
import tomllib
from pathlib import Path

from setuptools import find_packages  # type: ignore[import-untyped]  # it has no types

ROOT = Path(__file__).resolve().parents[2]
MADE_ELSEWHERE = {"tests", "tools", "torch", "onnx", "pytest", "hypothesis"}
SERVER = {"starlette", "uvicorn", "anyio", "h11"}

PROGRAM = """
import sys
from tabletop.cli.main import main
words = "play pig --players Ann,Ben --set target=5 --camera sim --buttons none --screen none --seed 1 --store"
status = main([*words.split(), sys.argv[1]])
print(status, *sorted({name for name in sys.modules}), file=sys.stderr)
"""


def test_training_and_tests_are_not_installed() -> None:
    """The packages that pyproject.toml names are the table, the Pi's parts and calibration only."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    packages = find_packages(str(ROOT), include=project["tool"]["setuptools"]["packages"]["find"]["include"])
    assert {name.partition(".")[0] for name in packages} == {"tabletop", "hardware", "calibration"}
    needed = " ".join(project["project"]["dependencies"])
    assert [name for name in MADE_ELSEWHERE if name in needed] == []


def test_a_match_loads_nothing_of_training_and_benchmarks(tmp_path: Path) -> None:
    """A whole simulated match, with the reader: nothing of `tools`, no server that nobody asks for."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(tmp_path / "a.db")],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    status, *modules = done.stderr.splitlines()[-1].split()
    assert status == "0"
    assert "tabletop.vision.reader" in modules
    assert {name.partition(".")[0] for name in modules} & (MADE_ELSEWHERE | SERVER) == set()
