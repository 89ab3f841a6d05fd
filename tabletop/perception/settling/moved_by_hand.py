"""Whether dice that came to rest were thrown, or only pushed, turned or slid aside by hand."""

from tabletop.core.geometry import UNMOVED_EDGES, distance_in_edges, point_distance_in_edges
from tabletop.core.values import Die
from tabletop.perception.settling.track import Sighting, Track

PUSHED_S = 6.0  # fingers may be on a die for this long
PUSHED_EDGES = 1.5  # and push it this far unseen, if its face stays the same
TURNED_EDGES = 0.8  # and this far if they turn it over
FLIGHT_S = 1.0  # the dice of one throw are first read within this time


def mark_thrown_together(tracks: list[Track]) -> None:
    """Count a die as thrown if it lies where one lay before that was gone meanwhile, and others came with it.

    Nobody puts a die back exactly there at that moment. If its place was not seen bare, most of the others must have
    come too: a hand that lay still for so long that it counted as background may just have left.
    """
    for track in tracks:
        if track.reappeared_s is None:
            continue
        others = [other for other in tracks if other.is_sure() and other is not track]
        arrived = [other for other in others if not other.reported and other.reappeared_s is None]
        company = [other for other in arrived if abs(other.arrived_s - track.reappeared_s) <= FLIGHT_S]
        if (company and track.was_bare) or (len(company) > 1 and 2 * len(company) > len(others)):
            track.arrived_s, track.reappeared_s = track.reappeared_s, None


def only_slid_aside(arrived: list[Track], gone: list[Track], near: list[Track]) -> bool:
    """Return whether all dice may only have been slid aside under a hand that was in view all the time.

    If so, the same faces are there, and nothing else from before is. arrived: everything that came since, which may
    include dice of an earlier rest that lacked one unreadable die. near: all tracks seen lately.
    """
    if not arrived or len(arrived) != len(gone) or any(track.reported and track not in arrived for track in near):
        return False
    if any(track.left_alone or arrived[0].arrived_s - track.seen_s > PUSHED_S for track in gone):
        return False
    faces_now = sorted(die.face for die in (track.combined() for track in arrived) if isinstance(die, Die))
    faces_before = sorted(track.rested_as.face for track in gone if track.rested_as is not None)
    return faces_now == faces_before


def is_among(places: tuple[tuple[float, float], ...], sighting: Sighting) -> bool:
    """Return whether a sighting is at one of these places (x, y)."""
    return any(point_distance_in_edges(x, y, sighting) <= UNMOVED_EDGES for x, y in places)


def was_pushed(before: Track, now: Track) -> bool:
    """Return whether the die `now` may be the die `before`, pushed by fingers: near enough and soon enough."""
    rested = before.rested_as
    if rested is None or now.arrived_s - before.seen_s > PUSHED_S:
        return False
    reach_edges = PUSHED_EDGES if isinstance(now.last, Die) and now.last.face == rested.face else TURNED_EDGES
    return min(distance_in_edges(now.last, rested), distance_in_edges(now.last, before.last)) <= reach_edges
