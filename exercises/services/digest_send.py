"""News by e-mail: at most one message a day, and only to those whom something new waits for.

Nothing here is needed for anything else: without a mail server, or an address, nobody misses a thing on the pages.
"""

from __future__ import annotations

import logging
from datetime import datetime, timedelta
from email.utils import formataddr
from smtplib import SMTPException
from typing import Final

from django.conf import settings
from django.core import signing
from django.core.mail import EmailMessage
from django.db.models import F, Q
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import override

from exercises.enums import Digest
from exercises.models import User
from exercises.queries.news import News, news
from exercises.services.released_tell import released_tell

PAUSE: Final = timedelta(hours=24)
# One run ends well within the time that a task may take, even where each message waits for a slow server.
MOST_AT_ONCE: Final = 200
SALT: Final = "exercises.digest"

log = logging.getLogger(__name__)


def digests_send() -> int:
    """Send what is due and return how many messages went out. A second run at the same time sends nothing twice."""
    if not settings.EMAIL_HOST:
        return 0
    now = timezone.now()
    # Told later, what a date has just released would be older than the message that should have told of it.
    released_tell()
    return sum(_send(user, now) for user in _due(now)[:MOST_AT_ONCE])


def reader_of(token: str) -> User | None:
    """The account that a link out of the e-mails was made for; such a link does not grow old."""
    try:
        return User.objects.filter(pk=signing.loads(token, salt=SALT)).first()
    except signing.BadSignature:
        return None


def digest_switch_off(*, user: User) -> None:
    """No more e-mails about news, until the account's settings say otherwise."""
    User.objects.filter(pk=user.pk).update(digest=Digest.OFF)


def _due(now: datetime) -> list[User]:
    unseen = Q(news_seen_at__isnull=True) | Q(news_seen_at__lt=F("news_at"))
    untold = Q(digested_at__isnull=True) | (Q(digested_at__lt=F("news_at")) & Q(digested_at__lt=now - PAUSE))
    reached = User.objects.exclude(email="").exclude(digest=Digest.OFF).filter(is_active=True, is_guest=False)
    return list(reached.filter(unseen, untold, news_at__isnull=False).order_by("news_at"))


def _send(user: User, now: datetime) -> bool:
    before = user.digested_at
    # Whoever changes the row sends the message.
    if not User.objects.filter(pk=user.pk, digested_at=before).update(digested_at=now):
        return False
    since = max(filter(None, [before, user.news_seen_at]), default=None)
    # What comes while messages go out is for the next one, which begins from `now`.
    found = [each for each in news(user, since) if each.at <= now]
    if not found:
        return False
    try:
        _message(user, found).send()
    except ValueError:
        # An address that no message can be sent to: what is due to others goes out.
        log.warning("no digest can be sent to the address of account %d", user.pk)
        return False
    except (SMTPException, OSError):
        # It is told again with the next run; what went wrong is for the operator to read.
        User.objects.filter(pk=user.pk, digested_at=now).update(digested_at=before)
        log.exception("a digest could not be sent")
        return False
    return True


def _message(user: User, found: list[News]) -> EmailMessage:
    with override(user.language or settings.LANGUAGE_CODE):
        off = settings.SITE_URL + reverse("digest_off", args=[signing.dumps(user.pk, salt=SALT)])
        told = {"reader": user, "news": found, "site": settings.SITE_URL, "off": off}
        return EmailMessage(
            subject=_("News from your course"),
            body=render_to_string("exercises/digest.txt", told),
            to=[formataddr((str(user), user.email))],
            headers={"List-Unsubscribe": f"<{off}>", "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"},
        )
