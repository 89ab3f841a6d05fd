"""A line of a language file: what its placeholders are called, and what is wrong with it. Pure."""

from collections.abc import Mapping
from string import Formatter

# The placeholders, each with the sections in which a plain word that fills it is looked up, if any. A second one of its
# kind has a number behind its name: {n}, {n2}.
KINDS: Mapping[str, tuple[str, ...]] = {
    "n": (),
    "faces": ("sheet",),  # or "nothing"
    "name": (),
    "names": (),
    "text": (),
    "box": ("choices", "sheet"),
    "boxes": ("choices", "sheet"),
    "settings": ("options",),
    "game": ("games",),
    "games": ("games",),
    "option": ("options",),
    "value": ("options",),
    "place": ("doubts",),
    "reason": ("doubts",),
    "why": ("endings",),
    "entry": ("log", "choices", "sheet"),
    "then": ("log",),
}


def kind(placeholder: str) -> str:
    """Return the kind of a placeholder: "n" of "n2"."""
    return placeholder.rstrip("0123456789")


def placeholders(text: str) -> tuple[str, ...]:
    """Return the names in braces, in order; ValueError for a brace that does not enclose one."""
    return tuple(name for _, name, _, _ in Formatter().parse(text) if name is not None)


def line_fault(text: str, translation: str) -> str:
    """Return what is wrong with the braces of a line, empty if all is well; no translation is not wrong."""
    for side in (text, translation):
        try:
            names = placeholders(side)
        except ValueError:
            return f"braces only around a word, as in {{n}}, got {side!r}"
        unknown = [name for name in names if kind(name) not in KINDS]
        if unknown:
            return f"in braces one of {', '.join(KINDS)}, got {{{unknown[0]}}}"
    if translation and sorted(placeholders(text)) != sorted(placeholders(translation)):
        wanted = " ".join(f"{{{name}}}" for name in placeholders(text)) or "no braces"
        return f"{wanted} on both sides, got {translation!r}"
    return ""
