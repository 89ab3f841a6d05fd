"""Random scenes of dice and clutter, with ground truth."""
