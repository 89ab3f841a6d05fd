"""What the table makes of rests and presses: answers to the game's question, or a hint. Pure.

`hands` tells which dice of a rest are new and which lie aside, `offers` what BANK would take now, `manners` puts both
together: `on_rest`, `on_press` and `obvious` are the entries.
"""

from tabletop.interpret.hands import Attention
from tabletop.interpret.manners import Outcome, obvious, on_press, on_rest
from tabletop.interpret.offers import Offer, labels, offer

__all__ = ["Attention", "Offer", "Outcome", "labels", "obvious", "offer", "on_press", "on_rest"]
