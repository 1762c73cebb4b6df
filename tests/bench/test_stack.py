"""The suite `stack` on a really started site, in one short round."""

from __future__ import annotations

import pytest

from bench.site import Site
from bench.stack import Times, figures, measure_site


@pytest.mark.e2e
@pytest.mark.jail
@pytest.mark.xdist_group("serve")
def test_every_figure_is_measured_and_ratios_fit_their_parts(started_site: Site):
    found = {figure.id: figure for figure in measure_site(started_site, rounds=1)}

    assert all(figure.value > 0 for figure in found.values())
    assert found["verdict_ratio"].value == pytest.approx(found["verdict_ms"].value / found["start_ms"].value)
    assert found["rate_ratio"].value == pytest.approx(found["rate"].value / found["start_rate"].value)


def test_figures_are_medians_and_ratios_to_bare_starts():
    times = Times(verdicts=[0.1, 0.2, 0.6], starts=[0.4, 0.4, 0.5], submitting=[4.0], starting=[8.0])

    values = {figure.id: round(figure.value, 6) for figure in figures(times, windows_open=4)}

    assert values == {
        "verdict_ratio": 0.5,
        "verdict_p95_ratio": 1.5,
        "rate_ratio": 2.0,
        "verdict_ms": 200.0,
        "verdict_p95_ms": 600.0,
        "rate": 8.0,
        "start_ms": 400.0,
        "start_rate": 4.0,
    }
