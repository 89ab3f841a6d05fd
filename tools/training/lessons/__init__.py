"""What each network is shown, and what it should answer."""
