"""Started by systemd for each connection (`tabletop-admin@.service`), with this folder as the place of its modules."""

import sys

from admin import main

if __name__ == "__main__":
    sys.exit(main())
