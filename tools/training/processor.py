"""The capabilities of the processor used for training."""

from pathlib import Path

CPUINFO = Path("/proc/cpuinfo")  # of Linux
FLAGS = ("flags", "features")  # what the line with them is called on x86 and on ARM
BFLOAT16 = "bf16"  # avx512_bf16, amx_bf16, bf16


def has_bfloat16(cpuinfo: str | None = None) -> bool:
    """Return whether the processor multiplies bfloat16 natively, which halves the time; emulation takes six times.

    cpuinfo: Linux's description of the processors; None: of this computer. False if there is no description.
    """
    if cpuinfo is None:
        cpuinfo = CPUINFO.read_text(encoding="utf-8") if CPUINFO.exists() else ""
    lines = [line.partition(":") for line in cpuinfo.splitlines()]
    return any(
        flag.endswith(BFLOAT16) for name, _, flags in lines if name.strip().lower() in FLAGS for flag in flags.split()
    )
