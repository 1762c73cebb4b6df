"""What learners say to the marks of their own words."""

from __future__ import annotations

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("exercises", "0011_draft"),
    ]

    operations = [
        migrations.CreateModel(
            name="SecondLook",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("reason", models.TextField()),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "mark",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="second_look", to="exercises.mark"
                    ),
                ),
            ],
            options={
                "ordering": ["created_at"],
            },
        ),
        migrations.CreateModel(
            name="SelfMark",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("criteria", models.JSONField(default=list)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "submission",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="self_mark", to="exercises.submission"
                    ),
                ),
            ],
            options={
                "ordering": ["submission"],
            },
        ),
    ]
