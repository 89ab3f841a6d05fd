"""The referee: games are coroutines that ask questions, matches are lists of events. It imports no game until asked."""

from tabletop.rules.catalog import game_ids, load
from tabletop.rules.events import Correction, Event
from tabletop.rules.match import Match
from tabletop.rules.requests import Answer, Choose, Keep, Request, Throw

__all__ = ["Answer", "Choose", "Correction", "Event", "Keep", "Match", "Request", "Throw", "game_ids", "load"]
