"""The code by which somebody without e-mail makes an account their own."""

from __future__ import annotations

from django.db import models
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac

from exercises.models.user import User


class Activation(models.Model):
    """One code for one account, gone once it is used; a new one takes the place of the old.

    Stored is a keyed digest: whoever reads the database alone cannot even try codes. A slow hash would make a list for
    a thousand students wait for a minute.
    """

    user = models.OneToOneField(User, on_delete=models.CASCADE, related_name="activation")
    digest = models.CharField(max_length=64)
    issued_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    issued_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField()

    class Meta:
        ordering = ["user"]

    def __str__(self) -> str:
        return f"{self.user} ({self.issued_at:%Y-%m-%d})"

    @staticmethod
    def digest_of(user: User, code: str) -> str:
        """What is stored of a code."""
        return salted_hmac("exercises.activation", f"{user.pk}:{code}", algorithm="sha256").hexdigest()

    def opens_with(self, code: str) -> bool:
        """Whether this is the code, and still in time."""
        return constant_time_compare(self.digest, self.digest_of(self.user, code)) and timezone.now() < self.expires_at
