"""Make the secrets that docker-compose.yml hands to its services, once, in deploy/secrets.

    python3 scripts/deploy_secrets.py

It needs nothing but Python. A file that exists is left as it is, so a second run changes nothing; delete all of them
to begin anew, before the database has been made. The directory is closed to others; the files themselves are readable,
because in a container they are read by users that this machine does not have.
"""

from __future__ import annotations

import secrets
import sys
from collections.abc import Mapping
from pathlib import Path

DIRECTORY = Path(__file__).resolve().parent.parent / "deploy" / "secrets"

# Anybody on its networks may ask whether Valkey is there, and nothing else.
DEFAULT_USER = "user default on nopass resetkeys resetchannels -@all +ping"
SITE_USER = "user site on >{site} ~* &* +@all -@admin -@dangerous +info"
# The sandbox worker runs what strangers wrote. Should it ever be broken into, it can take jobs, hand outcomes on, and
# say which jobs it holds and that it lives: it can read no outcome, wake no request, and give no worker an order.
GRADER_USER = (
    "user grader on >{grader} resetkeys resetchannels -@all"
    " +auth +hello +ping +select +client|setinfo +client|setname +multi +exec +discard +unwatch +script|load"
    " (resetkeys -@all ~interactive* ~_kombu.binding*.interactive ~grader:unacked*"
    " +brpop +lpush +rpush +llen +sadd +smembers +exists +set +get +del +pexpire +expire"
    " +hset +hget +hdel +zadd +zrem +zrange +zrangebyscore +zrevrangebyscore +watch +eval +evalsha)"
    " (resetkeys -@all ~results* ~_kombu.binding*.results +lpush +llen +sadd +smembers)"
    " (resetkeys -@all ~held:* +set +get +del +exists +pexpire +expire)"
    " (resetkeys -@all ~heartbeat:* +set)"
)


def make_secrets(directory: Path) -> list[str]:
    """Write the secrets unless they are there, and return the names of the files written."""
    wanted = new_secrets()
    found = [name for name in wanted if (directory / name).exists()]
    if len(found) == len(wanted):
        return []
    if found:
        raise SystemExit(f"{directory} holds some of the secrets but not all, and they must match: delete all of them")
    directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    directory.chmod(0o700)
    for name, text in wanted.items():
        (directory / name).write_text(f"{text}\n", encoding="ascii")
        (directory / name).chmod(0o444)
    return list(wanted)


def new_secrets() -> Mapping[str, str]:
    """File name -> content, freshly drawn."""
    database, site, grader = (secrets.token_urlsafe(32) for _ in range(3))
    users = [DEFAULT_USER, SITE_USER.format(site=site), GRADER_USER.format(grader=grader)]
    return {
        "secret_key": secrets.token_urlsafe(48),
        "postgres_password": database,
        "database_url": f"postgresql://qkv:{database}@postgres:5432/qkv",
        "site_redis_url": f"redis://site:{site}@valkey:6379/0",
        "grader_redis_url": f"redis://grader:{grader}@valkey:6379/0",
        "valkey_users": "\n".join(users),
    }


if __name__ == "__main__":
    sys.stdout.write("".join(f"made {name}\n" for name in make_secrets(DIRECTORY)) or "all secrets are there\n")
