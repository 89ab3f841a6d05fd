"""The address at which phones reach this machine now: asked again and again, since networks come, go and change."""

import fcntl
import socket
import struct
import sys
from contextlib import suppress
from ipaddress import ip_address
from pathlib import Path

INTERFACES = Path("/proc/net/dev")  # of Linux; elsewhere there is only the default route
PARTS = Path("/sys/class/net")  # what an interface is made of
FLAGS_OF, ADDRESS_OF = 0x8913, 0x8915  # SIOCGIFFLAGS, SIOCGIFADDR: unlike netlink they are allowed in the sandbox
RUNNING = 0x40  # IFF_RUNNING: it is up and has a carrier
REQUEST = struct.Struct("16s240x")  # struct ifreq: the name, then room for the answer
FLAGS, ADDRESS = slice(16, 18), slice(20, 24)  # in the answer: behind the name; behind family and port of a sockaddr_in
# Addresses that no machine has (RFC 5737, RFC 3849): a UDP socket "connected" to one sends nothing
NOWHERE = {socket.AF_INET: ("192.0.2.1", 9), socket.AF_INET6: ("2001:db8::1", 9)}


def own_address() -> str:
    """Return this machine's address in the local network, empty while it has none. IPv6 only if there is no IPv4.

    Of several: that of a real cable or radio before those of tunnels and containers, which phones do not reach; then
    that of the default route, for which the system prefers the cable and which clients of a hotspot reach as well; then
    any before one that the machine gave to itself; then that of a radio, which may be a hotspot.
    """
    route = _towards_nowhere(socket.AF_INET)
    found = [((False, True, True, False), route)] if route else []
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        for name in [line.partition(":")[0].strip() for line in INTERFACES.read_text().splitlines() if ":" in line]:
            with suppress(OSError):  # it has no such address
                request = REQUEST.pack(name.encode())
                flags = int.from_bytes(fcntl.ioctl(asked, FLAGS_OF, request)[FLAGS], sys.byteorder)
                own = ip_address(fcntl.ioctl(asked, ADDRESS_OF, request)[ADDRESS])
                if flags & RUNNING and not own.is_loopback:
                    real, radio = (PARTS / name / "device").exists(), (PARTS / name / "phy80211").exists()
                    found.append(((real, str(own) == route, not own.is_link_local, radio), str(own)))
    return max(found)[1] if found else _towards_nowhere(socket.AF_INET6)


def _towards_nowhere(family: socket.AddressFamily) -> str:
    """Return the address from which the default route leaves, empty if there is no such route."""
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as asked:
            asked.connect(NOWHERE[family])
            return str(asked.getsockname()[0])
    except OSError:  # no such network, or no such kind of address
        return ""
