"""Writes: one keyword-only function for each thing that can happen, each of them one transaction."""

from __future__ import annotations
