"""What people are told about an unsure die: the only sentences for `UnsureReason`. No logic reads them."""

from tabletop.core.reasons import UnsureReason
from tabletop.core.values import Unsure

SENTENCES = {
    UnsureReason.MAY_BE_NO_DIE: "may be no die",
    UnsureReason.LEANS: "leans",
    UnsureReason.PARTLY_HIDDEN: "part of it is hidden",
    UnsureReason.OUTSIDE_PICTURE: "part of it is outside the picture",
    UnsureReason.TOO_DARK: "too dark",
    UnsureReason.GLARE: "glare",
    UnsureReason.TWO_FACES: "could be {n} or {n2}",
    UnsureReason.UNREADABLE: "its face cannot be told",
    UnsureReason.ON_EDGE: "on the edge",
}


def reason_text(unsure: Unsure) -> str:
    """Return why no face is given, in English: `read --json` prints it, and recordings keep it."""
    sentence = SENTENCES[unsure.reason]
    return sentence.format(n=unsure.faces[0], n2=unsure.faces[1]) if unsure.faces else sentence
