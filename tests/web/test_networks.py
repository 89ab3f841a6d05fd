"""The address on the display follows the network: a real one of Linux, in a namespace of its own."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = Path(__file__).parents[1] / "support" / "moving_network.py"
WANTED = {
    "nothing": "-",
    "hotspot": "10.42.0.1",
    "cable": "192.168.7.5",
    "both": "192.168.7.5",
    "unplugged": "192.168.8.9",
    "gone": "-",
    "moved": "192.168.9.77",
}


@pytest.mark.slow
@pytest.mark.skipif(os.geteuid() != 0 or not shutil.which("ip"), reason="a network of its own needs root and iproute2")
def test_the_address_on_the_display_follows_the_network() -> None:
    """None without a network; then one at which a phone is let in, at every step; and over IPv6 as well."""
    command = ["unshare", "-n", sys.executable, str(PROGRAM)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    *steps, ula = [line.split() for line in done.stdout.splitlines()]
    assert {name: host for name, host, *_ in steps} == WANTED
    assert {status for _, host, status, *_ in steps if host != "-"} == {"204"}
    assert ula == ["ula", "204"]
