"""A whole match unattended while every receiver is broken: the same output, and no throw that waits for one."""

import os
import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path

import http_receiver as bad
import pytest
from http_receiver import never_accepting, receiving, status
from notify_listener import PATIENCE_S
from service_program import listening, service

from tabletop.broadcast.receivers import Receivers
from tabletop.cli.wiring.outlets import FLUSH_S

ROOT = Path(__file__).parents[2]
PIG = ("play", "pig", "--players", "Ann,Ben", "--set", "target=60", "--seed", "3", "--json")
COMMAND = (*PIG, "--camera", "sim", "--buttons", "none", "--screen", "none")
SILENT = (bad.hang, bad.dribble, bad.endless_status, bad.endless_headers, bad.endless_body, bad.close, bad.reset)
WRONG = (bad.no_http, status(301, "location: http://127.0.0.1:1/\r\n"), status(404), status(429), status(500))
BUSY = 2.0  # a busy machine takes this much longer; waiting for a receiver at each event would take many times as long
STOP_S = 2.0
LATER_S = 2.0  # less than one try at a receiver that hangs


def _played(folder: Path, config: str) -> tuple[list[str], float, float]:
    """Return the lines, the seconds from the first to the last one, and those from there to the end of the program."""
    (folder / "tabletop.toml").write_text(config)
    words = (*COMMAND, "--store", str(folder / "a.db"), "--config", str(folder / "tabletop.toml"))
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        [sys.executable, "-m", "tabletop", *words], stdout=subprocess.PIPE, text=True, env=environment
    ) as program:
        assert program.stdout is not None
        lines, times = list[str](), list[float]()
        for line in program.stdout:
            lines.append(line)
            times.append(time.monotonic())
    assert program.returncode == 0
    return lines, times[-1] - times[0], time.monotonic() - times[-1]


@pytest.mark.slow
def test_broken_receivers_change_nothing_and_delay_nothing(tmp_path: Path) -> None:
    for name in ("without", "with"):
        (tmp_path / name).mkdir()
    expected, alone_s, _ = _played(tmp_path / "without", "")
    with ExitStack() as open_things:
        urls = [open_things.enter_context(receiving(fault)).url for fault in (*SILENT, *WRONG)]
        urls += [open_things.enter_context(never_accepting()), "http://127.0.0.1:1", "http://no-such-name.invalid"]
        urls += ["https://127.0.0.1:1"]
        hooks = "".join(f'[[hooks]]\nurl = "{url}"\n' for url in urls)
        hooks += "".join(f'[[hooks]]\npreset = "wled"\nurl = "{url}"\n' for url in urls)
        lines, took_s, end_s = _played(tmp_path / "with", hooks)
    assert lines == expected
    assert took_s < BUSY * alone_s + LATER_S
    assert end_s < FLUSH_S + LATER_S
    assert Receivers(tmp_path / "with" / "receivers.json").failing()
    sys.stdout.write(f"{len(lines)} lines in {alone_s:.2f} s without, {took_s:.2f} s with; then {end_s:.2f} s\n")


@pytest.mark.slow
def test_service_stops_in_time_though_receivers_hang(tmp_path: Path) -> None:
    """systemd/README.md says two seconds; what failed in an earlier start and is configured no more is forgotten."""
    receivers = Receivers(tmp_path / "receivers.json")
    receivers.note("hook 9, old", "slow")
    with listening(tmp_path) as manager, receiving(bad.hang) as lamp, receiving(bad.hang) as other:
        hooks = f'[[hooks]]\npreset = "wled"\nurl = "{lamp.url}"\n[[hooks]]\nurl = "{other.url}"\n'
        configured = 'camera = "none"\nbuttons = "none"\nscreen = "none"\nlisten = "local"\ngame = "pig"\n' + hooks
        with service(tmp_path, configured) as program:
            assert manager.hears("READY=1".__eq__)
            lamp.got.get(timeout=PATIENCE_S)
            other.got.get(timeout=PATIENCE_S)
            begun_s = time.monotonic()
            program.terminate()
            assert program.wait(PATIENCE_S) == 0
            assert time.monotonic() - begun_s < STOP_S
    assert "hook 9, old" not in receivers.failing()
