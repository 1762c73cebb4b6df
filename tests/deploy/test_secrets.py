from __future__ import annotations

import pytest

from scripts.deploy_secrets import make_secrets, new_secrets


def test_made_once_in_a_closed_directory(tmp_path):
    directory = tmp_path / "secrets"
    made = make_secrets(directory)
    before = {name: (directory / name).read_text() for name in made}
    assert sorted(made) == sorted(new_secrets())
    assert directory.stat().st_mode & 0o777 == 0o700
    assert make_secrets(directory) == []
    assert {name: (directory / name).read_text() for name in made} == before


def test_no_two_installations_share_a_secret():
    one, other = new_secrets(), new_secrets()
    assert [name for name in one if one[name] == other[name]] == []


def test_half_a_set_is_not_completed(tmp_path):
    make_secrets(tmp_path)
    (tmp_path / "database_url").unlink()
    with pytest.raises(SystemExit, match="not all"):
        make_secrets(tmp_path)
    assert not (tmp_path / "database_url").exists()


def test_passwords_match_where_they_must():
    made = new_secrets()
    assert made["postgres_password"] in made["database_url"]
    assert made["site_redis_url"].split(":")[2].split("@")[0] in made["valkey_users"]
    assert made["grader_redis_url"].split(":")[2].split("@")[0] in made["valkey_users"]
