"""Judging one response: pure functions over numbers and text."""
