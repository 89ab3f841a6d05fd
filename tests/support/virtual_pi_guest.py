"""What runs first in the virtual machine: it makes the devices, plays at the table, and pulls camera and button.

It writes /mnt/proof/seen.json. A stand-in: /proc/cpuinfo, in which gpiozero looks for the Raspberry Pi's model.
"""

import fcntl
import io
import json
import os
import select
import socket
import struct
import subprocess
import sys
import tarfile
import time
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path

PROOF, SOURCE, PACKAGES = Path("/mnt/proof"), Path("/mnt/source"), Path("/mnt/packages")
MODEL = "Hardware\t: BCM2835\nRevision\t: c03111\n"  # a Raspberry Pi 4
PINS, BANK, HOLD = 28, 17, 27
CHIP = Path("/sys/kernel/config/gpio-sim/pi")
VIVID = Path("/sys/bus/platform/drivers/vivid")
KEPT = ("--store", "/run/a.db", "--record", "/run/evening.tar")
SET_CONTROL = 0xC008561C  # VIDIOC_S_CTRL of linux/videodev2.h
PATTERN, GREEN = 0x00F0F000, 8  # vivid's own control (vivid-ctrls.c), and a picture of one colour
OVERLAY, NOTHING = 0x00F0F001, 2  # what vivid writes over it
PRESS_S = 0.5
PATIENCE_S = 600.0  # every instruction is computed
begun_s = time.monotonic()
seen: dict[str, object] = {}


def say(*words: object) -> None:
    """Tell how far it is, with seconds."""
    sys.stdout.write(f"{time.monotonic() - begun_s:7.1f} s  {' '.join(map(str, words))}\n")
    sys.stdout.flush()
    with (PROOF / "log").open("a") as log:
        log.write(f"{time.monotonic() - begun_s:7.1f} s  {' '.join(map(str, words))}\n")


def make_devices() -> None:
    """Make a camera, and a chip of as many pins as a Raspberry Pi's header has numbers."""
    for module in ("configfs", "vivid"):
        subprocess.run(["modprobe", module, *(["node_types=0x1"] if module == "vivid" else [])], check=True)
    show_green()
    subprocess.run(["insmod", "/gpio-chip-sim.ko"], check=True)
    subprocess.run(["mount", "-t", "configfs", "c", "/sys/kernel/config"], check=False)
    (CHIP / "bank0").mkdir(parents=True)
    (CHIP / "bank0" / "num_lines").write_text(str(PINS))
    (CHIP / "live").write_text("1")
    Path("/run/cpuinfo").write_text(MODEL)
    subprocess.run(["mount", "--bind", "/run/cpuinfo", "/proc/cpuinfo"], check=True)
    seen["devices"] = sorted(str(path) for path in Path("/dev").glob("[gv][pi]*o*[0-9]"))
    say("devices", seen["devices"])


def show_green() -> None:
    """Let the camera see one colour: over its colour bars an emulated reader takes a minute a frame."""
    (node,) = Path("/sys/class/video4linux").glob("video*")
    with Path("/dev", node.name).open("rb+", buffering=0) as camera:
        for control, value in ((PATTERN, GREEN), (OVERLAY, NOTHING)):
            fcntl.ioctl(camera, SET_CONTROL, struct.pack("Ii", control, value))


def pull(pin: int, *, down: bool) -> None:
    """Close a button's pin to ground, or open it, as the chip's outside sees it."""
    device, chip = (CHIP / "dev_name").read_text().strip(), (CHIP / "bank0" / "chip_name").read_text().strip()
    line = Path(f"/sys/devices/platform/{device}/{chip}/sim_gpio{pin}/pull")
    line.write_text("pull-down" if down else "pull-up")


