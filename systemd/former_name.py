"""Uninstall our former distribution, `tabletop`: two distributions would register each camera and command twice.

Version 0.2 renamed it, because another project has that name on PyPI. Their distribution is left alone.
"""

import subprocess
import sys
from importlib.metadata import distributions

FORMER = "tabletop"
OURS = "tabletop.cli.main:main"  # the command that every version of ours registers


def is_installed() -> bool:
    """Return whether this Python has our distribution under its former name."""
    return any(point.value == OURS for found in distributions(name=FORMER) for point in found.entry_points)


if __name__ == "__main__" and is_installed():
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "uninstall", "--quiet", "--yes", FORMER]
    sys.exit(subprocess.run(command, check=False).returncode)  # noqa: S603 - the words above
