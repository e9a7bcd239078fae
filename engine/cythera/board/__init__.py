"""Positions and scores."""