class Table:
    """`tabletop play` as the service runs it; what it tells the service manager is its status."""

    def __init__(self, *words: str) -> None:
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind("/run/notify")
        environ = {
            "PATH": os.environ.get("PATH", "/usr/sbin:/usr/bin"),
            "PYTHONPATH": f"{PACKAGES}:{SOURCE}",
            "HOME": "/run",
            "NOTIFY_SOCKET": "/run/notify",
            "LC_ALL": "C.UTF-8",
            "OPENCV_VIDEOIO_V4L_SELECT_TIMEOUT": "1",
            "PYTHONDONTWRITEBYTECODE": "1",
            "OPENBLAS_NUM_THREADS": "1",
        }
        said = (PROOF / "table").open("w")
        self.process = subprocess.Popen(
            ["/usr/bin/python3", "-m", "tabletop", "play", *words], env=environ, cwd="/run", stdout=said, stderr=said
        )
        self.lines: list[str] = []

    def until(self, what: str, wanted: Callable[[str], bool]) -> str:
        """Wait for a line of this kind that has not been heard yet, and return it."""
        end_s = time.monotonic() + PATIENCE_S
        while time.monotonic() < end_s and self.process.poll() is None:
            if not select.select([self._socket], [], [], 1.0)[0]:
                continue
            for line in self._socket.recv(4096).decode().split("\n"):
                if line not in ("WATCHDOG=1", *self.lines[-1:]):
                    say("table:", line)
                    self.lines.append(line)
                if wanted(line):
                    return line
        raise SystemExit(f"{what}: not heard; status {self.process.poll()}")


def pull_camera(table: Table) -> dict[str, object]:
    """Take the driver from its camera and give it back, and return what the table said, after how many seconds."""
    old = next(Path("/dev").glob("video*"))
    with old.open("rb"):  # who has it open keeps the number: it comes back as another one
        pulled_s = time.monotonic()
        (VIVID / "unbind").write_text("vivid.0")
        gone = table.until("no camera", lambda line: line.startswith("STATUS=") and "camera" in line)
        gone_s = time.monotonic() - pulled_s
        (VIVID / "bind").write_text("vivid.0")
        show_green()
        back_s = time.monotonic()
        back = table.until("the camera again", lambda line: line.startswith("STATUS=") and "camera" not in line)
        back_s = time.monotonic() - back_s
    new = next(Path("/dev").glob("video*"))
    return {"gone": gone, "gone_s": gone_s, "back": back, "back_s": back_s, "nodes": [old.name, new.name]}


def play() -> None:
    """Start the table, press both buttons, pull the camera twice, and stop."""
    table = Table("--camera", "usb:0", "--buttons", "gpio", "--screen", "none", *KEPT)
    seen["ready"] = table.until("ready", lambda line: line == "READY=1")
    table.until("a question", lambda line: line.startswith("STATUS=") and "camera" not in line)
    for pin in (HOLD, BANK):
        pull(pin, down=True)
        time.sleep(PRESS_S)
        pull(pin, down=False)
        time.sleep(PRESS_S)
    for time_of in ("first", "second"):
        seen[time_of] = pull_camera(table)
    table.process.terminate()
    seen["stopped"] = table.process.wait(timeout=PATIENCE_S)
    shown = [json.loads(line) for line in recorded("/run/evening.tar")]
    seen["edges"] = [edge for line in shown for edge in line.get("edges", ())]
    seen["frames"] = [line["time"] for line in shown if "time" in line and "frame" in line]


def recorded(path: str) -> Iterator[str]:
    """Yield the lines of a recording, in their order."""
    with tarfile.open(path) as tar:
        for member in sorted(tar.getmembers(), key=lambda member: member.name):
            if member.name.startswith("lines/"):
                yield from (tar.extractfile(member) or io.BytesIO()).read().decode().splitlines()


try:
    make_devices()
    play()
except BaseException:  # noqa: BLE001 - the first process may not end before the machine is off
    say(traceback.format_exc())
finally:
    (PROOF / "seen.json").write_text(json.dumps(seen))
    say(json.dumps(seen))
    os.sync()
    subprocess.run(["sh", "-c", "echo o > /proc/sysrq-trigger; sleep 5"], check=False)
