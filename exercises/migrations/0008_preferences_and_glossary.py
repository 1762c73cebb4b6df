from __future__ import annotations

from django.db import migrations, models

import exercises.models.ordered_json


class Migration(migrations.Migration):
    dependencies = [
        ("exercises", "0007_hints_and_shown_solutions"),
    ]

    operations = [
        migrations.AddField(
            model_name="curriculum",
            name="glossary",
            field=exercises.models.ordered_json.OrderedJSONField(default=dict),
        ),
        migrations.AddField(
            model_name="user",
            name="convention",
            field=models.CharField(
                blank=True,
                choices=[("lesson", "As each lesson has it"), ("row", "In rows: x W"), ("column", "In columns: W x")],
                max_length=8,
            ),
        ),
        migrations.AddField(
            model_name="user",
            name="editor",
            field=models.CharField(
                blank=True,
                choices=[("code", "A box in which Tab indents"), ("plain", "A plain text box, which Tab leaves")],
                max_length=8,
            ),
        ),
        migrations.AlterField(
            model_name="user",
            name="theme",
            field=models.CharField(
                blank=True, choices=[("system", "As the system"), ("light", "Light"), ("dark", "Dark")], max_length=8
            ),
        ),
    ]
