"""Where the page is served: the values of `--listen`, the socket, its address and its host names."""

import fcntl
import os
import socket
import struct
import sys
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlsplit

from tabletop.core.errors import DeviceError, InputError

USUAL_PORT = 8080  # needs no privileges, and is what people try first
HIGHEST_PORT = 65535
PORTS_TRIED = 20  # from the usual one on, if none is given
WORDS = {"local": "127.0.0.1", "lan": "0.0.0.0"}  # noqa: S104 - `lan` says that the network may look
# Domains that cannot be registered, so that no hostile page has a name there: RFC 6762, RFC 8375, ICANN's .internal
# (2024), and those used by routers although no such top-level domain exists. Not fritz.box: .box is sold, and strangers
# owned that name for months in 2024; `host` in the configuration allows it if a router answers for it.
UNSOLD = ("local", "home.arpa", "internal", "lan", "home", "localdomain")
CLASHES = range(2, 100)  # suffixes of the name if mDNS finds it taken (RFC 6762, 9)
BACKLOG = 64  # connections that wait to be accepted
INTERFACES = Path("/proc/net/dev")  # Linux only; elsewhere there is only the default route
PARTS = Path("/sys/class/net")  # the hardware of an interface
FLAGS_OF, ADDRESS_OF = 0x8913, 0x8915  # SIOCGIFFLAGS, SIOCGIFADDR: unlike netlink they are allowed in the sandbox
RUNNING = 0x40  # IFF_RUNNING: it is up and has a carrier
REQUEST = struct.Struct("16s240x")  # struct ifreq: the name, then room for the answer
FLAGS, ADDRESS = slice(16, 18), slice(20, 24)  # in the answer: after the name; after family and port of a sockaddr_in
# Documentation addresses (RFC 5737, RFC 3849): a UDP socket "connected" to one sends nothing
NOWHERE = {socket.AF_INET: ("192.0.2.1", 9), socket.AF_INET6: ("2001:db8::1", 9)}


@dataclass(frozen=True, slots=True)
class Listening:
    """An open socket. word: `local` or `lan`. host: its address, empty to follow the network. socket: bound.

    origin: the address from `host` in the configuration, as "http://dice.fritz.box:8080"; empty if none.
    """

    word: str
    host: str
    port: int
    socket: socket.socket
    origin: str = ""

    def here(self) -> str:
        """Return the address to type into a browser now, empty while there is no network."""
        host = self.host or own_address()
        if host and self.origin:
            return self.origin.removeprefix("http://")
        return f"[{host}]:{self.port}" if ":" in host else f"{host}:{self.port}" if host else ""

    @property
    def address(self) -> str:
        """The same; without a network, the name that works as soon as there is one."""
        return self.here() or f"{_own_name()}.local:{self.port}"

    @property
    def names(self) -> frozenset[str]:
        """The host names, in lower case and without port, that a request may use.

        Numeric addresses are not included: a request to the very address that it came in at is always allowed.
        """
        own = _own_name()
        beyond = {own, *(f"{own}.{domain}" for domain in UNSOLD)} if self.word == "lan" else set()
        beyond |= {f"{own}-{number}.local" for number in CLASHES} if self.word == "lan" else set()
        return frozenset({"localhost", *beyond, urlsplit(self.origin).hostname or "localhost"})


def port_of(text: str) -> int:
    """Parse a port, 0 for any free one; raises InputError."""
    if not (text.isascii() and text.isdigit() and int(text) <= HIGHEST_PORT):
        raise InputError(f"expected a port from 0 to {HIGHEST_PORT} for --port, got {text!r}")
    return int(text)


def check_word(word: str) -> None:
    """Raise InputError unless this is a valid value of `--listen`."""
    if word not in WORDS:
        raise InputError(f"expected --listen {' or '.join(WORDS)}, got {word!r}")


def listen(word: str, port: int, host: str = "") -> Listening:
    """Open the socket for a value of `--listen`; InputError for an invalid one, DeviceError if the port is taken.

    `lan` is open to IPv4 and, if this system has it, IPv6. host: from the configuration, empty if none.
    """
    check_word(word)
    both = word == "lan" and socket.has_dualstack_ipv6()
    family = socket.AF_INET6 if both else socket.AF_INET
    place = ("::" if both else WORDS[word], port)
    try:
        opened = socket.create_server(place, family=family, backlog=BACKLOG, dualstack_ipv6=both)
    except OSError as error:
        why = f"port {port} cannot be opened ({os.strerror(error.errno or 0)}); name another one with --port"
        raise DeviceError(f"--listen {word}: {why}") from None
    port = opened.getsockname()[1]
    origin = host if "://" in host or not host else f"http://{host}:{port}"
    return Listening(word, "" if word == "lan" else WORDS[word], port, opened, origin)


def listen_here() -> Listening:
    """Open a socket for this machine only, on the usual port, the next free one, or any."""
    for port in range(USUAL_PORT, USUAL_PORT + PORTS_TRIED):
        with suppress(DeviceError):
            return listen("local", port)
    return listen("local", 0)


def _own_name() -> str:
    """Return the first part of this machine's name; the rest may be a domain that a stranger can buy."""
    return socket.gethostname().lower().partition(".")[0]


def own_address() -> str:
    """Return this machine's address in the local network, empty if it has none. IPv6 only if there is no IPv4.

    Of several: physical interfaces before tunnels and containers, which phones cannot reach; then the default route,
    for which the system prefers the cable and which clients of a hotspot reach as well; then any before a self-assigned
    one; then Wi-Fi, which may be a hotspot.
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
