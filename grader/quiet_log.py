"""What Celery may write into a log: which task, and how it ended; never what it was given or what it returned.

Arguments and results of our tasks are learners' code, output and marks.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping

# They fill these blanks of their lines with what a task was given or returned.
TASK_LOGGERS = ("celery.app.trace", "celery.worker.strategy", "celery.worker.request")
BLANKS = ("args", "kwargs", "return_value")
LEFT_OUT = "(left out)"
MESSAGE_LOGGER = "celery.worker.consumer.consumer"
# How its lines begin that quote a whole message which was of no use.
QUOTING = (
    "Received and deleted unknown message",
    "Received unregistered task of type",
    "Received invalid task message",
    "Can't decode message body",
)
# On DEBUG it tells of each task with all that it was given.
POOL_LOGGER = "celery.pool"


class WithoutValues(logging.Filter):
    """Lets each line pass, without the values of the task that it tells of."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Fill the blanks for values with words that say so."""
        if isinstance(record.args, Mapping):
            record.args = {**record.args, **{name: LEFT_OUT for name in BLANKS if name in record.args}}
        record.__dict__.pop("data", None)
        return True


class WithoutMessage(logging.Filter):
    """Lets each line pass; of one that quotes a message of the queue only what it says of it."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Cut the quotation off."""
        why = next((words for words in QUOTING if str(record.msg).startswith(words)), None)
        if why:
            record.msg, record.args, record.exc_info = why, (), None
        return True


def _is_more_than_debugging(record: logging.LogRecord) -> bool:
    return record.levelno > logging.DEBUG


def keep_values_out_of_logs() -> None:
    """Do it for this process and those that it forks.

    By filters, since setting logging up afterwards leaves those, and no level, as they are.
    """
    for name in TASK_LOGGERS:
        logging.getLogger(name).addFilter(WithoutValues())
    logging.getLogger(MESSAGE_LOGGER).addFilter(WithoutMessage())
    logging.getLogger(POOL_LOGGER).addFilter(_is_more_than_debugging)
