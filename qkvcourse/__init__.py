"""The roof: settings, the web and worker entry points, and the one-machine start."""

from __future__ import annotations
