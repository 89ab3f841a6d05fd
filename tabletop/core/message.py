"""Translatable texts: each keeps its content apart from the language it is shown in. Pure.

A message is its English text, so it can be stored, printed and compared like any other string. It also keeps its id
(the English text with placeholders) and its arguments, from which `views.i18n` builds the text in another language.
Operations that return a plain string (an f-string, `str.join`, a slice) lose both: compose with `say` and `join`.

    say("{name} banks {n}", name="Ann", n=35)     # "Ann banks 35"

The name of a placeholder says what kind of value fills it (`views.i18n.catalogue.KINDS`).
"""

from collections.abc import Iterable, Mapping

from tabletop.core.values import Unsure, UnsureReason


class Message(str):
    """A translatable text. id: the English text with placeholders. arguments: the values that fill them, by name."""

    __slots__ = ("arguments", "id")

    id: str
    arguments: Mapping[str, str | int]

    def __str__(self) -> str:
        """Return this very message: `str(error)` then keeps what an error was made of."""
        return self


class Joined(str):
    """Several texts joined. between: the English separator; parts: two or more texts."""

    __slots__ = ("between", "parts")

    between: str
    parts: tuple[str, ...]

    def __str__(self) -> str:
        """Return these very parts."""
        return self


def say(text: str, /, **arguments: str | int) -> Message:
    """Return a message. text: English, with placeholders in braces; used verbatim if there are no arguments."""
    message = Message(text.format_map(arguments) if arguments else text)
    message.id, message.arguments = text, arguments
    return message


def join(between: str, parts: Iterable[str]) -> str:
    """Join the non-empty texts; each stays translatable."""
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

# `read --json` has always printed these two reasons in these words: scripts may compare with them.
_JSON_TEXTS = {UnsureReason.MAY_BE_NO_DIE: "may be no die", UnsureReason.UNREADABLE: "its face cannot be told"}


def json_reason(unsure: Unsure) -> str:
    """Return the reason for an unsure reading as `read --json` prints it: English, and stable."""
    return _JSON_TEXTS.get(unsure.reason) or reason_text(unsure)


def reason_text(unsure: Unsure) -> str:
    """Return the reason for an unsure reading as a text for users."""
    if unsure.reason is UnsureReason.TWO_FACES:
        return say("could be {n} or {n2}", n=unsure.faces[0], n2=unsure.faces[1])
    return SENTENCES[unsure.reason]
