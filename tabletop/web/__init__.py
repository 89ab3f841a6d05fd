"""The table as a web page: a view of the same snapshots, and two buttons for paired devices."""
