"""What other programs may import: the names, their types, and that each is loaded only when it is used."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import tabletop
from tabletop import Camera, Die, Frame, Match, Reading, Snapshot, Unsure, View, load_game, read

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / "api.md").read_text(encoding="utf-8"), re.DOTALL)
NAMES = (Camera, Die, Frame, Match, Reading, Snapshot, Unsure, View, load_game, read)


def test_the_names_are_those_that_are_promised() -> None:
    """All of them and the version; any other is no attribute."""
    public = {name: getattr(tabletop, name) for name in tabletop.__all__}
    assert set(public.values()) == {*NAMES, tabletop.__version__}
    with pytest.raises(AttributeError, match="nothing"):
        getattr(tabletop, "nothing")  # noqa: B009 - mypy knows that it is not there


@pytest.mark.parametrize("name", sorted(set(tabletop.__all__) - {"__version__"}))
def test_each_name_has_an_example(name: str) -> None:
    """It is imported in one."""
    assert any(re.search(rf"^from tabletop import .*\b{name}\b", example, re.MULTILINE) for example in EXAMPLES)


@pytest.mark.parametrize("number", range(len(EXAMPLES)))
def test_the_examples_hold(number: int) -> None:
    """Each in its own process."""
    subprocess.run([sys.executable, "-c", EXAMPLES[number]], check=True)


def test_nothing_heavy_is_loaded_before_it_is_used() -> None:
    """The package itself and the referee need neither NumPy nor OpenCV."""
    program = "import sys; from tabletop import Match, load_game; sys.exit(bool({'numpy', 'cv2'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
