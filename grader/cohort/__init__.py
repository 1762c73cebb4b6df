"""Simulated learners: what they hold, what they answer, and what follows for an item before a real learner meets it."""
