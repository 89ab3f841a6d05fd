"""A table with a kernel's own camera and pins: frames flow, presses arrive, a pulled camera comes back."""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from virtual_pi import set_up, start, why_not

pytestmark = pytest.mark.soak


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Any]:
    """Start the machine once and return what was seen in it."""
    if why_not():  # by hand only: CI does not run it, and `make soak` lists what was left out
        pytest.skip(why_not())
    set_up()
    proof = tmp_path_factory.mktemp("virtual")
    console = start(proof)
    found: dict[str, Any] = json.loads((proof / "seen.json").read_text()) if (proof / "seen.json").exists() else {}
    log = (proof / "log").read_text() if (proof / "log").exists() else console
    if "SOAK_FOLDER" in os.environ:
        Path(os.environ["SOAK_FOLDER"], "virtual-log").write_text(log)
    assert "stopped" in found, log[-6000:]
    return found


def test_a_table_plays_with_the_kernels_camera_and_pins(seen: Mapping[str, Any]) -> None:
    """Both presses are in its recording as the pins made them, each frame has a later time than the one before."""
    assert [(button, down) for _, button, down in seen["edges"]] == [
        *(("hold", True), ("hold", False), ("bank", True), ("bank", False))
    ]
    times = seen["frames"]
    assert len(times) >= 3  # before the first pull, between both, and after: an emulated machine has few
    assert times == sorted(set(times))


def test_a_pulled_camera_is_told_and_comes_back(seen: Mapping[str, Any]) -> None:
    """Driver taken while frames flow, and given back, twice; its one-coloured picture is told as black again."""
    for pulled in (seen["first"], seen["second"]):
        assert "camera" in pulled["gone"]
        assert "the picture is black" in pulled["back"]
        old, new = pulled["nodes"]
        assert old != new
    assert seen["stopped"] == 0
