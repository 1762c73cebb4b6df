"""Lists of skills are read without the definitions; the next load of the content fills the column."""

from __future__ import annotations

from django.db import migrations

import exercises.models.ordered_json


class Migration(migrations.Migration):
    dependencies = [
        ("exercises", "0009_theme_not_chosen"),
    ]

    operations = [
        migrations.AddField(
            model_name="item",
            name="skill",
            field=exercises.models.ordered_json.OrderedJSONField(
                blank=True, default=dict, help_text="Slug, title and summary; empty if it names none."
            ),
        ),
    ]
