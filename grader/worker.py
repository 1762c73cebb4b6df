"""The Celery application of the sandbox worker: `celery -A grader.worker worker -Q interactive`.

It has the broker and the sandbox, and nothing else: no database, no secret of the site, no Django.
"""

from __future__ import annotations

from typing import Any

from celery import Celery
from celery.signals import worker_ready

from grader import tasks
from grader.broker import broker_url, redis_url_from_environment
from grader.heartbeat import Heartbeat
from grader.quiet_log import keep_values_out_of_logs

keep_values_out_of_logs()

app = Celery("grader", broker=broker_url(redis_url_from_environment()), include=[tasks.__name__])
app.conf.update(
    task_ignore_result=True,
    task_acks_late=True,
    # Only the site's sweeper sends a job again, since only it counts.
    task_reject_on_worker_lost=False,
    task_routes={
        "grader.grade_code": {"queue": "interactive"},
        "grader.run_code": {"queue": "interactive"},
        "exercises.record_outcome": {"queue": "results"},
        "exercises.record_run": {"queue": "results"},
    },
    task_soft_time_limit=50,
    task_time_limit=60,
    worker_prefetch_multiplier=1,
    worker_max_tasks_per_child=200,
    # True would kill and acknowledge running tasks whenever the broker restarts.
    worker_cancel_long_running_tasks_on_connection_loss=False,
    broker_connection_retry_on_startup=True,
    broker_transport_options={
        "visibility_timeout": 300,
        # What this worker has taken and not finished lies under names of its own: its Valkey user can then be kept
        # from what the site's workers have taken.
        "unacked_key": "grader:unacked",
        "unacked_index_key": "grader:unacked_index",
        "unacked_mutex_key": "grader:unacked_mutex",
        "unacked_restore_interval": 5,
        "unacked_restore_throttle": 1,
        "socket_timeout": 5,
        "socket_connect_timeout": 2,
    },
)


@worker_ready.connect
def show_that_we_live(sender: Any, **_ignored: Any) -> None:  # noqa: ANN401 -- Celery's consumer
    """The heartbeat belongs to the main process: it beats while the pool's processes come and go."""
    Heartbeat(sender.hostname).start()
