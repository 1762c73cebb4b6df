"""The site's addresses: pages under their language, machines' addresses without one."""

from __future__ import annotations

from allauth.account.decorators import secure_admin_login
from django.conf.urls.i18n import i18n_patterns
from django.contrib import admin
from django.urls import include, path

from exercises.urls import machine_urlpatterns, page_urlpatterns

# The admin's own log-in form knows no rate limit: send people through the one that does.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]  # Django's documented way

handler400 = "exercises.web.errors.bad_request"

urlpatterns = [
    *machine_urlpatterns,
    path("admin/", admin.site.urls),
    *i18n_patterns(
        path("accounts/", include("allauth.account.urls")),
        *page_urlpatterns,
    ),
]
