from __future__ import annotations

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("exercises", "0006_lab_items"),
    ]

    operations = [
        migrations.AddField(
            model_name="attempt",
            name="shown_at",
            field=models.DateTimeField(null=True),
        ),
        migrations.CreateModel(
            name="HintTaken",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("rung", models.PositiveSmallIntegerField()),
                ("step", models.CharField(blank=True, max_length=64)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "attempt",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="hints", to="exercises.attempt"
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "hints taken",
                "ordering": ["attempt", "rung"],
                "constraints": [
                    models.UniqueConstraint(fields=("attempt", "rung"), name="hint_rung_once_per_attempt"),
                    models.CheckConstraint(condition=models.Q(("rung__gte", 1)), name="hint_rung_from_1"),
                ],
            },
        ),
    ]
