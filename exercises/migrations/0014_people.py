"""Labels, codes, activations, consents; guests and assistants; the time zone of a course."""

from __future__ import annotations

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("exercises", "0013_audit_entry"),
    ]

    operations = [
        migrations.CreateModel(
            name="Activation",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("digest", models.CharField(max_length=64)),
                ("issued_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("expires_at", models.DateTimeField()),
            ],
            options={
                "ordering": ["user"],
            },
        ),
        migrations.CreateModel(
            name="Consent",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("version", models.CharField(max_length=32)),
                ("given_at", models.DateTimeField(default=django.utils.timezone.now)),
            ],
            options={
                "ordering": ["user", "given_at"],
            },
        ),
        migrations.CreateModel(
            name="CourseCode",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("code", models.CharField(max_length=16, unique=True)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("expires_at", models.DateTimeField()),
                ("most_uses", models.PositiveIntegerField()),
                ("uses", models.PositiveIntegerField(default=0)),
                ("revoked_at", models.DateTimeField(null=True)),
            ],
            options={
                "ordering": ["course", "-created_at"],
            },
        ),
        migrations.CreateModel(
            name="Label",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=40)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
            ],
            options={
                "ordering": ["course", "name"],
            },
        ),
        migrations.RemoveConstraint(
            model_name="enrollment",
            name="enrollment_role_known",
        ),
        migrations.AddField(
            model_name="course",
            name="is_open",
            field=models.BooleanField(default=False, help_text="Anybody may read and practise here as a guest."),
        ),
        migrations.AddField(
            model_name="course",
            name="time_zone",
            field=models.CharField(blank=True, help_text="Empty: that of the site.", max_length=64),
        ),
        migrations.AddField(
            model_name="user",
            name="is_guest",
            field=models.BooleanField(
                default=False, help_text="Made for a visitor of an open course, until they sign up."
            ),
        ),
        migrations.AddField(
            model_name="user",
            name="origin",
            field=models.ForeignKey(
                blank=True,
                help_text="The course whose list or code made this account: its instructors may reset it.",
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to="exercises.course",
            ),
        ),
        migrations.AlterField(
            model_name="enrollment",
            name="role",
            field=models.CharField(
                choices=[
                    ("student", "Student"),
                    ("instructor", "Instructor"),
                    ("assistant", "Assistant"),
                    ("guest", "Guest"),
                    ("former", "Former member"),
                ],
                max_length=16,
            ),
        ),
        migrations.AddField(
            model_name="activation",
            name="issued_by",
            field=models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.SET_NULL, related_name="+", to=settings.AUTH_USER_MODEL
            ),
        ),
        migrations.AddField(
            model_name="activation",
            name="user",
            field=models.OneToOneField(
                on_delete=django.db.models.deletion.CASCADE, related_name="activation", to=settings.AUTH_USER_MODEL
            ),
        ),
        migrations.AddField(
            model_name="consent",
            name="user",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="consents", to=settings.AUTH_USER_MODEL
            ),
        ),
        migrations.AddField(
            model_name="coursecode",
            name="course",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="codes", to="exercises.course"
            ),
        ),
        migrations.AddField(
            model_name="coursecode",
            name="created_by",
            field=models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.SET_NULL, related_name="+", to=settings.AUTH_USER_MODEL
            ),
        ),
        migrations.AddField(
            model_name="label",
            name="course",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="labels", to="exercises.course"
            ),
        ),
        migrations.AddField(
            model_name="enrollment",
            name="labels",
            field=models.ManyToManyField(blank=True, related_name="enrollments", to="exercises.label"),
        ),
        migrations.AddConstraint(
            model_name="enrollment",
            constraint=models.CheckConstraint(
                condition=models.Q(("role__in", ["student", "instructor", "assistant", "guest", "former"])),
                name="enrollment_role_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="consent",
            constraint=models.UniqueConstraint(fields=("user", "version"), name="consent_once_per_version"),
        ),
        migrations.AddConstraint(
            model_name="coursecode",
            constraint=models.CheckConstraint(
                condition=models.Q(("uses__lte", models.F("most_uses"))), name="course_code_uses_bounded"
            ),
        ),
        migrations.AddConstraint(
            model_name="label",
            constraint=models.UniqueConstraint(fields=("course", "name"), name="label_name_once_in_course"),
        ),
    ]
