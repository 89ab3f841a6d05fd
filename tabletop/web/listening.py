"""Where the page is served: the words of `--listen`, the socket, its address, the names it answers to."""

import socket
from dataclasses import dataclass

from tabletop.core.errors import DeviceError, InputError

USUAL_PORT = 8080  # needs no rights, and is what people try first
HIGHEST_PORT = 65535
WORDS = {"local": "127.0.0.1", "lan": "0.0.0.0"}  # noqa: S104 - `lan` says that the network may look
NOWHERE = ("192.0.2.1", 9)  # RFC 5737: an address that nobody has; a UDP socket "connected" to it sends nothing
BACKLOG = 64  # connections that wait to be accepted


@dataclass(frozen=True, slots=True)
class Listening:
    """An open socket. word: `local` or `lan`. host, port: to be told to people. socket: bound, not yet listening."""

    word: str
    host: str
    port: int
    socket: socket.socket

    @property
    def address(self) -> str:
        """What people type into their browser."""
        return f"{self.host}:{self.port}"

    @property
    def names(self) -> frozenset[str]:
        """The names, in small letters and without the port, that a request may be addressed to.

        Numbers are not among them: a request to the very address that it came in at is allowed in any case.
        """
        own = socket.gethostname().lower()
        beyond = {own, f"{own}.local"} if self.word == "lan" else set()
        return frozenset({"localhost", *beyond})


def port_of(text: str) -> int:
    """Read a port, 0 for any that is free; raises InputError."""
    if not (text.isascii() and text.isdigit() and int(text) <= HIGHEST_PORT):
        raise InputError(f"expected a port from 0 to {HIGHEST_PORT} for --port, got {text!r}")
    return int(text)


def check_word(word: str) -> None:
    """Raise InputError unless `--listen` knows this word."""
    if word not in WORDS:
        raise InputError(f"expected --listen {' or '.join(WORDS)}, got {word!r}")


def listen(word: str, port: int) -> Listening:
    """Open the socket for a word of `--listen`; InputError for another word, DeviceError where the port is taken."""
    check_word(word)
    opened = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        opened.bind((WORDS[word], port))
        opened.listen(BACKLOG)
    except OSError as error:
        opened.close()
        why = f"port {port} cannot be opened ({error.strerror}); name another one with --port"
        raise DeviceError(f"--listen {word}: {why}") from None
    host = _own_address() if word == "lan" else WORDS[word]
    return Listening(word, host, opened.getsockname()[1], opened)


def _own_address() -> str:
    """Return this machine's address in the local network, its name where it has no network now."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        try:
            asked.connect(NOWHERE)
            return str(asked.getsockname()[0])
        except OSError:
            return socket.gethostname()
