"""The service is stopped while it starts: it ends in order at whatever moment that comes."""

from pathlib import Path

import pytest
from notify_listener import PATIENCE_S
from service_program import listening, service

CONFIGURED = 'camera = "usb:63"\nbuttons = "none"\nscreen = "none"\nlisten = "local"\ngame = "pig"\n'
IMPORTED = (
    "import time:"  # how Python's own option -X importtime begins a line, written when a module has been imported
)
# In the order in which a start imports them: from the first line of the program until the table turns.
MOMENTS = (
    *("argparse", "tabletop.cli.main", "numpy", "cv2", "tabletop.service.service_manager"),
    *("tabletop.cli.wiring.devices", "tabletop.cli.wiring.attended", "uvicorn", "tabletop.web.page"),
)


@pytest.mark.parametrize("module", MOMENTS)
def test_a_stop_at_any_moment_of_the_start_is_a_clean_end(tmp_path: Path, module: str) -> None:
    """Status 0, and not a word beside the page's address, if that had been said."""
    with listening(tmp_path), service(tmp_path, CONFIGURED, "-X", "importtime") as program:
        assert program.stderr is not None
        lines = iter(program.stderr.readline, "")
        assert any(line.split("|")[-1].strip() == module for line in lines)
        program.terminate()
        said = [line for line in lines if not line.startswith(IMPORTED) and "http://127.0.0.1" not in line]
        assert (program.wait(PATIENCE_S), said) == (0, [])


def test_a_stop_while_a_mistake_is_shown_tells_it_and_is_clean(tmp_path: Path) -> None:
    """The journal has the line of the configuration; the end is no failure."""
    with listening(tmp_path) as manager, service(tmp_path, 'camera = "none"\nscreen = "ssd1305"\n') as program:
        assert manager.hears(lambda line: line.startswith("STATUS="))
        program.terminate()
        assert program.wait(PATIENCE_S) == 0
        assert program.stderr is not None
        assert "line 2: expected screen to be" in program.stderr.read()
