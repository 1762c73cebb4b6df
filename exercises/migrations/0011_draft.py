"""What learners have typed and not sent."""

from __future__ import annotations

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models

import exercises.models.draft


class Migration(migrations.Migration):
    dependencies = [
        ("exercises", "0010_item_skill"),
    ]

    operations = [
        migrations.CreateModel(
            name="Draft",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("version", models.CharField(default=exercises.models.draft.new_version, max_length=32)),
                ("fields", models.JSONField()),
                ("saved_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "attempt",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="draft", to="exercises.attempt"
                    ),
                ),
            ],
            options={
                "ordering": ["attempt"],
            },
        ),
    ]
