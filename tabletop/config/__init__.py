"""What is set up once: the profile of its tray and the configuration file."""
