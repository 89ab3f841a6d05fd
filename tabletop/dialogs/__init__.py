"""Dialogs for two buttons; begin with `menu`."""
