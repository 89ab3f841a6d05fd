"""Draw snapshots on a small display of 128x64 or 128x32 pixels; start with `screen`."""
