"""Whether dice that came to rest were thrown, or only pushed, turned or slid aside by hand."""

from tabletop.core.geometry import UNMOVED_EDGES, distance_in_edges, point_distance_in_edges
from tabletop.core.values import Die
from tabletop.perception.settling.track import Sighting, Track

PUSHED_S = 6.0  # fingers may be on a die for this long
PUSHED_EDGES = 1.5  # and push it this far unseen, if its face stays
TURNED_EDGES = 0.8  # and this far if they turn it over
FLIGHT_S = 1.0  # the dice of one throw are first read within this time


def mark_thrown_together(tracks: list[Track]) -> None:
    """Count a die as thrown that lies where one lay before and was gone meanwhile, if others came with it.

    Nobody puts a die back exactly there at that moment. If its place was not seen bare, most of the others must have
    come too: a hand that lay still for this long that it counted as background may just have left.
    """
    for track in tracks:
        if track.back_s is None:
            continue
        others = [other for other in tracks if other.sure() and other is not track]
        arrived = [other for other in others if not other.reported and other.back_s is None]
        company = [other for other in arrived if abs(other.arrived_s - track.back_s) <= FLIGHT_S]
        if (company and track.was_bare) or (len(company) > 1 and 2 * len(company) > len(others)):
            track.arrived_s, track.back_s = track.back_s, None


def only_slid_aside(arrived: list[Track], gone: list[Track], near: list[Track]) -> bool:
    """Return whether all dice may only have been slid aside under a hand that was in view all the while.

    The same faces are there, and nothing else of what was there before is. arrived: everything that came since: if one
    die could not be read at first, a rest has shown the others before it. near: all tracks seen lately.
    """
    if not arrived or len(arrived) != len(gone) or any(track.reported and track not in arrived for track in near):
        return False
    if any(track.left_alone or arrived[0].arrived_s - track.seen_s > PUSHED_S for track in gone):
        return False
    faces_now = sorted(die.face for die in (track.joined() for track in arrived) if isinstance(die, Die))
    faces_before = sorted(track.rested_as.face for track in gone if track.rested_as is not None)
    return faces_now == faces_before


def is_among(places: tuple[tuple[float, float], ...], thing: Sighting) -> bool:
    """Return whether a thing is at one of these places (x, y)."""
    return any(point_distance_in_edges(x, y, thing) <= UNMOVED_EDGES for x, y in places)


def was_pushed(before: Track, now: Track) -> bool:
    """Return whether a die that came to rest may be one that fingers were on: near enough, and soon enough."""
    lay = before.rested_as
    if lay is None or now.arrived_s - before.seen_s > PUSHED_S:
        return False
    reach_edges = PUSHED_EDGES if isinstance(now.last, Die) and now.last.face == lay.face else TURNED_EDGES
    return min(distance_in_edges(now.last, lay), distance_in_edges(now.last, before.last)) <= reach_edges
