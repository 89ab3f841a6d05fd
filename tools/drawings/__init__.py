"""Generated drawings for makers: wiring, stand, and camera height."""
