"""The commands of a page that no match stands behind: each is accepted as soon as it comes."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread

from tabletop.dialogs.commands import ACCEPTED, Inbox, Wanted

LOOK_S = 0.05


@contextmanager
def taken(inbox: Inbox) -> Iterator[list[Wanted]]:
    """Accept commands in a thread of its own; yield what was wanted so far, oldest first."""
    wanted, over, came = list[Wanted](), Event(), Event()
    inbox.listen(came.set)

    def take() -> None:
        while not over.is_set():
            for command in inbox.take():
                wanted.append(command.wants)
                command.result.set_result(ACCEPTED)
            came.wait(LOOK_S)
            came.clear()

    thread = Thread(target=take)
    thread.start()
    try:
        yield wanted
    finally:
        over.set()
        thread.join()
