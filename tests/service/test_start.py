"""What starts the program: itself, or the word that it has to be installed again, everywhere where people look."""

import importlib.util
import os
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from display_chip import Sh1106, Ssd1306
from notify_listener import NotifyListener

from hardware.panel import packed
from tabletop.views.oled.screen import draw
from tabletop.views.snapshot import Snapshot

SYSTEMD = Path(__file__).resolve().parents[2] / "systemd"
PYTHON = '#!/bin/sh\n[ -e {there} ] || exit 1\n[ $2 = -c ] || echo "$@"\n'


@pytest.mark.parametrize("installed", [True, False])
@pytest.mark.parametrize("managed", [True, False])
def test_a_program_that_cannot_be_imported_says_what_to_do(tmp_path: Path, installed: bool, managed: bool) -> None:
    """In one line, with a status after which the unit is not started again; the status line for a service manager."""
    for folder in ("bin", "unit"):
        (tmp_path / folder).mkdir()
    for name in ("start", "other_python.py"):
        shutil.copy(SYSTEMD / name, tmp_path / "unit")
    python = tmp_path / "bin/python"
    python.write_text(PYTHON.format(there=tmp_path / "there"))
    python.chmod(0o755)
    if installed:
        (tmp_path / "there").touch()
    manager = NotifyListener(str(tmp_path / "notify"))
    environ = {**os.environ, **({"NOTIFY_SOCKET": str(tmp_path / "notify")} if managed else {})}
    done = subprocess.run(
        ["sh", tmp_path / "unit/start", "play", "pig"], env=environ, capture_output=True, text=True, check=False
    )
    heard = manager.heard()
    manager.socket.close()
    if installed:
        assert (done.returncode, done.stdout, heard) == (0, "-P -m tabletop play pig\n", [])
        return
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (78, "", 1)
    assert "sudo /opt/tabletop/current/source/systemd/install" in done.stderr
    assert heard == ([[f"STATUS={done.stderr.strip()}"]] if managed else [])


@pytest.mark.parametrize("chip", [Ssd1306(), Sh1106()], ids=["ssd1306", "sh1106"])
def test_its_picture_is_readable_on_both_chips(chip: Ssd1306 | Sh1106) -> None:
    """Nobody can say then which chip it is: whole on an SH1106, two columns further right on an SSD1306."""
    spec = importlib.util.spec_from_file_location("other_python", SYSTEMD / "other_python.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    pixels = draw(Snapshot(hint="another Python: sudo " + module.INSTALL), 128, 64, 0)
    for message in module.messages(packed(pixels).tobytes()):
        chip.write(message)
    assert np.array_equal(chip.glass(), np.roll(pixels, 2 if isinstance(chip, Ssd1306) else 0, axis=1))
    assert pixels.any()
