"""Make, list and revoke the tokens by which scripts and learning platforms use the API."""

from __future__ import annotations

import argparse
from datetime import timedelta
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from exercises.enums import ApiScope
from exercises.models import ApiToken, Course, User
from exercises.queries.api_tokens import api_tokens, api_tokens_with_prefix
from exercises.services.api_token import api_token_create, api_token_revoke

USUAL_DAYS = 90
MOST_DAYS = 3650


class Command(BaseCommand):
    """`api_token create | list | revoke`."""

    help = "Make, list and revoke tokens for /api/v1. A token's secret is printed once, when it is made."

    def add_arguments(self, parser: CommandParser) -> None:
        """One word for what to do, and what it needs."""
        actions = parser.add_subparsers(dest="action", required=True)
        create = actions.add_parser("create", help="make a token and print it, this once")
        create.add_argument("--user", required=True, help="whom the token speaks for")
        create.add_argument("--name", required=True, help="what it is for, to recognise it by")
        create.add_argument("--scope", action="append", required=True, choices=ApiScope.values, dest="scopes")
        create.add_argument("--course", default="", help="the one course it reaches; all of the user's without")
        create.add_argument("--days", type=days, default=USUAL_DAYS, help=f"how long it lives ({USUAL_DAYS})")
        listing = actions.add_parser("list", help="list tokens, without their secrets")
        listing.add_argument("--user", default="")
        revoke = actions.add_parser("revoke", help="end a token now")
        revoke.add_argument("prefix", help="the beginning of the token, as the list shows it")

    def handle(self, *args: Any, **options: Any) -> None:  # noqa: ARG002 -- Django passes both
        """Do what the first word says."""
        {"create": self.create, "list": self.list, "revoke": self.revoke}[options["action"]](options)

    def create(self, options: dict[str, Any]) -> None:
        """Print the secret alone on its line, so that a script can take it."""
        new = api_token_create(
            user=_user(options["user"]),
            name=options["name"],
            scopes=[ApiScope(scope) for scope in options["scopes"]],
            lifetime=timedelta(days=options["days"]),
            course=_course(options["course"]) if options["course"] else None,
        )
        self.stderr.write(f"token of {new.token.user.username}, until {new.token.expires_at:%Y-%m-%d}; shown only now:")
        self.stdout.write(new.secret)

    def list(self, options: dict[str, Any]) -> None:
        """One line a token."""
        for token in api_tokens(username=options["user"]):
            self.stdout.write("  ".join(_columns(token)))

    def revoke(self, options: dict[str, Any]) -> None:
        """Say what was done."""
        found = api_tokens_with_prefix(options["prefix"])
        if len(found) != 1:
            raise CommandError(f"{len(found)} tokens begin with {options['prefix']!r}; `api_token list` shows them")
        was_good = api_token_revoke(token=found[0])
        self.stdout.write(f"{found[0]}: {'revoked' if was_good else 'was revoked before'}")


def days(text: str) -> int:
    """A lifetime in days, as the command line gives it."""
    if not (text.isascii() and text.isdecimal() and 1 <= int(text[:9]) <= MOST_DAYS):
        raise argparse.ArgumentTypeError(f"a whole number from 1 to {MOST_DAYS} is needed")
    return int(text)


def _user(username: str) -> User:
    user = User.objects.filter(username=username).first()
    if user is None:
        raise CommandError(f"there is no user {username!r}")
    return user


def _course(slug: str) -> Course:
    course = Course.objects.filter(slug=slug).first()
    if course is None:
        raise CommandError(f"there is no course {slug!r}")
    return course


def _columns(token: ApiToken) -> list[str]:
    used = f"used {token.last_used_at:%Y-%m-%d}" if token.last_used_at else "never used"
    state = "revoked" if token.revoked_at else f"until {token.expires_at:%Y-%m-%d}"
    where = token.course.slug if token.course else "all courses"
    return [token.prefix, token.user.username, where, ",".join(token.scopes), state, used, token.name]
