"""Readings drawn into photographs."""
