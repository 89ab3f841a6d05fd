"""Interpret rests and presses: turn them into answers to the request, or a hint. Pure.

Start with `press_table`: it lists the effects of buttons and throws, row by row. `rests.on_rest` and
`pressing.on_press` are the entry points. `dice_state` finds which dice of a rest are new and which are set aside,
`choices` the order in which answers are offered and the position of HOLD among them, `offers` what BANK would take now.
`unreadable` deals with dice that cannot be read, `hints` has the texts for dice that cannot be taken.
"""

from tabletop.interpret.dice_state import TableMemory
from tabletop.interpret.offers import Offer, labels, offer
from tabletop.interpret.pressing import on_press
from tabletop.interpret.rests import Outcome, obvious, on_rest

__all__ = ["Offer", "Outcome", "TableMemory", "labels", "obvious", "offer", "on_press", "on_rest"]
