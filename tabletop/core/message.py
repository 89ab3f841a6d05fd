"""Texts for people: each knows what it says, apart from the language it says it in. Pure.

A message is its English text, so that it can be stored, printed and compared like any other string. It also keeps its
id, the English text with its placeholders, and what fills them: `views.i18n` makes another language of these two. What
makes a plain string of it (an f-string, `str.join`, a slice) loses them: compose with `say` and `join`.

    say("{name} banks {n}", name="Ann", n=35)     # "Ann banks 35"

The name of a placeholder says what fills it (`views.i18n.catalogue.KINDS`).
"""

from collections.abc import Iterable, Mapping

from tabletop.core.values import Unsure, UnsureReason


class Message(str):
    """A text with its parts. id: the English text with placeholders. arguments: what fills them, by name."""

    __slots__ = ("arguments", "id")

    id: str
    arguments: Mapping[str, str | int]

    def __str__(self) -> str:
        """Return this very message: `str(error)` then keeps what an error was made of."""
        return self


class Joined(str):
    """Texts one after the other. between: what separates them in English; parts: two or more."""

    __slots__ = ("between", "parts")

    between: str
    parts: tuple[str, ...]

    def __str__(self) -> str:
        """Return these very parts."""
        return self


def say(text: str, /, **arguments: str | int) -> Message:
    """Return a message. text: in English, what is in braces is filled in; without arguments it is taken as it is."""
    message = Message(text.format_map(arguments) if arguments else text)
    message.id, message.arguments = text, arguments
    return message


def join(between: str, parts: Iterable[str]) -> str:
    """Return these texts one after the other, empty ones left out; each keeps what it is made of."""
    said = tuple(part for part in parts if part)
    if len(said) < len(("one", "another")):
        return said[0] if said else ""
    joined = Joined(between.join(said))
    joined.between, joined.parts = between, said
    return joined


SENTENCES = {
    UnsureReason.MAY_BE_NO_DIE: say("may not be a die"),
    UnsureReason.LEANS: say("leans"),
    UnsureReason.PARTLY_HIDDEN: say("part of it is hidden"),
    UnsureReason.OUTSIDE_PICTURE: say("part of it is outside the picture"),
    UnsureReason.TOO_DARK: say("too dark"),
    UnsureReason.GLARE: say("glare"),
    UnsureReason.UNREADABLE: say("its face cannot be read"),
    UnsureReason.ON_EDGE: say("on the edge"),
}

# Two reasons as `read --json` has always printed them: scripts may compare with them.
_JSON_TEXTS = {UnsureReason.MAY_BE_NO_DIE: "may be no die", UnsureReason.UNREADABLE: "its face cannot be told"}


def json_reason(unsure: Unsure) -> str:
    """Return why no face is given, as `read --json` prints it: English that never changes."""
    return _JSON_TEXTS.get(unsure.reason) or reason_text(unsure)


def reason_text(unsure: Unsure) -> str:
    """Return why no face is given, for people."""
    if unsure.reason is UnsureReason.TWO_FACES:
        return say("could be {n} or {n2}", n=unsure.faces[0], n2=unsure.faces[1])
    return SENTENCES[unsure.reason]
