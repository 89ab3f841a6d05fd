"""The persistent set-up of a table: the profile of its tray and the configuration file."""
