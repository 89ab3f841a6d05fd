"""New settings are on trial: unless they are kept in time, the file before comes back.

The old file lies beside the new one meanwhile. Whatever ends the trial early, a power cut too, starts
`tabletop-trial.service`, which puts it back; a version on trial is treated the same way (`systemd/install`).
"""

import os
import subprocess
import time

from request import CURRENT, HOME, SETTINGS, Refused, Request, sync, write

CONFIG, OLD, KEPT = (SETTINGS / f"tabletop.toml{suffix}" for suffix in ("", ".trial", ".previous"))
MARK = HOME / "trial"  # leads to the version that ends the trial
READY_S, KEEP_S = 60, 90
COMMAND_S = 30.0
TABLE, TIMER, BACK = "tabletop.service", "tabletop-trial.timer", "tabletop-trial.service"


def systemctl(*words: str, patience_s: float = COMMAND_S) -> bool:
    """Run systemctl; return whether it did it in time."""
    try:
        done = subprocess.run(
            ["systemctl", *words], stdin=subprocess.DEVNULL, capture_output=True, check=False, timeout=patience_s
        )
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


def must_be_over() -> None:
    """Refuse while settings are on trial; end a trial that was left behind."""
    if not MARK.is_symlink():
        return
    if systemctl("is-active", "--quiet", TIMER):
        raise Refused("on-trial")
    end()


def try_settings(text: bytes) -> dict[str, object]:
    """Let the table run with this configuration, and give people time to keep it. Raises Refused."""
    must_be_over()
    MARK.symlink_to(CURRENT.readlink())
    sync(HOME)
    write(OLD, CONFIG.read_bytes() if CONFIG.exists() else b"")
    write(CONFIG, text)
    if not systemctl("restart", TABLE, patience_s=READY_S):
        about = status()
        end()
        raise Refused("not-ready", about)
    os.utime(OLD)
    systemctl("start", TIMER)
    return {"keep_s": KEEP_S}


def status() -> str:
    """Return what the table says about itself: a mistake in its configuration, say."""
    words = ["systemctl", "show", TABLE, "--property=StatusText", "--value"]
    try:
        return subprocess.run(words, capture_output=True, text=True, check=False, timeout=COMMAND_S).stdout
    except subprocess.TimeoutExpired:
        return ""


def end() -> None:
    """Let configuration and version be what they were before the trial."""
    systemctl("stop", TIMER)
    if not systemctl("start", BACK, patience_s=READY_S):
        raise Refused("failed", f"systemctl start {BACK}")


def keep(_request: Request) -> dict[str, object]:
    """End a trial of settings: the new ones stay."""
    systemctl("stop", TIMER)
    try:
        OLD.replace(KEPT)
    except FileNotFoundError:
        raise Refused("no-trial") from None
    MARK.unlink(missing_ok=True)
    sync(HOME)
    return {}


def back(_request: Request) -> dict[str, object]:
    """End a trial of settings: the old ones come back."""
    if not OLD.exists():
        raise Refused("no-trial")
    end()
    return {}


def shown() -> dict[str, object] | None:
    """Return what is on trial, and for how many seconds more it can be kept."""
    if not MARK.is_symlink():
        return None
    try:
        left_s = OLD.stat().st_mtime + KEEP_S - time.time()
    except FileNotFoundError:
        return {"of": "version"}
    return {"of": "settings", "left_s": min(KEEP_S, max(0, round(left_s)))}
