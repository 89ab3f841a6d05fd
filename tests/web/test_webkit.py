"""The page in a real WebKit, the engine of iPhones: looked at, let in, a Pig, and boxes of Yahtzee, all by taps."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from page_program import page_of
from webkit import WebKit, is_there

pytestmark = pytest.mark.slow

SCORES = (
    "Object.fromEntries([...document.querySelectorAll('#scores li')]"
    ".map(row => [row.querySelector('.name').firstChild.data, row.querySelector('.score').innerText]))"
)
KEYS = "document.querySelector('#face-6')?.checkVisibility()"
STAKE = "document.querySelector('#stake').checkVisibility()"


@pytest.fixture(scope="module")
def phone() -> Iterator[WebKit]:
    if not is_there() and "CI" not in os.environ:  # there it is installed, or the test fails
        pytest.skip("needs WebKit (Debian packages webkit2gtk-driver and xvfb)")
    with WebKit(800) as browser:
        yield browser


def test_a_pig_by_taps(phone: WebKit, tmp_path: Path) -> None:
    """Watch, enter the digits, and win: Ann 4, Ben 6, Ann 7, Ben 11."""
    with page_of(tmp_path, "pig", "--players", "Ann,Ben", "--set", "target=8", "--camera", "none") as (address, digits):
        phone.open(f"http://{address}/")
        phone.until("document.querySelector('#who').innerText === 'Ann'")
        phone.tap("#join")
        phone.write("#digits", digits)
        phone.tap("#enter")
        for face in (4, 6, 3, 5):
            phone.until(KEYS)
            phone.tap(f"#face-{face}")
            phone.until(STAKE)
            phone.tap("#bank")
            phone.until(f"!{STAKE}")
        phone.until("document.querySelector('#scores .won')")
        assert phone.value(SCORES) == {"Ann": "7", "Ben": "11"}
        assert phone.value("document.documentElement.scrollWidth <= innerWidth")
