"""Dice without pips: the solids are the ones that players own, by Euler's formula and the geometry of their faces."""

import numpy as np
import pytest

from tools.training.scenes.marked_dice import add_marked_dice, solids

SOLIDS = {4: (4, 6), 6: (8, 12), 8: (6, 12), 10: (12, 20), 12: (20, 30), 20: (12, 30)}  # faces: vertices, edges


def test_they_have_the_faces_vertices_and_edges_of_their_names() -> None:
    """Counted in tables of polyhedra; each face is flat, and each edge belongs to two faces."""
    seen = set()
    for vertices, faces in solids():
        edges = [frozenset(edge) for face in faces for edge in zip(face, (*face[1:], face[0]), strict=True)]
        assert (len(vertices), len(set(edges))) == SOLIDS[len(faces)]
        assert all(edges.count(edge) == 2 for edge in edges)
        for face in faces:
            corners = vertices[list(face)]
            assert np.linalg.matrix_rank(corners - corners.mean(axis=0), tol=1e-6) == 2
        seen.add(len(faces))
    assert seen == set(SOLIDS)


@pytest.mark.parametrize("seed", range(8))
def test_they_are_drawn_inside_any_frame(seed: int) -> None:
    """The same for the same seed; something is to be seen of them in most frames."""
    frames = [np.full((90, 160, 3), 120, np.uint8) for _ in range(2)]
    for frame in frames:
        add_marked_dice(frame, 40.0, np.random.default_rng(seed))
    assert (frames[0] == frames[1]).all()
    assert (frames[0] != 120).any()
