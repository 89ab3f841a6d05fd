"""The drawings for makers, by code: wiring, stand, and how high the camera hangs."""
