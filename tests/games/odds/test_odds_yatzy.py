"""Yatzy's odds: the forced game, and the published mean of a whole match of best play."""

from random import Random

import numpy as np
import pytest
from best_play import Faces, Lattice, Numbers, hands, with_bonus
from box_scores import RULES

from tabletop.rules import Match

BOXES = list(RULES["yatzy"])
UPPER_BOXES = 6
GOAL, BONUS = 63, 50
POINTS = np.array([[score(hand) for score in RULES["yatzy"].values()] for hand in hands(5)], dtype=np.float64)


def forced_match(rng: Random, to_come: Numbers, lattice: Lattice) -> int:
    """Play the forced game alone through the referee, as well as can be; return the total."""
    match = Match("yatzy", ["Ann"], rules="forced-yatzy")
    upper = 0
    for box, name in enumerate(BOXES):
        there = np.minimum(GOAL, upper + POINTS[:, box] * (box < UPPER_BOXES)).astype(int)
        last = (POINTS[:, box] + to_come[(2 << box) - 1, there])[:, None]
        hand: Faces = ()
        for value in (lattice.before_keep(last), last, None):
            faces = tuple(rng.randint(1, 6) for _ in range(5 - len(hand)))
            match.throw(faces)
            hand = tuple(sorted(hand + faces))
            if value is None:
                break
            means = [*lattice.after_parts(value)[:-1], last]  # keeping all ends the throwing
            kept = max(match.request.legal, key=lambda part: lattice.of_part(means, part))
            match.keep(kept)
            if len(kept) == len(hand):
                break
            hand = kept
        assert match.request.options == (name,)
        match.choose(name)
        upper += int(POINTS[lattice.place[hand], box]) * (box < UPPER_BOXES)
    return match.scores["Ann"]


def test_the_best_mean_of_the_forced_game() -> None:
    """122.5585, worked out from the rule; 400 seeded matches of best play have it within four standard errors."""
    to_come = with_bonus(5, 3, POINTS, GOAL, BONUS, in_order=True)
    mean = float(to_come[0, 0])
    assert round(mean, 4) == 122.5585
    rng, lattice = Random("forced"), Lattice(5)
    totals = np.array([forced_match(rng, to_come, lattice) for _ in range(400)])
    assert float(totals.mean()) == pytest.approx(mean, abs=4 * float(totals.std()) / 20)


@pytest.mark.soak
def test_the_published_best_mean_of_a_match() -> None:
    """248.4, Daniel Langkilde, "Yatzy: More Than You Ever Wanted To Know", 2025; solved from the rule it is 248.4400.

    The points are those of `test_every_hand_in_every_box`, so the referee's game is the one that is solved. Larsson and
    Sjöberg, "Optimal Yatzy strategy", KTH Stockholm, 2012, have 248.63: 248.64 is what four alike as two pairs make.
    """
    assert round(float(with_bonus(5, 3, POINTS, GOAL, BONUS)[0, 0]), 4) == 248.4400
