"""Show snapshots in a terminal; start with `view`."""
