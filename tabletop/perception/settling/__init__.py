"""Settling: from readings of a moving tray to rests. `settling` is the machine, `track` one die that it follows."""

from tabletop.perception.settling.settling import NO_EVIDENCE, HandEvidence, Settler
from tabletop.perception.settling.track import CREEP_EDGES, VOTES_S

__all__ = ["CREEP_EDGES", "NO_EVIDENCE", "VOTES_S", "HandEvidence", "Settler"]
