"""Time that passes only while everybody waits: a whole program with its threads, hours of it in a minute.

    import virtual_time                  # before what is to live in it
    virtual_time.TIME.sleep(3600.0)      # returns when all other threads wait for something later

Importing it replaces Python's clock and what threads wait with: `time.monotonic`, `time.sleep`, `threading.Condition`
and all that is made of it, starting and joining threads, `queue.SimpleQueue`. The clock stands still while any thread
works, or waits for the system; when the last one waits, it goes on to the earliest moment that one of them waits for.
"""

import queue
import threading
import time
from math import inf

BEGIN_S = 1000.0  # of the clock; any number above the longest time that a program counts back
real_sleep = time.sleep
_new_lock = threading.Lock
_start, _join = threading.Thread.start, threading.Thread.join
_real_condition = threading.Condition


class Waiter:
    """A thread that waits. due_s: when it goes on without a call. woken: whether somebody has called it."""

    def __init__(self, due_s: float) -> None:
        self.due_s, self.woken = due_s, False
        self.gate = _new_lock()
        self.gate.acquire()


class VirtualTime:
    """The clock of one process. now_s: seconds, never going back."""

    def __init__(self) -> None:
        self.now_s = BEGIN_S
        self._lock = _new_lock()
        self._working = 1  # threads that do not wait
        self._waiting: list[Waiter] = []

    def clock(self) -> float:
        """Return the time, as `time.monotonic` does."""
        return self.now_s

    def sleep(self, seconds: float) -> None:
        self.block(self.waiter(seconds))

    def waiter(self, seconds: float | None) -> Waiter:
        """Return a waiter for the thread that calls; None waits for ever."""
        return Waiter(inf if seconds is None else self.now_s + max(0.0, seconds))

    def block(self, waiter: Waiter) -> bool:
        """Wait until it is woken, or its time has come; return whether it was woken."""
        with self._lock:
            if waiter.woken:
                return True
            self._waiting.append(waiter)
            self._rest()
        waiter.gate.acquire()
        return waiter.woken

    def wake(self, waiter: Waiter) -> None:
        """Let it go on, now or as soon as it waits."""
        with self._lock:
            waiter.woken = True
            if waiter in self._waiting:
                self._release(waiter)

    def begins(self) -> None:
        with self._lock:
            self._working += 1

    def ends(self) -> None:
        with self._lock:
            self._rest()

    def _rest(self) -> None:
        """Count one thread less that works; with the last one, time goes on."""
        self._working -= 1
        if not self._working and self._waiting:
            first = min(self._waiting, key=lambda waiter: waiter.due_s)
            if first.due_s == inf:
                raise RuntimeError("expected somebody to wait for a moment, got a program that waits for ever")
            self.now_s = max(self.now_s, first.due_s)
            self._release(first)

    def _release(self, waiter: Waiter) -> None:
        self._waiting.remove(waiter)
        self._working += 1
        waiter.gate.release()


TIME = VirtualTime()


class VirtualCondition(_real_condition):
    """`threading.Condition` in this time."""

    def __init__(self, lock: object = None) -> None:
        super().__init__(lock)  # type: ignore[arg-type]  # whatever the caller gives
        self._sleeping: list[Waiter] = []

    def wait(self, timeout: float | None = None) -> bool:
        """Wait for a call, for so long at most."""
        waiter = TIME.waiter(timeout)
        self._sleeping.append(waiter)
        saved = self._release_save()  # type: ignore[attr-defined]  # as the class itself does
        try:
            return TIME.block(waiter)
        finally:
            self._acquire_restore(saved)  # type: ignore[attr-defined]  # the same
            if waiter in self._sleeping:
                self._sleeping.remove(waiter)

    def notify(self, n: int = 1) -> None:
        called, self._sleeping = self._sleeping[:n], self._sleeping[n:]
        for waiter in called:
            TIME.wake(waiter)

    def notify_all(self) -> None:
        self.notify(len(self._sleeping))


def _begin(thread: threading.Thread) -> None:
    run, done = thread.run, threading.Event()

    def counted() -> None:
        try:
            run()
        finally:
            done.set()
            TIME.ends()

    thread.run = counted  # type: ignore[method-assign]  # what `start` calls
    thread.done = done  # type: ignore[attr-defined]  # for `join`
    TIME.begins()
    _start(thread)


def _wait_for(thread: threading.Thread, timeout: float | None = None) -> None:
    done: threading.Event = thread.done  # type: ignore[attr-defined]  # by `_begin`
    if done.wait(timeout):
        _join(thread)


time.monotonic = TIME.clock
time.sleep = TIME.sleep  # type: ignore[assignment]
threading._time = TIME.clock  # type: ignore[attr-defined]  # noqa: SLF001 - what `wait_for` and semaphores look at
threading.Condition = VirtualCondition  # type: ignore[misc]
threading.Thread.start = _begin  # type: ignore[assignment, method-assign]
threading.Thread.join = _wait_for  # type: ignore[assignment, method-assign]
queue.SimpleQueue = queue._PySimpleQueue  # type: ignore[attr-defined, misc]  # noqa: SLF001 - the one made of semaphores
