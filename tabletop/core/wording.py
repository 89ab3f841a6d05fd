"""What people are told about an unsure die: the only sentences for `UnsureReason`. No logic reads them."""

from tabletop.core.message import say
from tabletop.core.values import Unsure, UnsureReason

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
_JSON_TEXTS = {
    UnsureReason.MAY_BE_NO_DIE: "may be no die",
    UnsureReason.UNREADABLE: "its face cannot be told",
}


def json_reason(unsure: Unsure) -> str:
    """Return why no face is given, as `read --json` prints it: English that never changes."""
    return _JSON_TEXTS.get(unsure.reason) or reason_text(unsure)


def reason_text(unsure: Unsure) -> str:
    """Return why no face is given, for people."""
    if unsure.reason is UnsureReason.TWO_FACES:
        return say("could be {n} or {n2}", n=unsure.faces[0], n2=unsure.faces[1])
    return SENTENCES[unsure.reason]
