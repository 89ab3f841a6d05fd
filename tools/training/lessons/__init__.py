"""The training samples of each network, and their targets."""
