"""Structured logs: one line per event, for our own events and for those of every library alike.

No local variable is ever logged, for it could be a secret or a student's code.
"""

from __future__ import annotations

from typing import Any

import structlog
from structlog.typing import Processor

SHARED: tuple[Processor, ...] = (
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
)


def logging_settings(*, form: str, level: str) -> dict[str, Any]:
    """Django's LOGGING: every record rendered as JSON, or as key=value text for a person at a terminal."""
    structlog.configure(
        processors=[*SHARED, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
    )
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "event": {
                "()": structlog.stdlib.ProcessorFormatter,
                "foreign_pre_chain": [*SHARED, structlog.stdlib.ExtraAdder(allow=["task_id"])],
                "processors": [structlog.stdlib.ProcessorFormatter.remove_processors_meta, *renderers(form)],
            },
        },
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "event"}},
        "root": {"handlers": ["stderr"], "level": level},
        "loggers": {
            "django": {"level": level, "handlers": [], "propagate": True},
            # The request log already has a line for each answer; only failures carry a traceback of their own.
            "django.request": {"level": "ERROR"},
            "celery": {"level": level},
            # It would tell of every sweep, and there is one every few seconds.
            "celery.beat": {"level": "WARNING"},
            # Task events of Celery hold the arguments, and those hold a student's code.
            "celery.app.trace": {"level": "ERROR"},
            "celery.worker.strategy": {"level": "ERROR"},
        },
    }


def renderers(form: str) -> list[Processor]:
    """The last steps that turn an event into its line."""
    if form == "json":
        tracebacks = structlog.processors.ExceptionRenderer(
            structlog.tracebacks.ExceptionDictTransformer(show_locals=False)
        )
        return [tracebacks, structlog.processors.JSONRenderer(ensure_ascii=False)]
    return [
        structlog.processors.format_exc_info,
        structlog.processors.LogfmtRenderer(key_order=["timestamp", "level", "event"], bool_as_flag=False),
    ]
