"""`python -m bench.page_times ROUNDS`: the seconds that each page takes, in one process without a network.

It prints one JSON object: name of a page -> its times. The environment names the settings and an empty data directory.
"""

from __future__ import annotations

import json
import sys

import django


def main(rounds: int) -> None:
    """Make a site with the course in it, and measure its pages."""
    django.setup()
    from bench.page_visits import make_site, times, visits  # noqa: PLC0415 -- models load once Django is set up

    make_site()
    json.dump(times(visits(), rounds), sys.stdout)


if __name__ == "__main__":
    main(int(sys.argv[1]))
