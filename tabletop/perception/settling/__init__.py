"""Settling: from readings of a moving tray to rests. `settling` is the machine, `track` one die that it follows."""

from tabletop.perception.settling.settling import NOTHING_BESIDES, Besides, Settle
from tabletop.perception.settling.track import CREEP_EDGES, VOTES_S

__all__ = ["CREEP_EDGES", "NOTHING_BESIDES", "VOTES_S", "Besides", "Settle"]
