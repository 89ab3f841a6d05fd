"""What runs on the emulated processor, by word: `imports`, `examples FOLDER` or `readings FILE`; JSON comes out."""

import json
import platform
import sys
from collections.abc import Callable
from dataclasses import asdict
from importlib import import_module
from pathlib import Path

MODULES = (
    *("PIL.Image", "PIL.ImageFont", "anyio", "blessed", "cbor2", "charset_normalizer", "click", "colorzero", "cv2"),
    *("gpiozero", "h11", "idna", "jinxed", "luma.core.interface.serial", "luma.oled.device", "numpy", "platformdirs"),
    *("openskill.models", "reportlab.pdfgen.canvas", "segno", "setuptools", "smbus2", "starlette.applications",
        "tomlkit", "typing_extensions"),
    *("uvicorn", "wcwidth", "tabletop.cli.main", "tabletop.web.page", "hardware.buttons", "hardware.screens"),
)  # fmt: skip


def imports() -> dict[str, object]:
    """Import every package that runs the table, and the table."""
    for name in MODULES:
        import_module(name)
    return {"machine": platform.machine(), "python": platform.python_version(), "imported": len(MODULES)}


def examples(folder: str) -> dict[str, object]:
    """Play the worked examples of all rule texts; `wrong` names those that do not come out."""
    from tabletop.rules.script import difference, examples_of  # noqa: PLC0415 # imports cost seconds here

    held, wrong = {}, []
    for script in sorted(Path(folder).glob("*.txt")):
        found = [difference(example) for example in examples_of(script.read_text(encoding="utf-8"))]
        held[script.stem] = found.count(None)
        wrong += [f"{script.stem}: {one}" for one in found if one is not None]
    return {"held": held, "wrong": wrong}


def readings(file: str) -> list[dict[str, object]]:
    """Read frames from an array of (N, H, W, 3) uint8 BGR."""
    import numpy as np  # noqa: PLC0415 # the same

    from tabletop.vision.reader import read  # noqa: PLC0415 # the same

    return [asdict(read(frame, die_px=60.0)) for frame in np.load(file)]


if __name__ == "__main__":
    tasks: dict[str, Callable[..., object]] = {"imports": imports, "examples": examples, "readings": readings}
    sys.stdout.write(json.dumps(tasks[sys.argv[1]](*sys.argv[2:]), default=str))
