from __future__ import annotations

from bench import call, core


def test_a_small_fleet_is_measured_over_grpc() -> None:
    figures = call.measure(clusters=8, pools=4, replicas=20, times=1)

    assert set(figures) >= {"clusters", "replicas", "call_s", "decode_s", "ratio", "rss_mb"}
    assert (figures["clusters"], figures["pools"], figures["replicas"]) == (8, 32, 20)
    assert figures["call_s"] > figures["decode_s"] > 0


def test_the_core_is_measured() -> None:
    assert core.placement(number=20, pools=4, replicas=20, times=1)["replicas_per_s"] > 0
    assert set(core.selectors(times=1, each=2)) == {"eval_us", "new_device_us", "compile_us"}
