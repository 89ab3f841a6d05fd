"""The root's helper behind a socket, one connection after the other, as systemd serves it."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import SimpleQueue

from admin_machine import Helper


@contextmanager
def serving(helper: Helper, path: Path) -> Iterator[SimpleQueue[None]]:
    """Serve at this path; yield what gets an item for each connection that was served."""
    served = SimpleQueue[None]()
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        listener.listen()
        thread = threading.Thread(target=_serve, args=(listener, helper, served))
        thread.start()
        yield served
        listener.shutdown(socket.SHUT_RDWR)
        thread.join()


def _serve(listener: socket.socket, helper: Helper, served: SimpleQueue[None]) -> None:
    while True:
        try:
            connection, _ = listener.accept()
        except OSError:
            return
        helper.serve(connection)
        served.put(None)
