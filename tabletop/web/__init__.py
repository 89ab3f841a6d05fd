"""The table as a page in a browser: a view of the same snapshots, and two buttons for devices that were let in."""
