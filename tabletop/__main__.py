"""`python -m tabletop` is the same as `tabletop`."""

import sys

from tabletop.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
