"""What people are told about an unsure die: the only sentences for `UnsureReason`. No logic reads them."""

from tabletop.core.message import say
from tabletop.core.reasons import UnsureReason
from tabletop.core.values import Unsure

SENTENCES = {
    UnsureReason.MAY_BE_NO_DIE: say("may be no die"),
    UnsureReason.LEANS: say("leans"),
    UnsureReason.PARTLY_HIDDEN: say("part of it is hidden"),
    UnsureReason.OUTSIDE_PICTURE: say("part of it is outside the picture"),
    UnsureReason.TOO_DARK: say("too dark"),
    UnsureReason.GLARE: say("glare"),
    UnsureReason.UNREADABLE: say("its face cannot be told"),
    UnsureReason.ON_EDGE: say("on the edge"),
}


def reason_text(unsure: Unsure) -> str:
    """Return why no face is given, in English: `read --json` prints it."""
    if unsure.reason is UnsureReason.TWO_FACES:
        return say("could be {n} or {n2}", n=unsure.faces[0], n2=unsure.faces[1])
    return SENTENCES[unsure.reason]
