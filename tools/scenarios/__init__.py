"""Scenarios of people throwing dice, with the throws that count."""
