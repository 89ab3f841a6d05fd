"""Making profiles: the calibrated facts of one set-up."""
