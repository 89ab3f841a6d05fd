"""Time from a stored event to pixels in a real Chromium: `PYTHONPATH=tests/support python -m tools.bench.page`.

It begins when the store returns with the event on disk, and includes snapshot, feed, stream and the page's modules, up
to the second frame that the browser begins after the page has changed: the first one is drawn by then, so this is up to
one frame (17 ms) too long. Both ends are read from this machine's clock. A phone draws more slowly than this machine.
"""

import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from browser import PHONE, Browser

from tabletop.core.values import Moment
from tabletop.rules import Answer, Choose, Match, Throw
from tabletop.session.match_session import MatchSession
from tabletop.session.snapshotting import snapshot
from tabletop.store import Store
from tabletop.web.listening import listen
from tabletop.web.page import DEVICES, Page
from tools.bench.figure import MS_PER_S, Figure

EVENTS = 40
WATCH = """
globalThis.drawn = {};
new MutationObserver(() => {
  const count = document.body.dataset.count;
  requestAnimationFrame(() => requestAnimationFrame(() => {
    drawn[count] ??= performance.timeOrigin + performance.now();
  }));
}).observe(document.body, { attributes: true, attributeFilter: ["data-count"] });
"""


def page_times_ms(folder: Path, events: int) -> list[float]:
    """Return the time from disk to pixels for each of this many events of a Pig match."""
    times_ms = []
    with Store(folder / "bench.db") as store, Browser(*PHONE) as phone:
        number = store.begin("pig", ("Ann", "Ben"), {}, _time().time)
        session = MatchSession(Match("pig", ["Ann", "Ben"], target=10_000), store, number, _time, lambda _: None)
        page = Page(listen("local", 0), time.monotonic, folder / DEVICES)
        page.show(snapshot(session, None), None, time.monotonic())
        phone.open(f"http://{page.address}/")
        phone.until("document.body.dataset.count === '1'")
        phone.run(WATCH)
        for event in range(events):
            answer: Answer = Choose("roll") if event % 2 else Throw((event // 2 % 5 + 2,))
            session.give(answer)
            start_s = time.time()
            page.show(snapshot(session, None), None, time.monotonic())
            phone.until(f"drawn[{page.feed.count}]")
            times_ms.append(phone.value(f"drawn[{page.feed.count}]") - MS_PER_S * start_s)
        page.close()
    return times_ms


def _time() -> Moment:
    return Moment("1970-01-01T00:00:00Z")


def main() -> int:
    """Measure, and print the median."""
    with tempfile.TemporaryDirectory() as folder:
        times_ms = page_times_ms(Path(folder), EVENTS)
    figure = Figure("event on disk to pixels in Chromium", median(times_ms), "ms", EVENTS)
    sys.stdout.write(
        f"{figure.value:>10.1f} {figure.unit:<4} {figure.name}  ({EVENTS} runs, worst {max(times_ms):.1f} ms)\n"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
