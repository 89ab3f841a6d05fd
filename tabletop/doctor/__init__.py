"""`tabletop doctor`: is every part there, is it right, and what to do if it is not."""
