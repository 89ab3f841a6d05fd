"""Undo, corrections, and a BANK that was missed."""
