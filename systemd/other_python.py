"""Says that the program has to be installed again. For any Python, without a package: there is none that could be used.

The display gets a picture drawn when the program was installed: 8 pages of 128 columns, a byte for eight pixels.
Both chips take pages one by one. From column 2 on an SH1106 shows all; an SSD1306 shows it two columns further right.
"""

import fcntl
import os
import socket
import sys
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).resolve().parent
INSTALL = "/opt/tabletop/current/source/systemd/install"
SAID = f"the system has another Python than the table was installed for; what to do: sudo {INSTALL}"
NOT_CONFIGURED = 78  # EX_CONFIG of sysexits.h; the unit does not start again after it
BUS, I2C_SLAVE, ADDRESSES = "/dev/i2c-1", 0x0703, (0x3C, 0x3D)
PAGES, COLUMNS, LEFT = 8, 128, 2
# Off, page addressing, 64 rows, upright, charge pump, contrast, normal, on: commands of both chips' data sheets.
SETTINGS = (
    0xAE,
    0x20,
    0x02,
    0xA8,
    0x3F,
    0xD3,
    0,
    0x40,
    0xA1,
    0xC8,
    0xDA,
    0x12,
    0x8D,
    0x14,
    0x81,
    0x7F,
    0xA4,
    0xA6,
    0xAF,
)


def messages(picture: bytes) -> Iterator[bytes]:
    """Yield what is written to the chip: a control byte and what follows. picture: 1,024 bytes, page by page."""
    yield bytes((0x00, *SETTINGS))
    for page in range(PAGES):
        yield bytes((0x00, 0xB0 | page, LEFT, 0x10))
        yield b"\x40" + picture[page * COLUMNS : (page + 1) * COLUMNS]


def show(picture: bytes) -> None:
    """Show a picture on the display at the usual bus, if there is one."""
    for address in ADDRESSES:
        try:
            bus = os.open(BUS, os.O_RDWR)
            try:
                fcntl.ioctl(bus, I2C_SLAVE, address)
                for message in messages(picture):
                    os.write(bus, message)
            finally:
                os.close(bus)
        except OSError:  # no bus, or no display at this address
            continue


def main() -> int:
    """Say it everywhere; return the status to end with. With the name of a picture, only show that."""
    if sys.argv[1:]:
        show(Path(sys.argv[1]).read_bytes())
        return 0
    sys.stderr.write(SAID + "\n")
    address = os.environ.get("NOTIFY_SOCKET", "")
    if not address:  # a person reads it
        return NOT_CONFIGURED
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
        sender.sendto(f"STATUS={SAID}".encode(), "\0" + address[1:] if address.startswith("@") else address)
    if (HERE / "other_python.pic").exists():
        show((HERE / "other_python.pic").read_bytes())
    return NOT_CONFIGURED


if __name__ == "__main__":
    sys.exit(main())
