from __future__ import annotations

from pathlib import Path

import pytest

from qkvcourse import env

SECRET = "s" * env.SHORTEST_SECRET


def refusal(error: pytest.ExceptionInfo[env.SettingError]) -> str:
    return str(error.value)


def test_text_comes_from_variable_file_or_default(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = tmp_path / "value"
    file.write_text("from file\n")

    unset = env.text("QKV_T", "default")
    monkeypatch.setenv("QKV_T_FILE", str(file))
    filed = env.text("QKV_T", "default")
    monkeypatch.delenv("QKV_T_FILE")
    monkeypatch.setenv("QKV_T", " direct ")

    assert (unset, filed, env.text("QKV_T", "default")) == ("default", "from file", "direct")


def test_text_refuses_both_forms_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QKV_T", "a")
    monkeypatch.setenv("QKV_T_FILE", "/b")

    with pytest.raises(env.SettingError) as error:
        env.text("QKV_T")

    assert refusal(error) == "settings: QKV_T and QKV_T_FILE are both set; keep one of them"


def test_text_refuses_a_file_that_is_missing_empty_or_no_text(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    empty, binary = tmp_path / "empty", tmp_path / "binary"
    empty.write_text("\n")
    binary.write_bytes(b"\xff\xfe")

    sentences = []
    for path in (tmp_path / "missing", empty, binary):
        monkeypatch.setenv("QKV_T_FILE", str(path))
        with pytest.raises(env.SettingError) as error:
            env.text("QKV_T")
        sentences.append(refusal(error))

    assert [sentence.count("QKV_T_FILE names") for sentence in sentences] == [1, 1, 1]
    assert [sentence.count("\n") for sentence in sentences] == [0, 0, 0]


@pytest.mark.parametrize(("word", "meant"), [("1", True), ("Yes", True), ("0", False), ("off", False), ("", True)])
def test_flag_reads_yes_and_no(monkeypatch: pytest.MonkeyPatch, word: str, meant: bool) -> None:
    monkeypatch.setenv("QKV_T", word)

    assert env.flag("QKV_T", default=True) is meant


def test_flag_refuses_another_word(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QKV_T", "perhaps")

    with pytest.raises(env.SettingError) as error:
        env.flag("QKV_T", default=False)

    assert refusal(error) == "settings: QKV_T must be 1 or 0, not 'perhaps'"


@pytest.mark.parametrize("digits", ["0", "10", "-3", "3.0", "٣", "1e1", "99999999999"])
def test_whole_number_refuses_what_is_none_or_out_of_bounds(monkeypatch: pytest.MonkeyPatch, digits: str) -> None:
    monkeypatch.setenv("QKV_T", digits)

    with pytest.raises(env.SettingError) as error:
        env.whole_number("QKV_T", 5, lowest=1, highest=9)

    assert refusal(error) == f"settings: QKV_T must be a whole number from 1 to 9, not {digits!r}"


def test_whole_number_takes_both_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = []
    for digits in ("1", "9", ""):
        monkeypatch.setenv("QKV_T", digits)
        numbers.append(env.whole_number("QKV_T", 5, lowest=1, highest=9))

    assert numbers == [1, 9, 5]


def test_choice_refuses_a_word_outside_the_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QKV_T", "xml")

    with pytest.raises(env.SettingError) as error:
        env.choice("QKV_T", "json", among=("json", "line"))

    assert refusal(error) == "settings: QKV_T must be one of json, line, not 'xml'"


def test_words_split_at_commas_and_blanks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QKV_T", "a, b  c,")

    assert env.words("QKV_T") == ["a", "b", "c"]
    assert env.words("QKV_UNSET") == []


def test_secret_has_no_default(tmp_path: Path) -> None:
    with pytest.raises(env.SettingError) as error:
        env.secret("QKV_T", else_file=tmp_path / "none")

    assert refusal(error).startswith("settings: QKV_T is not set: set QKV_T or QKV_T_FILE")


def test_secret_falls_back_on_the_installations_own_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = tmp_path / "secret-key"
    file.write_text(SECRET)

    from_file = env.secret("QKV_T", else_file=file)
    monkeypatch.setenv("QKV_T", SECRET.upper())

    assert (from_file, env.secret("QKV_T", else_file=file)) == (SECRET, SECRET.upper())


def test_secret_refuses_a_short_one_without_printing_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("QKV_T", "hunter2")

    with pytest.raises(env.SettingError) as error:
        env.secret("QKV_T", else_file=tmp_path / "none")

    assert refusal(error) == "settings: QKV_T must have at least 32 characters"


def test_directory_is_absolute_and_no_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("QKV_T", "data")
    relative = env.directory("QKV_T", Path("/default"))
    monkeypatch.setenv("QKV_T", str(tmp_path / "file"))

    with pytest.raises(env.SettingError) as error:
        env.directory("QKV_T", Path("/default"))

    assert relative == tmp_path / "data"
    assert refusal(error) == f"settings: QKV_T names {tmp_path / 'file'}, which is not a directory"


@pytest.mark.parametrize("url", ["course.example.org", "ftp://a.b", "https://a.b/path", "https://u:p@a.b", "https://"])
def test_site_url_refuses_what_is_no_origin(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    monkeypatch.setenv("QKV_T", url)

    with pytest.raises(env.SettingError):
        env.site_url("QKV_T", "http://127.0.0.1:8000")


def test_site_url_drops_a_closing_slash(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QKV_T", "https://course.example.org/")

    assert env.site_url("QKV_T", "http://127.0.0.1:8000") == "https://course.example.org"


@pytest.mark.parametrize("url", ["http://:hunter2@valkey", "valkey:6379", "redis://", "unix://"])
def test_redis_url_refuses_another_scheme_without_printing_the_password(
    monkeypatch: pytest.MonkeyPatch, url: str
) -> None:
    monkeypatch.setenv("QKV_T", url)

    with pytest.raises(env.SettingError) as error:
        env.redis_url("QKV_T", "")

    assert "hunter2" not in refusal(error)


def test_database_is_sqlite_unless_a_url_names_another(monkeypatch: pytest.MonkeyPatch) -> None:
    unset = env.database("QKV_T", Path("/data/site.sqlite3"))
    monkeypatch.setenv("QKV_T", "postgresql://qkv:p%40ss@db:5433/course?sslmode=require")

    assert unset == {"ENGINE": "django.db.backends.sqlite3", "NAME": "/data/site.sqlite3"}
    assert env.database("QKV_T", Path("/data/site.sqlite3")) == {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": "course",
        "USER": "qkv",
        "PASSWORD": "p@ss",
        "HOST": "db",
        "PORT": "5433",
        "OPTIONS": {"sslmode": "require"},
    }


def test_directories_stand_between_colons_in_their_order(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    monkeypatch.chdir(tmp_path)
    assert env.directories("QKV_T", Path("/default")) == [Path("/default")]
    monkeypatch.setenv("QKV_T", "content: /srv/evening:")
    assert env.directories("QKV_T", Path("/default")) == [tmp_path / "content", Path("/srv/evening")]
    monkeypatch.setenv("QKV_T", "content:file")
    with pytest.raises(env.SettingError) as error:
        env.directories("QKV_T", Path("/default"))
    assert refusal(error) == f"settings: QKV_T names {tmp_path / 'file'}, which is not a directory"


def test_database_takes_a_socket_directory_as_host(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QKV_T", "postgresql://qkv@/course?host=/run/postgresql")

    description = env.database("QKV_T", Path("/unused"))

    assert (description["HOST"], description["OPTIONS"]) == ("/run/postgresql", {})


@pytest.mark.parametrize("url", ["mysql://db/course", "postgresql://db", "postgresql://qkv:hunter2@db:no/course"])
def test_database_refuses_another_url_without_printing_the_password(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    monkeypatch.setenv("QKV_T", url)

    with pytest.raises(env.SettingError) as error:
        env.database("QKV_T", Path("/unused"))

    assert refusal(error) == "settings: QKV_T must look like postgresql://user:password@host:5432/name"
