"""A small campus on loopback: an OpenID Connect provider, a CAS server and a SAML identity provider, over real HTTP.

Whoever comes is signed in at once as the person that the test has chosen.
"""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
import threading
import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, parse_qsl, urlencode, urlsplit
from xml.etree import ElementTree as ET
from xml.sax.saxutils import escape

import jwt
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.x509.oid import NameOID
from onelogin.saml2.constants import OneLogin_Saml2_Constants as Saml
from onelogin.saml2.utils import OneLogin_Saml2_Utils as SamlUtils

CLIENT_ID, CLIENT_SECRET = "qkv-course", "a secret between the campus and us"
KEY = rsa.generate_private_key(public_exponent=65537, key_size=2048)
UID_ATTRIBUTE = "urn:oid:0.9.2342.19200300.100.1.1"
NAME_ATTRIBUTE = "urn:oid:2.16.840.1.113730.3.1.241"


@dataclass(slots=True)
class Campus:
    """Where it listens, whom it vouches for, and what it was asked."""

    address: str = ""
    uid: str = "2023001"
    name: str = "Ada"
    audience: str = CLIENT_ID
    codes: dict[str, dict[str, str]] = field(default_factory=dict)
    tickets: dict[str, str] = field(default_factory=dict)


@contextmanager
def started_campus() -> Iterator[Campus]:
    """The servers, for as long as somebody needs them."""
    campus = Campus()
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"campus": campus}))
    campus.address = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield campus
    finally:
        server.shutdown()
        server.server_close()
        thread.join(timeout=5)


def saml_answer(campus: Campus, request_address: str, *, signed: bool = True) -> dict[str, str]:
    """The form that the identity provider lets the browser send back, for the request in the address that led there."""
    packed = parse_qs(urlsplit(request_address).query)["SAMLRequest"][0]
    asked = ET.fromstring(zlib.decompress(base64.b64decode(packed), -15))
    audience = asked.find("{urn:oasis:names:tc:SAML:2.0:assertion}Issuer").text
    said = _assertion(campus, asked.get("ID"), asked.get("AssertionConsumerServiceURL"), audience)
    if signed:
        said = SamlUtils.add_sign(said, _private_pem(), _certificate(), sign_algorithm=Saml.RSA_SHA256).decode()
    now, answer = _stamp(), f"_{secrets.token_hex(16)}"
    response = (
        f'<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="{answer}" Version="2.0"'
        f' IssueInstant="{now}" Destination="{asked.get("AssertionConsumerServiceURL")}" InResponseTo="{asked.get("ID")}">'
        f'<saml:Issuer xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">{campus.address}/idp</saml:Issuer>'
        '<samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status>'
        f"{said}</samlp:Response>"
    )
    return {"SAMLResponse": base64.b64encode(response.encode()).decode()}


