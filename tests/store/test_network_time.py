"""Whether the network has told the time, asked of chrony: /bin/sh says what Debian 12's chrony 4.3 said.

The three answers come from a booted Debian, where `chronyc` ran under the directives of tabletop.service.
"""

from pathlib import Path

import pytest

from tabletop.store.clock import AGAIN_S, NetworkTime

NO = "00000000,,0,0.0,0.0,0.0,0.0,0.000,0.000,0.000,1.000000000,1.000000000,0.0,Not synchronised"
YES = "7F7F0101,,10,1795640389.152398520,0.0,0.0,0.0,0.000,0.000,0.000,0.000000000,0.000000000,0.0,Normal"
NOBODY = "506 Cannot talk to daemon"


class Clock:
    """A monotonic clock that a test moves."""

    now_s = 100.0

    def __call__(self) -> float:
        """Return the time."""
        return self.now_s


@pytest.fixture
def answer(tmp_path: Path) -> Path:
    """Return the file with what the service says; each question adds a line to `asked` beside it."""
    (tmp_path / "answer").write_text(NO + "\n")
    return tmp_path / "answer"


def asking(answer: Path, clock: Clock) -> NetworkTime:
    """Return a table's question to that service."""
    return NetworkTime(("/bin/sh", "-c", f"echo >> {answer.with_name('asked')}; cat {answer}"), clock)


def times_asked(answer: Path) -> int:
    """Return how often the service was asked."""
    return answer.with_name("asked").read_text().count("\n")


def test_a_no_is_asked_again_later_and_a_yes_is_one_for_good(answer: Path) -> None:
    """However often an event asks in between, a process is started once in ten seconds, and none after a yes."""
    clock = Clock()
    network = asking(answer, clock)
    assert network.answer() is False
    answer.write_text(YES + "\n")
    assert [network() for _ in range(20)] == [False] * 20
    assert times_asked(answer) == 1
    clock.now_s += AGAIN_S
    assert network.answer() is True
    answer.write_text(NO + "\n")
    clock.now_s += 10 * AGAIN_S
    assert network.answer() is network() is True
    assert times_asked(answer) == 2


def test_an_event_does_not_wait_for_the_answer() -> None:
    """A service that does not answer: the time counts as unset, and nobody waits; who waits gives up."""
    network = NetworkTime(("/bin/sh", "-c", "exec tail -f /dev/null"), Clock(), patience_s=0.01)
    assert [network() for _ in range(3)] == [False] * 3
    assert network.answer() is False


def test_a_machine_without_such_a_service_has_nobody_to_ask() -> None:
    """Not installed, or its daemon is not there: no."""
    assert NetworkTime(("/no/such/program",), Clock()).answer() is False
    assert NetworkTime(("/bin/sh", "-c", f"echo {NOBODY}; exit 1"), Clock()).answer() is False
