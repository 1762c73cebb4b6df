"""The site's addresses: pages under their language, machines' addresses without one."""

from __future__ import annotations

from allauth.account.decorators import secure_admin_login
from allauth.urls import build_provider_urlpatterns
from django.conf.urls.i18n import i18n_patterns
from django.contrib import admin
from django.urls import include, path
from django.views.generic import RedirectView

from exercises.urls import machine_urlpatterns, page_urlpatterns

# The admin's own log-in form knows no rate limit: send people through the one that does.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]  # Django's documented way

handler400 = "exercises.web.errors.bad_request"

urlpatterns = [
    *machine_urlpatterns,
    path("admin/", admin.site.urls),
    # A campus is told one address for all languages.
    path("sign-on/", include(build_provider_urlpatterns())),
    *i18n_patterns(
        *page_urlpatterns,
        # allauth's own sign-up is closed: an invitation is the way.
        path("accounts/signup/", RedirectView.as_view(pattern_name="join"), name="account_signup"),
        path("accounts/", include("allauth.account.urls")),
        path("accounts/second-factor/", include("allauth.mfa.urls")),
        path("accounts/sessions/", include("allauth.usersessions.urls")),
        path("accounts/connections/", include("allauth.socialaccount.urls")),
    ),
]
