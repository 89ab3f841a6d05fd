"""Settling: readings of a moving tray become rests. `settler` is the state machine, `track` one die that it follows."""

from tabletop.perception.settling.evidence import NO_EVIDENCE, HandEvidence
from tabletop.perception.settling.hindrance import Hindrance
from tabletop.perception.settling.patience import HeldBack
from tabletop.perception.settling.settler import Settler
from tabletop.perception.settling.track import CREEP_EDGES, VOTES_S

__all__ = ["CREEP_EDGES", "NO_EVIDENCE", "VOTES_S", "HandEvidence", "HeldBack", "Hindrance", "Settler"]
