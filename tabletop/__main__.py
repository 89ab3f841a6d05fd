"""Run the `tabletop` command with `python -m tabletop`."""

import os
import signal
import sys

# Until `play` installs its own handler there is nothing to clean up, so a signal during startup may end the process.
if sys.argv[1:2] == ["play"]:
    signal.signal(signal.SIGTERM, lambda *_: os._exit(0))

from tabletop.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
