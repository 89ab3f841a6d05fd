"""What runs inside the booted machine, with Debian's own Python and nothing else; it writes /proof/seen.json.

It installs and updates by the commands of docs/building.md as they are written there, as a user who may use sudo (the
first user of Raspberry Pi OS), breaks and mends the service as its owner would, and lets "switch off" end the machine.
"""

import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

PROOF = Path("/proof")
INSTALL = "/source/systemd/install"
STORE = Path("/var/lib/tabletop/tabletop.db")
CURRENT = Path("/opt/tabletop/current")
DROP_IN = Path("/run/systemd/system/tabletop.service.d/test.conf")
PATIENCE_S = 40.0
SLOW_WRITE_S, RESTART_S = 25.0, 12.0  # of a worn card; twice the unit's RestartSec and more
PAGE = Path("/source/docs/building.md")
HOME = Path("/home", "maker")
LEFT_OUT = ("sudo reboot",)  # for the display's bus, which no container has
seen: dict[str, object] = {}


def run(*words: str, status: int | None = 0) -> str:
    """Run a command and return what it says, the errors after the rest."""
    done = subprocess.run(words, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    said = done.stdout + done.stderr
    sys.stdout.write(f"$ {' '.join(words)} -> {done.returncode}\n{said}\n")
    sys.stdout.flush()
    if status is not None and done.returncode != status:
        raise SystemExit(f"{words}: {said}")
    return said


def by_the_page(heading: str) -> dict[str, str]:
    """Run each command below this heading of the maker's page, and return what it said, the errors after the rest."""
    section = PAGE.read_text().partition(f"## {heading}\n")[2].partition("\n## ")[0]
    lines = "".join(re.findall(r"```sh\n(.*?)```", section, re.DOTALL)).splitlines()
    as_maker = ("runuser", "-l", "maker", "-c")
    return {
        line: run(*as_maker, line, status=1 if line == "tabletop doctor" else 0)
        for line in lines
        if line not in LEFT_OUT
    }


def meet_maker() -> None:
    run("useradd", "--shell", "/bin/bash", "maker")
    Path("/etc/sudoers.d/maker").write_text("maker ALL=(ALL) NOPASSWD: ALL\n")
    shutil.copytree(HOME, "/run/sent")
    run("chown", "-R", "maker:", str(HOME))


def shown(name: str) -> str:
    return run("systemctl", "show", "tabletop.service", "--property", name, "--value").strip()


def until(name: str, wanted: str) -> str:
    """Wait until a property of the service has this in it, and return it."""
    begun_s = time.monotonic()
    while wanted not in (now := shown(name)).split():
        if time.monotonic() - begun_s > PATIENCE_S:
            raise SystemExit(f"{name}: expected {wanted}, got {now}")
        time.sleep(0.2)
    return now


def drop_in(text: str) -> None:
    DROP_IN.parent.mkdir(parents=True, exist_ok=True)
    DROP_IN.write_text(f"[Service]\n{text}\n")
    run("systemctl", "daemon-reload")


def matches() -> int:
    with sqlite3.connect(STORE) as database:
        return int(database.execute("SELECT count(*) FROM match").fetchone()[0])


def installing() -> None:
    """One command makes a service that is ready; the same command again changes nothing that is there."""
    meet_maker()
    begun_s = time.monotonic()
    seen["page"] = by_the_page("Installing")
    seen["install_s"] = time.monotonic() - begun_s
    seen["ready"] = [shown("ActiveState"), shown("SubState"), shown("StatusText")]
    Path("/etc/tabletop/tabletop.toml").write_text(
        'camera = "usb:0"\nbuttons = "gpio"\nscreen = "ssd1306"\ngame = "pig"\nlisten = "lan"\n'
    )
    run("systemctl", "restart", "tabletop.service")
    exposure = run("systemd-analyze", "security", "tabletop.service", "--no-pager", status=None)
    seen["exposure"] = float(exposure.rpartition("Overall exposure level for tabletop.service:")[2].split()[0])
    seen["status"] = until("StatusText", "camera")
    seen["matches"] = matches()
    memory = Path(f"/proc/{shown('MainPID')}/status").read_text()
    seen["rss_mib"] = int(memory.partition("VmRSS:")[2].split()[0]) / 1024
    seen["user"] = memory.partition("Uid:")[2].split()[0]


def as_maker(words: str, status: int | None = 0) -> str:
    return run("runuser", "-l", "maker", "-c", words, status=status)


PLANTED = """
import os
with open("/var/lib/tabletop/ran", "a") as file:
    file.write(f"{os.geteuid()}\\n")
"""
NAMES = (
    "games/evil",
    "argparse",
    "sitecustomize",
    "usercustomize",
    "numpy",
    "cv2",
    "tabletop/__init__",
    "encodings/__init__",
)


def planting() -> None:
    """Plant programs and links as an intruder in the service; then root runs every command, from that folder too."""
    state, site = STORE.parent, f".local/lib/python3.{sys.version_info.minor}/site-packages"
    user = ("runuser", "-u", "tabletop", "--")
    for name in (*(f"{each}.py" for each in NAMES), f"{site}/evil.py", f"{site}/evil.pth"):
        text = "import evil\n" if name.endswith(".pth") else PLANTED
        run(*user, "sh", "-c", 'mkdir -p "$(dirname "$1")" && printf %s "$2" >"$1"', "-", f"{state}/{name}", text)
    for name, target in (("own.dice", "/etc/shadow"), ("evil.zip", "/etc/cron.d/evil"), ("old.zip", "/etc/shadow")):
        run(*user, "ln", "-s", target, f"{state}/{name}")
    shadow = Path("/etc/shadow").read_bytes()
    commands = ("stats", "replay", "replay 1", "doctor", "dice list", "play evil --players Ann,Ben", "calibrate light",
                "backup evil.zip", "backup --replace old.zip", "backup --replace own.dice", "restore --check evil.zip",
                "dice import evil.zip", "games", "referee evil --players Ann,Ben", "read own.dice")  # fmt: skip
    for command in commands:
        run("sh", "-c", f"cd {state} && timeout 20 tabletop {command} </dev/null", status=None)
    run(*user, "rm", f"{state}/own.dice")  # with such dice no table starts
    run("sh", "-c", f"cd {state} && {INSTALL}")
    run("systemctl", "restart", "tabletop.service")
    ran = state / "ran"
    seen["ran_as"] = sorted(set(ran.read_text().split())) if ran.exists() else []
    seen["left"] = [Path("/etc/shadow").read_bytes() == shadow, Path("/etc/cron.d/evil").exists()]
    seen["named"] = run("tabletop", "play", "evil", "--players", "Ann,Ben", status=2)
    run(*user, "sh", "-c", f"cd {state} && rm -rf games .local tabletop encodings *.py *.zip ran __pycache__")


def attacking() -> None:
    """Put back an archive that names a place of the system, which is refused, and the games of a good one."""
    import hashlib  # noqa: PLC0415 - of this part only
    import zipfile  # noqa: PLC0415 - the same

    files = {"config/t.toml": b'profile = "/etc/cron.d/x.toml"\n', "profile/evil-cron": b"* * * * * root reboot\n"}
    index = [{"name": n, "bytes": len(b), "sha256": hashlib.sha256(b).hexdigest()} for n, b in files.items()]
    with zipfile.ZipFile(HOME / "hostile.zip", "w") as archive:
        for name, packed in {**files, "backup.json": json.dumps({"version": 1, "files": index}).encode()}.items():
            archive.writestr(name, packed)
    before = sorted(Path("/etc/cron.d").iterdir())
    said = [as_maker(f"tabletop restore {word} hostile.zip", status=2) for word in ("--check", "--replace")]
    seen["hostile"] = [
        said[0] == said[1],
        said[0].count("tabletop restore: "),
        sorted(Path("/etc/cron.d").iterdir()) == before,
    ]
    game = Path("/etc/tabletop/games/mine.py")
    shutil.copy(Path("/source/tests-game.py"), game)
    HOME.chmod(0o700)
    as_maker("sudo tabletop backup ~/evening.zip && rm hostile.zip")
    game.unlink()
    run("systemctl", "stop", "tabletop.service")
    said = [as_maker(f"tabletop restore --replace {word} evening.zip") for word in ("", "--programs")]
    run("systemctl", "start", "tabletop.service")
    writable = run("runuser", "-u", "tabletop", "--", "sh", "-c", f"echo >>{game} && echo written", status=None)
    seen["programs"] = ["1 program" in said[0], said[0].count("left out"), said[1].count("left out"), game.owner(),
                        "written\n" in writable, (HOME / "evening.zip").owner()]  # fmt: skip
    HOME.chmod(0o755)


def words_of(process: Path) -> bytes:
    """Return the command line of a process, empty if it has ended or is only somebody's way to start the program."""
    try:
        words = process.read_bytes()
    except OSError:
        return b""
    return words if b"bin/python\0-P\0-m\0tabletop\0play" in words and b"setpriv" not in words else b""


def sitting_down() -> None:
    """Play in a terminal: it shows, Ctrl-C ends it, a film is the maker's and can be played again."""
    import pty  # noqa: PLC0415 - of this part only

    pid, terminal = pty.fork()
    if pid == 0:
        os.environ["TERM"] = "xterm-256color"
        line = "tabletop play pig --players Ann,Ben --camera sim --screen terminal --buttons keys --port 0"
        os.execvp(  # noqa: S606 - a shell is what it starts
            "runuser", ["runuser", "-l", "maker", "-c", f"stty rows 40 cols 120; exec {line} --record film.avi"]
        )
    shown, begun_s, pressed = b"", time.monotonic(), False
    while time.monotonic() - begun_s < PATIENCE_S:
        try:
            shown += os.read(terminal, 65536)
        except OSError:  # it has ended
            break
        if b"Ann" in shown and not pressed and time.monotonic() - begun_s > 8:
            seen["player"] = [
                file.owner() for file in Path("/proc").glob("[1-9]*/cmdline") if b"film.avi" in words_of(file)
            ]
            pressed = bool(os.write(terminal, b"\x03"))
    sys.stdout.write(f"{shown[-3000:]!r}\n")
    seen["ctrl_c"] = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    seen["colours"] = b"\x1b[" in shown
    film = HOME / "film.avi"
    seen["film"] = [
        film.exists() and film.owner(),
        as_maker(
            "tabletop play pig --players Ann,Ben --camera film.avi --screen none --buttons none --port 0 --json", None
        )[-300:],
    ]
    run("rm", "-f", str(film))


def migrating() -> None:
    """Have the folder of a version with a dynamic user: its matches are found again, as the new user's."""
    before = matches()
    drop_in("User=\nDynamicUser=yes")
    run("systemctl", "restart", "tabletop.service")
    lay = Path("/var/lib/tabletop").is_symlink()
    DROP_IN.unlink()
    run("systemctl", "daemon-reload")
    run("systemctl", "restart", "tabletop.service")
    seen["migrated"] = [
        lay,
        Path("/var/lib/tabletop").is_symlink(),
        STORE.owner(),
        matches() - before,
        shown("ActiveState"),
    ]


def putting_back() -> None:
    """Back all up as the maker, and put it back by the page: the service starts again, with the same matches."""
    before = matches()
    run("runuser", "-l", "maker", "-c", "tabletop backup")
    (archive,) = HOME.glob("tabletop-*.zip")
    by_the_page("The card")
    seen["put_back"] = [archive.owner(), shown("ActiveState"), matches() - before]


def damaging() -> None:
    """Write over a row of the store, then over the whole file, and put it back: the unit stays active and says so."""
    run("systemctl", "stop", "tabletop.service")
    database = sqlite3.connect(STORE, isolation_level=None)
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    whole = STORE.read_bytes()
    database.execute("UPDATE match SET options='[1', players='7'")
    database.close()
    run("systemctl", "start", "tabletop.service")
    row = [until("ActiveState", "active"), until("StatusText", "camera")[:4], matches()]
    named = run("tabletop", "doctor", status=1)
    run("systemctl", "stop", "tabletop.service")
    STORE.write_bytes(b"\0" * 50_000)
    run("systemctl", "start", "tabletop.service")
    seen["damaged_file"] = [until("ActiveState", "active"), until("StatusText", "damaged"), shown("NRestarts")]
    run("systemctl", "stop", "tabletop.service")
    STORE.write_bytes(whole)
    run("systemctl", "start", "tabletop.service")
    seen["damaged_row"] = [*row, "match 1: players, options" in named, shown("NRestarts")]


def stopping() -> None:
    """Stop it: that takes two seconds at most, and leaves the service neither failed nor started again."""
    begun_s = time.monotonic()
    run("systemctl", "stop", "tabletop.service")
    seen["stop_s"] = time.monotonic() - begun_s
    seen["stopped"] = [shown("ActiveState"), shown("Result")]
    run("systemctl", "start", "tabletop.service")


def hanging() -> None:
    """Let it hang: it is killed by the watchdog and started again; its matches are there."""
    drop_in("WatchdogSec=3\nTimeoutStopSec=1\nTimeoutAbortSec=1\nRestartSec=0")
    run("systemctl", "restart", "tabletop.service")
    before, pid = matches(), int(shown("MainPID"))
    os.kill(pid, signal.SIGSTOP)
    begun_s = time.monotonic()
    until("NRestarts", "1")
    until("ActiveState", "active")
    seen["watchdog_s"] = time.monotonic() - begun_s
    seen["another_process"] = int(shown("MainPID")) != pid
    seen["kept"] = matches() >= before
    DROP_IN.unlink()
    run("systemctl", "daemon-reload")


def pausing() -> None:
    """Let its loop stand still as long as a worn card's write does: it is not killed."""
    pid = int(shown("MainPID"))
    os.kill(pid, signal.SIGSTOP)
    time.sleep(SLOW_WRITE_S)
    os.kill(pid, signal.SIGCONT)
    time.sleep(1.0)
    seen["outlives_a_slow_card"] = [int(shown("MainPID")) == pid, shown("ActiveState")]


def losing_its_python() -> None:
    """Take the program from where its Python looks for it, as an upgrade to another Python does; then put it back."""
    (package,) = CURRENT.resolve().glob("lib/python3*/site-packages/tabletop")
    package.rename(package.with_name("tabletop.gone"))
    run("systemctl", "restart", "tabletop.service", status=None)
    until("ActiveState", "failed")
    time.sleep(RESTART_S)
    seen["gone"] = [shown("ActiveState"), shown("ExecMainStatus"), shown("StatusText")]
    seen["gone_journal"] = run("journalctl", "-u", "tabletop", "-n", "20", "--no-pager", "-o", "cat")
    seen["gone_command"] = said = run("runuser", "-l", "maker", "-c", "tabletop games", status=78)
    seen["repaired"] = run(said.strip().rpartition("sudo ")[2])
    seen["runs_again"] = shown("ActiveState")


def updating() -> None:
    """Bring a newer program that does not get ready: it gives way to the one before."""
    before = CURRENT.readlink()
    main = Path("/source/tabletop/cli/play.py")
    whole = main.read_text()
    main.write_text(
        whole.replace(
            "def run(options: argparse.Namespace) -> int:",
            "def run(options):\n    raise SystemExit(3)\n\n\ndef _(options):",
        )
    )
    seen["broken"] = run(INSTALL, status=4)
    seen["came_back"] = CURRENT.readlink() == before and shown("ActiveState") == "active"
    main.write_text(whole)
    run("runuser", "-l", "maker", "-c", "rm -r tabletop-*.tar.gz* tabletop-*/")
    for file in Path("/run/sent").iterdir():
        shutil.copy(file, HOME)
    run("chown", "-R", "maker:", str(HOME))
    seen["update"] = by_the_page("Updates")
    seen["updated"] = CURRENT.readlink() != before and shown("ActiveState") == "active"
    seen["matches_after"] = matches()
    seen["command"] = run("tabletop", "replay", "--json")


def switching_off() -> None:
    """End it with the status of "switch off": the machine ends."""
    (PROOF / "seen.json").write_text(json.dumps(seen))
    drop_in("ExecStart=\nExecStart=/bin/sh -c 'systemd-notify --ready; sleep 1; exit 77'\nNotifyAccess=all")
    run("systemctl", "restart", "tabletop.service", status=None)
    time.sleep(PATIENCE_S)
    (PROOF / "still_on").touch()


try:
    for part in (
        installing,
        planting,
        attacking,
        sitting_down,
        migrating,
        putting_back,
        damaging,
        stopping,
        pausing,
        hanging,
        losing_its_python,
        updating,
        switching_off,
    ):
        part()
except SystemExit as error:
    sys.stdout.write(f"{error}\n")
finally:
    (PROOF / "seen.json").write_text(json.dumps(seen))
    run("journalctl", "-u", "tabletop", "--no-pager", "-o", "cat", "-n", "60", status=None)
    run("systemctl", "poweroff", status=None)
