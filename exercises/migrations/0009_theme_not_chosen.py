"""Until now every account said "as the system", and none had chosen it: an empty value leaves the word to the cookie."""

from __future__ import annotations

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def forget(apps: Apps, _editor: BaseDatabaseSchemaEditor) -> None:
    apps.get_model("exercises", "User").objects.filter(theme="system").update(theme="")


def remember(apps: Apps, _editor: BaseDatabaseSchemaEditor) -> None:
    apps.get_model("exercises", "User").objects.filter(theme="").update(theme="system")


class Migration(migrations.Migration):
    dependencies = [
        ("exercises", "0008_preferences_and_glossary"),
    ]

    operations = [migrations.RunPython(forget, remember)]
