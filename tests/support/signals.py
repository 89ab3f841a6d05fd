"""What programs started by a test do with signals, whatever the program that started the tests ignores."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager

OF_TERMINALS = (
    signal.SIGHUP,
    signal.SIGINT,
    signal.SIGQUIT,
    signal.SIGTSTP,
)  # `nohup` and shells in scripts ignore some


@contextmanager
def children_with(disposition: signal.Handlers, *numbers: signal.Signals) -> Iterator[None]:
    """Let programs started inside inherit SIG_DFL or SIG_IGN for these signals; afterwards all is as it was."""
    before = {number: signal.signal(number, disposition) for number in numbers or OF_TERMINALS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
