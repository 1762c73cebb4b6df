"""One address for all languages: a campus must be told where people come back to."""

from __future__ import annotations

from django.urls import path

from exercises.web.cas.views import callback

urlpatterns = [path("cas/<slug:provider_id>/callback/", callback, name="cas_callback")]
