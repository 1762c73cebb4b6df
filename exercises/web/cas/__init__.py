"""Campus sign-on by CAS, as one more provider of allauth; python-cas speaks the protocol."""
