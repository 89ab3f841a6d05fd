"""A real Mosquitto on loopback, to be stopped, killed and started again; and who listens to it."""

import json
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Condition, Event, Thread
from typing import Any

import pytest
from paho.mqtt.client import Client, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion

PROGRAM = "/usr/sbin/mosquitto"
PATIENCE_S = 30.0


def free_port() -> int:
    with socket.socket() as own:
        own.bind(("127.0.0.1", 0))
        return int(own.getsockname()[1])


class Broker:
    """A broker with a port and files of its own. settings: lines of its configuration beside the port."""

    def __init__(self, folder: Path, *settings: str, port: int = 0) -> None:
        if not Path(PROGRAM).exists():
            pytest.skip("needs mosquitto (Debian package mosquitto)")
        self.port = port or free_port()
        self.url = f"mqtt://127.0.0.1:{self.port}"
        self._file = folder / f"mosquitto-{self.port}.conf"
        usual = () if any("allow_anonymous" in line for line in settings) else ("allow_anonymous true",)
        lines = (f"listener {self.port} 127.0.0.1", "user root", "log_type all", *usual, *settings)
        self._file.write_text("\n".join(lines) + "\n")
        self.log = self._file.with_suffix(".log")
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        with self.log.open("a") as log:
            self._process = subprocess.Popen([PROGRAM, "-c", self._file], stdout=log, stderr=log)
        until(self._answers)

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def hang(self) -> None:
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)

    def go_on(self) -> None:
        assert self._process is not None
        self._process.send_signal(signal.SIGCONT)

    def _answers(self) -> bool:
        with socket.socket() as own:
            return own.connect_ex(("127.0.0.1", self.port)) == 0


@contextmanager
def broker(folder: Path, *settings: str) -> Iterator[Broker]:
    own = Broker(folder, *settings)
    own.start()
    try:
        yield own
    finally:
        own.kill()


class Way:
    """A way to a broker that can be cut and opened again, or stall: then nothing passes, and nobody is told."""

    def __init__(self, to: int) -> None:
        self._to, self._server = to, socket.create_server(("127.0.0.1", 0))
        self.port = int(self._server.getsockname()[1])
        self._opened, self._passing = Event(), Event()
        self._ends: list[socket.socket] = []
        self._opened.set()
        self._passing.set()
        Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        self._opened.clear()
        for end in self._ends:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
        self._ends.clear()

    def open(self) -> None:
        self._opened.set()

    def stall(self) -> None:
        self._passing.clear()

    def go_on(self) -> None:
        self._passing.set()

    def close(self) -> None:
        self.go_on()
        self.cut()
        self._server.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._server.accept()
                try:
                    far = socket.create_connection(("127.0.0.1", self._to)) if self._opened.is_set() else None
                except OSError:
                    far = None
                if far is None:
                    near.close()
                    continue
                self._ends += (near, far)
                for pair in ((near, far), (far, near)):
                    Thread(target=self._pass_on, args=pair, daemon=True).start()

    def _pass_on(self, source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(65536):
                self._passing.wait()
                target.sendall(data)
        for end in (source, target):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
        source.close()


class Listener:
    """A client that notes every message below a topic, across restarts of the broker, with a session of its own."""

    def __init__(self, port: int, topic: str = "tabletop/#", **tls: Any) -> None:  # noqa: ANN401 - as paho has them
        self.messages: list[MQTTMessage] = []
        self._topic, self._news = topic, Condition()
        self._subscribed = 0
        self.client = Client(CallbackAPIVersion.VERSION2, f"listener-{port}", clean_session=False)
        self.client.reconnect_delay_set(1, 1)
        self.client.on_connect, self.client.on_message = self._connected, self._noted
        self.client.on_subscribe = self._has_subscribed
        if tls:
            self.client.tls_set(**tls)
        self.client.connect_async("127.0.0.1", port)
        self.client.loop_start()
        self.again(0)

    def again(self, subscribed: int) -> int:
        """Wait until it has subscribed more often than this; return how often."""
        until(lambda: self._subscribed > subscribed)
        return self._subscribed

    def close(self) -> None:
        self.client.disconnect()
        self.client.loop_stop()

    def events(self) -> list[dict[str, Any]]:
        with self._news:
            return [json.loads(one.payload) for one in self.messages if one.topic.endswith("/events")]

    def last(self, name: str) -> Any:  # noqa: ANN401 - JSON or a word
        with self._news:
            return next((one.payload.decode() for one in reversed(self.messages) if one.topic.endswith(name)), None)

    def _connected(self, client: Client, *_: object) -> None:
        client.subscribe(self._topic, 1)

    def _has_subscribed(self, *_: object) -> None:
        self._subscribed += 1

    def _noted(self, _client: Client, _data: object, message: MQTTMessage) -> None:
        with self._news:
            self.messages.append(message)


def until(condition: Any, patience_s: float = PATIENCE_S) -> None:  # noqa: ANN401 - whatever is true in the end
    ends_s = time.monotonic() + patience_s
    while not condition():
        assert time.monotonic() < ends_s, "it never came"
        time.sleep(0.02)
