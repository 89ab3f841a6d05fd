"""From frames to readings and rests; begin with `pipeline`."""
