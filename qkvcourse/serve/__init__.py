"""`make serve`: the whole site on one machine, without anything installed beside the wheels.

Theory of operation
-------------------
One supervisor (this package, started by `python -m qkvcourse.serve`) is the parent of every service:

    supervisor ─┬─ valkey    the broker, on a Unix socket (left out where REDIS_URL names another server)
                ├─ grader    the sandbox worker: no database, no SECRET_KEY in its environment
                ├─ site      the site worker with beat: records outcomes, sweeps
                ├─ web       granian, the web server
                └─ guard     a fork of the supervisor that only waits for it to die

Each service leads a session of its own, so a Ctrl-C at the terminal reaches the supervisor alone, and it stops the
services in the opposite order of their start: no new requests, then runs finish, then their outcomes are recorded,
then the broker goes. A service that dies is ended with all its session and started again; one that keeps dying ends
the whole site.

If the supervisor itself is killed, two things happen at once: the kernel sends every service its parent-death signal,
and the guard, which reads end-of-file from the supervisor's pipe, ends every process of every session it was told of,
first politely. The guard shares the lock on the data directory, so the next start begins only when nothing is left.

The supervisor has a single thread. That matters: the parent-death signal follows the thread that started the child.
"""

from __future__ import annotations
