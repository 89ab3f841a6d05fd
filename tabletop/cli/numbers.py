"""Argument types for numbers."""

import argparse

from tabletop.core.errors import InputError
from tabletop.rules.names import quoted

MOST_DIGITS = 18  # of a whole number: SQLite's, and those of most programs, are no larger


def whole_number(text: str) -> int:
    """Parse an argument that is a whole number, of at most 18 digits."""
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit() and len(digits) <= MOST_DIGITS):
        raise argparse.ArgumentTypeError(f"expected a whole number, got {quoted(text)}")
    return int(text)


def match_number(text: str) -> int:
    """Parse the number of a stored match: 1 or more, as listed by `tabletop replay`."""
    if not (text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS and int(text)):
        raise InputError(f"expected the number of a stored match, 1 or more, got {quoted(text)}")
    return int(text)
