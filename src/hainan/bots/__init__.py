"""Choosing an action from what a seat knows."""
