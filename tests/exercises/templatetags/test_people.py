"""Devices by the names that people know."""

from __future__ import annotations

import pytest

from exercises.templatetags.people import device

WEBKIT = "AppleWebKit/537.36 (KHTML, like Gecko)"


@pytest.mark.parametrize(
    ("user_agent", "name"),
    [
        (f"Mozilla/5.0 (X11; Linux x86_64) {WEBKIT} Chrome/140.0.0.0 Safari/537.36", "Chrome, Linux"),
        (f"Mozilla/5.0 (Windows NT 10.0; Win64; x64) {WEBKIT} Chrome/140.0 Safari/537.36 Edg/140.0", "Edge, Windows"),
        ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox, macOS"),
        (
            "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Safari/604.1",
            "Safari, iPhone",
        ),
        (f"Mozilla/5.0 (Linux; Android 15) {WEBKIT} Chrome/130.0 Safari/537.36 MicroMessenger/8.0", "WeChat, Android"),
        ("curl/8.9", "curl/8.9"),
        ("", ""),
    ],
)
def test_a_device_is_named_by_its_browser_and_its_system(user_agent: str, name: str) -> None:
    assert device(user_agent) == name
