"""A computation written once: its value, its wrong turns, its variants and its formulas are all read off it."""
