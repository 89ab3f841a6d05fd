"""Where the pips of each face lie."""

SPACINGS = (0.17, 0.21, 0.25, 0.29)  # edges from the middle of a face, across or down, on dice that are sold
CORNERS, SIDES = ((-1, -1), (1, 1), (-1, 1), (1, -1)), ((-1, 0), (1, 0))
# The pips of each face, as (across, down) in spacings from the middle.
LAYOUTS: dict[int, tuple[tuple[int, int], ...]] = {
    1: ((0, 0),),
    2: CORNERS[:2],
    3: (*CORNERS[:2], (0, 0)),
    4: CORNERS,
    5: (*CORNERS, (0, 0)),
    6: (*CORNERS, *SIDES),
}
TWO_WAYS = (2, 3, 6)  # faces that look different after a quarter of a turn
