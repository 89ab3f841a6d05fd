"""Random scenes of dice and clutter, with their truth."""
