"""A match at a table whose card gets full, then read-only, in a mount of this process's own; run by `unshare`.

Prints one JSON line: what was shown, and how many throws were stored, after each deed.
"""

import json
import resource
import signal
import subprocess
import sys
from pathlib import Path

from people import LOOK_S, People, pig_at

from tabletop.store import Store

CARD_MIB = 24
FULL = "no room to store"


def stored(store: Store) -> int:
    return len(store.events(1))


def main(folder: Path) -> None:
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={CARD_MIB}m", "card", folder], check=True)
    seen: dict[str, object] = {}
    with Store(folder / "a.db") as store:
        people = People(store)
        pig_at(people, 3)
        seen["begun"] = stored(store)
        filler = folder / "photographs"
        filler.write_bytes(bytes((CARD_MIB - 6) << 20))
        people.now_s += 3.0
        seen["full"] = people.table.tick(people.now_s).hint
        people.throw(4)
        seen["full throw"] = stored(store)
        people.press("bank")
        seen["full bank"] = stored(store)
        filler.unlink()
        people.now_s += 3.0
        people.shown = people.table.tick(people.now_s)
        seen["room"] = [stored(store), people.shown.thrown, people.shown.hint, people.shown.at_stake]
        subprocess.run(["mount", "--bind", folder, folder], check=True)
        subprocess.run(["mount", "-o", "remount,bind,ro", folder], check=True)
        people.now_s += 3.0
        people.throw(5)
        seen["read-only"] = [stored(store), people.shown.hint]
        subprocess.run(["umount", folder], check=True)
        people.now_s += 3.0
        people.shown = people.table.tick(people.now_s)
        seen["writable"] = [stored(store), people.shown.thrown, people.shown.at_stake]
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))
        people.throw(6)
        seen["refused"] = [stored(store), people.shown.hint]
        resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        people.now_s += 0.1
        people.shown = people.table.tick(people.now_s)
        seen["granted"] = [stored(store), people.shown.thrown, people.shown.at_stake]
        people.now_s += LOOK_S
        people.press("bank")
        seen["banked"] = dict(people.table.session.match.scores) if people.table.session else {}
    sys.stdout.write(json.dumps(seen) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
