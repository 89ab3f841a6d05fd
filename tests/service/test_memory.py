"""An evening that never ends: what a table holds in memory does not grow with throws and presses."""

from pathlib import Path
from statistics import median

import pytest
from own_program import seen_by

MOST_MIB = 5.0  # from the first tenth to the last, of a thousand throws and ten thousand presses
MOST_SHORT_MIB = 3.0  # in use, from the middle to the end of a tenth of that: 0.1 to 1.4 in eleven runs; before the
# middle, what was drawn and read is remembered. One picture kept of each throw would be 27 MiB

USUAL_MIB = 226  # what the limits in tabletop.service count on


def memory_mib(folder: Path, throws: int, presses: int, *options: str) -> list[float]:
    """Return the memory of a table after each tenth of so many throws and presses. options: of memory_run.py."""
    seen = seen_by("memory_run.py", folder, throws, presses, *options)
    assert seen["throws"] >= throws
    assert seen["presses"] >= presses
    assert len(seen["memory_mib"]) == 10
    return list(seen["memory_mib"])


@pytest.mark.slow
def test_a_hundred_throws_and_a_thousand_presses(tmp_path: Path) -> None:
    """In the second half hardly anything is added."""
    memory = memory_mib(tmp_path, 100, 1000, "--in-use")
    assert median(memory[7:]) - median(memory[4:7]) < MOST_SHORT_MIB, str(memory)
    assert max(memory) < USUAL_MIB


@pytest.mark.soak
def test_a_thousand_throws_and_ten_thousand_presses(tmp_path: Path) -> None:
    """After the last tenth it is within five mebibytes of that after the first."""
    memory = memory_mib(tmp_path, 1000, 10_000)
    assert memory[-1] - memory[0] < MOST_MIB, str(memory)
