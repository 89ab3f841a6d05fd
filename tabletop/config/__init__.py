"""What a set-up is told once: the profile of its tray and the configuration file."""
