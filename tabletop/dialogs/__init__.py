"""Dialogs for two buttons; start with `menu`."""
