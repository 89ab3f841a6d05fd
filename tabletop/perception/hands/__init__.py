"""Hands and fingers over the tray, seen against the empty tray."""
