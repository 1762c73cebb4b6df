from __future__ import annotations

from pathlib import Path

from grader.broker import broker_url
from qkvcourse import addresses


def test_sockets_lie_inside_the_data_directory() -> None:
    assert addresses.valkey_socket(Path("/srv/qkv")) == Path("/srv/qkv/run/valkey.sock")


def test_sockets_of_a_deep_data_directory_get_a_short_path_of_their_own() -> None:
    one, other = (Path("/srv") / ("deep-" * 20) / name for name in ("one", "other"))

    sockets = {addresses.valkey_socket(path) for path in (one, other)}

    assert len(sockets) == 2
    assert all(len(str(socket)) <= addresses.LONGEST_SOCKET_PATH for socket in sockets)


def test_a_socket_path_survives_the_way_to_the_broker_client() -> None:
    url = addresses.unix_url(Path("/srv/a b/valkey.sock"))

    assert url == "unix:///srv/a%20b/valkey.sock?db=0"
    assert broker_url(url) == "redis+socket:///srv/a%20b/valkey.sock?virtual_host=0"
