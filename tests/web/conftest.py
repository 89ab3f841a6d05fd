"""A browser as large as a phone, for every test of the page in a real Chromium."""

import os
from collections.abc import Iterator

import pytest
from browser import PHONE, Browser, is_there


@pytest.fixture(scope="module")
def phone() -> Iterator[Browser]:
    """Open a browser as large as a small phone."""
    if not is_there() and "CI" not in os.environ:  # there it is installed, or the test fails
        pytest.skip("needs Chromium (Debian packages chromium and chromium-driver)")
    with Browser(*PHONE) as browser:
        yield browser
