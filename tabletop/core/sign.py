"""`Sign`: one thing about a set-up that is shown large while somebody moves camera and lamp."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Sign:
    """name: what is looked at. figure: what was found. advice: what to change, empty if it is good."""

    name: str
    figure: str
    advice: str = ""


@dataclass(frozen=True, slots=True)
class Signs:
    """What one picture says. markers: the outlines of those seen, four corners each in pixels. signs: in order."""

    markers: tuple[tuple[tuple[float, float], ...], ...]
    signs: tuple[Sign, ...]