class _Handler(BaseHTTPRequestHandler):
    campus: Campus

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        answer = {
            "/.well-known/openid-configuration": self._configuration,
            "/authorize": self._authorize,
            "/userinfo": self._userinfo,
            "/jwks": self._jwks,
            "/cas/login": self._cas_login,
            "/cas/p3/serviceValidate": self._cas_validate,
            "/idp": self._saml_metadata,
        }[parts.path]
        answer(dict(parse_qsl(parts.query)))

    def do_POST(self) -> None:
        form = dict(parse_qsl(self.rfile.read(int(self.headers["Content-Length"])).decode()))
        asked = self.campus.codes.pop(form.get("code", ""), None)
        challenge = base64.urlsafe_b64encode(hashlib.sha256(form.get("code_verifier", "").encode()).digest()).rstrip(
            b"="
        )
        is_ours = form.get("client_id") == CLIENT_ID and form.get("client_secret") == CLIENT_SECRET
        if asked is None or not is_ours or asked["code_challenge"] != challenge.decode():
            self._send(json.dumps({"error": "invalid_grant"}), status=400)
            return
        told = {
            "iss": self.campus.address,
            "aud": self.campus.audience,
            "sub": self.campus.uid,
            "exp": time.time() + 60,
        }
        token = jwt.encode(told, KEY, algorithm="RS256", headers={"kid": "1"})
        self._send(json.dumps({"access_token": "at", "token_type": "Bearer", "id_token": token}))

    def log_message(self, *_arguments: object) -> None:
        """Nobody reads it."""

    def _configuration(self, _asked: dict[str, str]) -> None:
        at = self.campus.address
        told = {
            "issuer": at,
            "authorization_endpoint": f"{at}/authorize",
            "token_endpoint": f"{at}/token",
            "userinfo_endpoint": f"{at}/userinfo",
            "jwks_uri": f"{at}/jwks",
            "token_endpoint_auth_methods_supported": ["client_secret_post"],
        }
        self._send(json.dumps(told))

    def _authorize(self, asked: dict[str, str]) -> None:
        code = secrets.token_hex(8)
        self.campus.codes[code] = asked
        self._go(f"{asked['redirect_uri']}?{urlencode({'code': code, 'state': asked['state']})}")

    def _userinfo(self, _asked: dict[str, str]) -> None:
        self._send(json.dumps({"sub": self.campus.uid, "name": self.campus.name, "email": "ada@example.org"}))

    def _jwks(self, _asked: dict[str, str]) -> None:
        key = json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(KEY.public_key()))
        self._send(json.dumps({"keys": [key | {"kid": "1"}]}))

    def _cas_login(self, asked: dict[str, str]) -> None:
        ticket = f"ST-{secrets.token_hex(8)}"
        self.campus.tickets[ticket] = asked["service"]
        self._go(f"{asked['service']}&{urlencode({'ticket': ticket})}")

    def _cas_validate(self, asked: dict[str, str]) -> None:
        """A ticket is good once, and for the very service that it was given for."""
        if self.campus.tickets.pop(asked.get("ticket", ""), "") != asked.get("service"):
            inner = '<cas:authenticationFailure code="INVALID_TICKET">no</cas:authenticationFailure>'
        else:
            inner = (
                f"<cas:authenticationSuccess><cas:user>{escape(self.campus.uid)}</cas:user><cas:attributes>"
                f"<cas:displayName>{escape(self.campus.name)}</cas:displayName></cas:attributes>"
                "</cas:authenticationSuccess>"
            )
        self._send(f'<cas:serviceResponse xmlns:cas="http://www.yale.edu/tp/cas">{inner}</cas:serviceResponse>')

    def _saml_metadata(self, _asked: dict[str, str]) -> None:
        at = self.campus.address
        self._send(
            f'<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="{at}/idp">'
            '<md:IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">'
            '<md:KeyDescriptor use="signing"><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:X509Data>'
            f"<ds:X509Certificate>{SamlUtils.format_cert(_certificate(), heads=False)}</ds:X509Certificate>"
            "</ds:X509Data></ds:KeyInfo></md:KeyDescriptor>"
            '<md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect"'
            f' Location="{at}/saml/login"/></md:IDPSSODescriptor></md:EntityDescriptor>'
        )

    def _go(self, address: str) -> None:
        self.send_response(302)
        self.send_header("Location", address)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def _send(self, text: str, *, status: int = 200) -> None:
        body = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json" if text.startswith("{") else "application/xml")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def _assertion(campus: Campus, request_id: str, acs: str, audience: str) -> str:
    now, soon = _stamp(), _stamp(minutes=5)
    told = "".join(
        f'<saml:Attribute Name="{name}"><saml:AttributeValue>{escape(value)}</saml:AttributeValue></saml:Attribute>'
        for name, value in ((UID_ATTRIBUTE, campus.uid), (NAME_ATTRIBUTE, campus.name))
    )
    return (
        f'<saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_{secrets.token_hex(16)}" Version="2.0"'
        f' IssueInstant="{now}"><saml:Issuer>{campus.address}/idp</saml:Issuer>'
        "<saml:Subject><saml:NameID>a-name-that-changes</saml:NameID>"
        '<saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer">'
        f'<saml:SubjectConfirmationData NotOnOrAfter="{soon}" Recipient="{acs}" InResponseTo="{request_id}"/>'
        f'</saml:SubjectConfirmation></saml:Subject><saml:Conditions NotBefore="{now}" NotOnOrAfter="{soon}">'
        f"<saml:AudienceRestriction><saml:Audience>{audience}</saml:Audience></saml:AudienceRestriction></saml:Conditions>"
        f'<saml:AuthnStatement AuthnInstant="{now}" SessionIndex="1"><saml:AuthnContext><saml:AuthnContextClassRef>'
        "urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef></saml:AuthnContext>"
        f"</saml:AuthnStatement><saml:AttributeStatement>{told}</saml:AttributeStatement></saml:Assertion>"
    )


def _stamp(*, minutes: int = 0) -> str:
    return f"{datetime.now(UTC) + timedelta(minutes=minutes):%Y-%m-%dT%H:%M:%SZ}"


def _private_pem() -> str:
    traditional = serialization.PrivateFormat.TraditionalOpenSSL
    return KEY.private_bytes(serialization.Encoding.PEM, traditional, serialization.NoEncryption()).decode()


def _certificate() -> str:
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "campus")])
    now = datetime.now(UTC)
    builder = x509.CertificateBuilder(name, name, KEY.public_key(), 1, now - timedelta(days=1), now + timedelta(days=1))
    return builder.sign(KEY, hashes.SHA256()).public_bytes(serialization.Encoding.PEM).decode()
