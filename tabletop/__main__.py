"""`python -m tabletop` is the same as `tabletop`."""

import os
import signal
import sys

# A table that is stopped while it still loads holds nothing yet; `play` hears the signal itself as soon as it runs.
if sys.argv[1:2] == ["play"]:
    signal.signal(signal.SIGTERM, lambda *_: os._exit(0))

from tabletop.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
