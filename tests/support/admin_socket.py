"""The root's helper behind a socket, one connection after the other, as systemd serves it."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from admin_machine import Helper


@contextmanager
def serving(helper: Helper, path: Path) -> Iterator[None]:
    """Serve at this path."""
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        listener.listen()
        thread = threading.Thread(target=_serve, args=(listener, helper))
        thread.start()
        yield
        listener.shutdown(socket.SHUT_RDWR)
        thread.join()


def _serve(listener: socket.socket, helper: Helper) -> None:
    while True:
        try:
            connection, _ = listener.accept()
        except OSError:
            return
        helper.serve(connection)
