"""Do the tests of a game notice small faults? Its README tells how to run it."""
