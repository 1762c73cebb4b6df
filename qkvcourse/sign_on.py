"""Campus sign-on, from the environment: OpenID Connect, CAS and SAML. What is not set up does not exist on any page."""

from __future__ import annotations

from typing import Any

from qkvcourse import env

NAME = "校园统一身份认证"
# Where most federations put what a member is known by, and the name to show.
SAML_UID = "urn:oid:0.9.2342.19200300.100.1.1"
SAML_NAME = "urn:oid:2.16.840.1.113730.3.1.241"


def providers() -> dict[str, Any]:
    """What allauth calls SOCIALACCOUNT_PROVIDERS: one entry for each that the environment describes."""
    return {**_oidc(), **_cas(), **_saml()}


def _oidc() -> dict[str, Any]:
    server = env.text("OIDC_SERVER_URL")
    if not server:
        return {}
    app = {
        "provider_id": "oidc",
        "name": env.text("OIDC_NAME", NAME),
        "client_id": env.required("OIDC_CLIENT_ID", because="OIDC_SERVER_URL is set"),
        "secret": env.required("OIDC_CLIENT_SECRET", because="OIDC_SERVER_URL is set"),
        "settings": {
            "server_url": _address("OIDC_SERVER_URL", server),
            "uid_field": env.text("OIDC_UID_FIELD", "sub"),
            "oauth_pkce_enabled": True,
        },
    }
    return {"openid_connect": {"APPS": [app], "OAUTH_PKCE_ENABLED": True}}


def _cas() -> dict[str, Any]:
    server = env.text("CAS_SERVER_URL")
    if not server:
        return {}
    app = {
        "provider_id": "campus",
        "name": env.text("CAS_NAME", NAME),
        "client_id": "campus",
        "settings": {"server_url": _address("CAS_SERVER_URL", server)},
    }
    return {"cas": {"APPS": [app]}}


def _saml() -> dict[str, Any]:
    metadata = env.text("SAML_METADATA_URL")
    if not metadata:
        return {}
    app = {
        "provider_id": "saml",
        "name": env.text("SAML_NAME", NAME),
        "client_id": "campus",
        "settings": {
            "idp": {
                "entity_id": env.required("SAML_ENTITY_ID", because="SAML_METADATA_URL is set"),
                "metadata_url": _address("SAML_METADATA_URL", metadata),
            },
            "attribute_mapping": {
                "uid": env.text("SAML_UID_ATTRIBUTE", SAML_UID),
                "username": env.text("SAML_UID_ATTRIBUTE", SAML_UID),
                "first_name": env.text("SAML_NAME_ATTRIBUTE", SAML_NAME),
            },
            "advanced": {"want_assertion_signed": True, "allow_single_label_domains": True},
        },
    }
    return {"saml": {"APPS": [app]}}


def _address(name: str, url: str) -> str:
    parts = env.split(url)
    is_loopback = parts.hostname in {"127.0.0.1", "localhost", "::1"}
    if not parts.hostname or (parts.scheme != "https" and not (parts.scheme == "http" and is_loopback)):
        raise env.SettingError(name, f"must begin with https:// and name a server, not {url!r}")
    return url
