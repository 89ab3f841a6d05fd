"""`python -m tabletop` is the same as `tabletop`."""

import sys

from tabletop.cli import main

if __name__ == "__main__":
    sys.exit(main())
