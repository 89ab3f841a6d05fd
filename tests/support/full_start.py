"""A service that is started on a card without any room, in a mount of this process's own; run by `unshare`.

Prints one JSON line: what the service manager heard and the page showed, before and after there was room.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

from notify_listener import PATIENCE_S
from page_visitor import Visitor
from service_program import listening, service

CARD_MIB = 20
CONFIGURED = 'camera = "none"\nbuttons = "none"\nscreen = "none"\nlisten = "local"\ngame = "pig"\n'


def main(folder: Path) -> None:
    """Start it, look, make room, look again, and stop it."""
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={CARD_MIB}m", "card", folder], check=True)
    seen: dict[str, object] = {}
    filler = folder / "photographs"
    with listening(folder) as manager, service(folder, CONFIGURED, before=lambda: fill(filler)) as program:
        assert program.stderr is not None
        page = Visitor(re.findall(r"http://(\S+)/#", program.stderr.readline())[0])
        seen["status"] = manager.hears(lambda line: line.startswith("STATUS="))
        seen["ready"] = manager.hears("READY=1".__eq__)
        seen["page"] = json.loads(page.get("/state").body)["hint"]
        filler.unlink()
        seen["status then"] = manager.hears(lambda line: line.startswith("STATUS=Pig"))
        seen["page then"] = json.loads(page.get("/state").body)["ask"]
        program.terminate()
        seen["end"] = program.wait(PATIENCE_S)
        seen["said"] = program.stderr.read()
    sys.stdout.write(json.dumps(seen) + "\n")


def fill(filler: Path) -> None:
    with filler.open("wb", buffering=0) as file:
        try:
            while file.write(bytes(4096)):
                pass
        except OSError:
            return


if __name__ == "__main__":
    main(Path(sys.argv[1]))
