"""Only cameras that give a picture are found; the one that the table itself uses is not opened a second time."""

import os
import subprocess
import sys
from pathlib import Path

PACKAGE = """
import time
import numpy as np
from tabletop import Frame
from tabletop.core.errors import DeviceError
class Device:
    live = True
    def __init__(self, good): self.good = good
    def read(self):
        if not self.good: raise DeviceError("no picture came")
        return Frame(np.full((480, 640, 3), 90, np.uint8), time.monotonic())
    def close(self): print("closed")
def works(words): return Device(True)
def silent(words): return Device(False)
def absent(words): raise DeviceError("push its plug in")
def used(words): raise AssertionError
"""
NAMES = ("works", "silent", "absent", "used")
LOOK = "from tabletop.cameras.probing import answering; print('found', *answering('used:0'))"


def test_only_cameras_that_give_a_picture_are_found(tmp_path: Path) -> None:
    """Of four that packages offer; each that was opened is closed."""
    (tmp_path / "theirs.py").write_text(PACKAGE, encoding="utf-8")
    facts = tmp_path / "theirs-1.dist-info"
    facts.mkdir()
    (facts / "METADATA").write_text("Metadata-Version: 2.1\nName: theirs\nVersion: 1\n", encoding="utf-8")
    offered = "".join(f"{name} = theirs:{name}\n" for name in NAMES)
    (facts / "entry_points.txt").write_text(f"[tabletop.cameras]\n{offered}", encoding="utf-8")
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])}
    done = subprocess.run(
        [sys.executable, "-c", LOOK], env=environment, capture_output=True, text=True, check=True, cwd=tmp_path
    )
    *closed, found = done.stdout.splitlines()
    assert closed == ["closed"] * 2
    assert "works" in found.split()
    assert not {"silent", "absent", "used"} & set(found.split())
