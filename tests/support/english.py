"""What the table says in English, so that a changed text in en.toml changes no test."""

from tabletop.core.message import say
from tabletop.views.i18n.catalogue import load_language


def english(text: str, **arguments: str | int) -> str:
    """Return what a screen shows for a message of the program. text: its id, the left side of en.toml."""
    return load_language("en").translate(say(text, **arguments), ())
