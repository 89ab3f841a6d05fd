"""What arrives at a service manager's socket: a real datagram socket of the kernel, in simulated time."""

import os
import time
from collections.abc import Iterator
from contextlib import closing
from itertools import chain, pairwise, repeat
from pathlib import Path
from queue import SimpleQueue

import pytest
from notify_listener import NotifyListener
from service_program import listening

from tabletop.service.service_manager import LONGEST_WRITE_S, ServiceManager


@pytest.fixture
def address(tmp_path: Path) -> str:
    return str(tmp_path / "notify")


@pytest.fixture
def manager_end(tmp_path: Path) -> Iterator[NotifyListener]:
    with listening(tmp_path) as listener:
        yield listener


def test_ready_comes_once_and_the_watchdog_four_times_in_its_time(manager_end: NotifyListener, address: str) -> None:
    """Twenty turns a second for a minute with a watchdog of twenty seconds: never five seconds without a sign."""
    environ = {"NOTIFY_SOCKET": address, "WATCHDOG_USEC": "20000000", "WATCHDOG_PID": str(os.getpid())}
    manager = ServiceManager.of_environment(environ)
    fed_s, ready = list[float](), 0
    for turn in range(1200):
        manager.turn(turn / 20, "Pig")
        for lines in manager_end.heard():
            fed_s += [turn / 20] * lines.count("WATCHDOG=1")
            ready += lines.count("READY=1")
    assert ready == 1
    assert fed_s[0] == 0.0
    assert max(after - before for before, after in pairwise(fed_s)) <= 5.05
    assert len(fed_s) == 12


def test_the_status_follows_but_not_every_die(manager_end: NotifyListener, address: str) -> None:
    """A status that changes at every turn is sent once a second, and the one that stays arrives in the end."""
    manager = ServiceManager(address)
    for turn in range(41):
        manager.turn(turn / 20, f"throw {turn}")
    manager.turn(3.5, "all is\nquiet")
    manager.turn(9.0, "all is\nquiet")
    said = [line for lines in manager_end.heard() for line in lines if line.startswith("STATUS=")]
    assert said == ["STATUS=throw 0", "STATUS=throw 20", "STATUS=throw 40", "STATUS=all is quiet"]


def test_an_abstract_address_is_understood() -> None:
    """In a container systemd names the socket with @ in front: a name without a file."""
    name = f"tabletop-test-{os.getpid()}"
    manager_end = NotifyListener(f"\0{name}")
    with ServiceManager(f"@{name}") as manager, closing(manager_end.socket):
        manager.turn(0.0, "")
        manager.stopping()
        assert manager_end.heard() == [["READY=1", "STATUS="], ["STOPPING=1", "STATUS=stopping"]]


def test_ready_is_said_again_until_somebody_listens(tmp_path: Path, address: str) -> None:
    """A socket that is not there does no harm, and nothing that was said to nobody counts as said."""
    manager = ServiceManager(address, watchdog_s=4.0)
    manager.turn(0.0, "Pig")
    with listening(tmp_path) as manager_end:
        manager.turn(0.1, "Pig")
        assert manager_end.heard() == [["READY=1", "STATUS=Pig", "WATCHDOG=1"]]


def test_the_watchdog_of_another_process_is_not_fed(manager_end: NotifyListener, address: str) -> None:
    """WATCHDOG_PID names whose watchdog it is; garbled numbers count as none."""
    for words in ({"WATCHDOG_PID": "1"}, {"WATCHDOG_USEC": "soon"}, {"WATCHDOG_USEC": "²"}):
        environ = {"NOTIFY_SOCKET": address, "WATCHDOG_USEC": "1000000", **words}
        ServiceManager.of_environment(environ).turn(0.0, "Pig")
    assert manager_end.heard() == [["READY=1", "STATUS=Pig"]] * 3


def test_a_slow_write_is_outlasted_and_an_endless_one_is_not(manager_end: NotifyListener, address: str) -> None:
    """No turn comes meanwhile. Fed only for a write that is under way and young."""
    asked, began_s = [], chain([None, time.monotonic() - LONGEST_WRITE_S - 1], repeat(time.monotonic()))

    def write_began_s() -> float | None:
        asked.append(next(began_s))
        return asked[-1]

    with ServiceManager(address, watchdog_s=0.2) as manager:
        manager.outlast(write_began_s)
        manager_end.hears(lambda line: line == "WATCHDOG=1")
        assert len(asked) >= 3


def test_without_a_manager_nothing_is_sent_or_left_to_children() -> None:
    """An environment without the variables means no manager; with them, programs started later see none."""
    assert not ServiceManager.of_environment({}).present
    environ = {"NOTIFY_SOCKET": "/nowhere", "WATCHDOG_USEC": "1", "HOME": "/"}
    assert ServiceManager.taken_from(environ).present
    assert environ == {"HOME": "/"}


@pytest.mark.usefixtures("manager_end")
def test_what_does_not_stop_is_left_behind(address: str) -> None:
    """The program is ended with its status where a part never stops, and not where all have stopped in time."""
    left = SimpleQueue[int]()
    with ServiceManager(address) as manager:
        manager.stopping(77, left.put)
        assert left.get(timeout=30) == 77
    with ServiceManager(address) as manager:
        manager.stopping(0, left.put)
    assert left.empty()
