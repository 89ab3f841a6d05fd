"""From frames to readings and rests; start with `pipeline`."""
