"""Settings: none is needed, the environment has all, and a wrong one is one clear line."""

import pytest

from hainan.server.config import Config, ConfigError, Rate, read_config
from hainan.server.serve import bind
from hainan.server.store import url_of


def test_nothing_is_needed() -> None:
    config = read_config({})
    assert (config.host, config.port) == ("0.0.0.0", 8000)
    assert config == Config()


def test_everything_by_the_environment() -> None:
    config = read_config(
        {
            "HAINAN_PORT": "9000",
            "HAINAN_PUBLIC_URL": "https://mahjong.example/",
            "HAINAN_ORIGINS": "http://a.example, http://b.example",
            "HAINAN_TRUSTED_PROXIES": "10.0.0.0/8,::1",
            "HAINAN_LOGS": "json",
            "HAINAN_GUEST_RATE": "5/30",
            "DATABASE_URL": "postgresql://host/name",
        }
    )
    assert config.port == 9000
    assert (config.base_url, config.https) == ("https://mahjong.example", True)
    assert config.origins == ["http://a.example", "http://b.example"]
    assert config.trusts("10.1.2.3")
    assert config.trusts("::1")
    assert not config.trusts("11.1.2.3")
    assert not config.trusts("nonsense")
    assert config.least_logged == "info"
    assert config.guest_rate == Rate(5, 30)
    assert url_of(config.database) == "postgresql://host/name"


def test_the_command_line_comes_first() -> None:
    assert read_config({"HAINAN_PORT": "9000"}, port=9001, host=None).port == 9001
    environment = {"DATABASE_URL": "sqlite:////a", "HAINAN_DATABASE": "sqlite:////b"}
    assert read_config(environment).database == "sqlite:////b"
    assert read_config(environment, database="sqlite:////c").database == "sqlite:////c"


def test_a_database_may_be_a_path() -> None:
    assert url_of("/tmp/a.sqlite3") == "sqlite:////tmp/a.sqlite3"
    assert url_of("a.sqlite3").endswith("/a.sqlite3")


@pytest.mark.parametrize(
    ("environment", "said"),
    [
        ({"HAINAN_PORT": "many"}, "port: "),
        ({"HAINAN_PORT": "70000"}, "port: should be at most 65535"),
        ({"HAINAN_LOGS": "xml"}, "logs: "),
        ({"HAINAN_PUBLIC_URL": "mahjong.example"}, "public-url: 'mahjong.example' should be like https://"),
        ({"HAINAN_ORIGINS": "https://"}, "origins: "),
        ({"HAINAN_TRUSTED_PROXIES": "proxy.example"}, "trusted-proxies: "),
        ({"HAINAN_GUEST_RATE": "5"}, "HAINAN_GUEST_RATE: '5' is no rate"),
        ({"HAINAN_GUEST_RATE": "5/0"}, "HAINAN_GUEST_RATE: '5/0' is no rate"),
    ],
)
def test_what_is_wrong_is_named(environment: dict[str, str], said: str) -> None:
    with pytest.raises(ConfigError) as caught:
        read_config(environment)
    assert str(caught.value).startswith(said)
    assert "\n" not in str(caught.value)


def test_a_port_that_is_taken() -> None:
    with bind("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(ConfigError, match=f"port {port} is in use: choose another with --port"):
            bind("127.0.0.1", port)


def test_a_host_that_is_not_here() -> None:
    with pytest.raises(ConfigError, match=r"host: '203\.0\.113\.7'"):
        bind("203.0.113.7", 0)
    with pytest.raises(ConfigError, match="host: 'no such host'"):
        bind("no such host", 0)
