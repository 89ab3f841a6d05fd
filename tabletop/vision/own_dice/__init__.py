"""Dice that people have taught this table, and how it recognises them."""
