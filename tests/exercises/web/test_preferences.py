from __future__ import annotations

import pytest
from django.test import Client


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_theme_is_kept_and_rendered_by_the_server(theme: str, client: Client, db: None) -> None:
    response = client.post("/en/theme/", {"theme": theme, "next": "/en/accounts/login/"})
    page = client.get("/en/accounts/login/").content.decode()

    assert response["Location"] == "/en/accounts/login/"
    assert (f'data-theme="{theme}"' in page, page.count('aria-pressed="true"')) == (True, 1)


@pytest.mark.parametrize("theme", ["system", "purple", '"><script>'])
def test_anything_else_follows_the_system(theme: str, client: Client, db: None) -> None:
    client.post("/en/theme/", {"theme": "dark"})
    client.post("/en/theme/", {"theme": theme})

    assert 'data-theme=""' in client.get("/en/accounts/login/").content.decode()


def test_forged_cookie_reaches_no_page(client: Client, db: None) -> None:
    client.cookies["theme"] = "x onload=alert(1)"

    assert "alert" not in client.get("/en/accounts/login/").content.decode()


@pytest.mark.parametrize("target", ["https://example.org/", "//example.org/", "javascript:alert(1)"])
def test_the_way_back_never_leaves_the_site(target: str, client: Client, db: None) -> None:
    assert client.post("/en/theme/", {"theme": "dark", "next": target})["Location"] == "/"
