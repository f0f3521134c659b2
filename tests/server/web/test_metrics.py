"""What is counted, and how it is told to Prometheus."""

from prometheus_client.parser import text_string_to_metric_families

from hainan import wire
from hainan.server.metrics import Metrics, Tally
from tests.server.web.conftest import Running


def samples(text: str) -> dict[tuple[str, tuple[tuple[str, str], ...]], float]:
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def test_a_tally() -> None:
    tally = Tally([1, 2])
    for value in (0.5, 1, 1.5, 2, 3):
        tally.observe(value)
    assert tally.buckets() == [("1", 2), ("2", 4), ("+Inf", 5)]
    assert tally.sum == 8


def test_everything_is_told() -> None:
    metrics = Metrics()
    metrics.watch_tables(lambda: {"playing": 3, "open": 1})
    metrics.connections = 12
    metrics.decided("player", 0.02)
    metrics.decided("bot", 0.3)
    metrics.committed(40, 0.004)
    metrics.refused(wire.Refusal.STALE)
    metrics.answered("GET", "/api/rooms/{code}", 404, 0.001)
    found = samples(metrics.render().decode())
    assert found["hainan_tables", (("stage", "playing"),)] == 3
    assert found["hainan_connections", ()] == 12
    assert found["hainan_decisions_total", (("how", "player"),)] == 1
    assert found["hainan_decision_seconds_bucket", (("le", "0.025"),)] == 1
    assert found["hainan_decision_seconds_count", ()] == 2
    assert found["hainan_commit_calls_bucket", (("le", "50"),)] == 1
    assert found["hainan_commit_seconds_sum", ()] == 0.004
    assert found["hainan_refusals_total", (("code", "stale"),)] == 1
    labels = (("method", "GET"), ("route", "/api/rooms/{code}"), ("status", "404"))
    assert found["hainan_http_requests_total", labels] == 1
    assert ("process_resident_memory_bytes", ()) in found


def test_a_running_server_counts(server: Running) -> None:
    code = server.room()
    with server.socket(code) as client, server.http() as http:
        client.hello(server.guest()["token"])
        client.ask("{")
        http.get("/api/nothing/12345")
        http.request("BREW", "/api/rooms")
        found = samples(http.get("/metrics").text)
    assert found["hainan_connections", ()] >= 1
    assert found["hainan_frames_in_total", ()] >= 2
    assert found["hainan_frames_out_total", ()] >= 2
    assert found["hainan_refusals_total", (("code", "bad_json"),)] >= 1
    routes = {dict(labels)["route"] for name, labels in found if name == "hainan_http_requests_total"}
    methods = {dict(labels)["method"] for name, labels in found if name == "hainan_http_requests_total"}
    assert not any("12345" in route for route in routes)
    assert "BREW" not in methods
