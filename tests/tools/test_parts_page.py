"""The pages for makers: totals are sums, lengths and files are those that the tools make."""

import re
from pathlib import Path

from tools.drawings.battens import Battens
from tools.models.__main__ import FOLDER

DOCS = Path(__file__).resolve().parents[2] / "docs"


def test_the_totals_are_the_sums_of_the_prices() -> None:
    """Lowest and highest price of either choice, over all parts that are not optional."""
    rows = re.findall(
        r"^\| ([\w ]+?) \|.*?\| (\d+)-(\d+) \|.*?\| (\d+)-(\d+) \|", (DOCS / "parts.md").read_text(), re.MULTILINE
    )
    prices = {part: [int(price) for price in numbers] for part, *numbers in rows}
    total = prices.pop("total")
    assert len(prices) == 11
    assert total == [sum(column) for column in zip(*prices.values(), strict=True)]
    assert all(
        low <= high
        for first, second, third, fourth in prices.values()
        for low, high in ((first, second), (third, fourth))
    )


def test_the_page_of_printed_parts_has_every_file_and_length() -> None:
    """Every STL and 3MF file has a link; the battens are as long as their measures say."""
    text = (DOCS / "printing.md").read_text()
    assert set(re.findall(r"\(models/([\w.-]+)\)", text)) == {path.name for path in FOLDER.iterdir()}
    battens = Battens()
    assert f"{battens.upright:g} and {battens.arm:g} mm" in text
