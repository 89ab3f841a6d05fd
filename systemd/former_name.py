"""Uninstall this program's former distribution: two of them would register each camera, command and view twice.

Until version 0.1 the distribution was called `tabletop`. Another project has that name on PyPI; theirs stays.
"""

import subprocess
import sys
from importlib.metadata import distributions

FORMER = "tabletop"
OURS = "tabletop.cli.main:main"  # the command, as each of our versions has registered it


def is_installed() -> bool:
    """Return whether this Python has our distribution under its former name."""
    return any(point.value == OURS for found in distributions(name=FORMER) for point in found.entry_points)


if __name__ == "__main__" and is_installed():
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "uninstall", "--quiet", "--yes", FORMER]
    sys.exit(subprocess.run(command, check=False).returncode)  # noqa: S603 - the words above
