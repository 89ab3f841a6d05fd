"""axe-core, which looks for what people with a screen reader, a keyboard or weak eyes would stumble over."""

from pathlib import Path

from browser import Browser

SCRIPT = Path(__file__).resolve().parents[2] / "build" / "others" / "axe_playwright_python" / "axe.min.js"
GRAVE = ("serious", "critical")  # of axe's four degrees, the two above "minor" and "moderate"
FIND = """
const done = arguments[0];
axe.run(document, { resultTypes: ["violations"], preload: false }).then((found) => done(found.violations.map((fault) =>
  [fault.impact, `${fault.id}: ${fault.nodes[0].html.slice(0, 160)} ${fault.nodes[0].any[0]?.message ?? ""}`])));
"""


def grave_faults(browser: Browser) -> list[str]:
    """Return what axe calls serious or critical on the page as it stands; animations have to be over."""
    assert SCRIPT.is_file(), "expected axe in build/others: `make others` puts it there"
    if browser.value("typeof axe") == "undefined":
        browser.run(SCRIPT.read_text(encoding="utf-8"))
    return [text for impact, text in browser.run(FIND, waits=True) if impact in GRAVE]
