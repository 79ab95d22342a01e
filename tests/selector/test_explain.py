from __future__ import annotations

import pytest

from modelplane import selector
from modelplane.selector import Explanation
from modelplane.value.device import Facts

GPU = Facts(
    "gpu.x",
    (("cc", ("version", "8.9.0")), ("index", ("int", 3)), ("mig", ("bool", False)), ("model", ("string", "L4"))),
    (("fabric.io/bandwidth", "400G"), ("memory", "24Gi")),
)
MEMORY = 'device.capacity["gpu.x"].memory'


@pytest.mark.parametrize(
    ("text", "want", "reason"),
    [
        ('device.driver == "gpu.x"', None, "a match needs no reason"),
        (
            f'device.driver == "gpu.x" && {MEMORY}.compareTo(quantity("40Gi")) >= 0',
            Explanation(f'{MEMORY}.compareTo(quantity("40Gi")) >= 0', f"{MEMORY} = 24Gi"),
            "the clause that is false, with the amount as published",
        ),
        (
            'device.attributes["gpu.x"].cc.isGreaterThan(semver("9.0.0")) && device.driver == "gpu.x"',
            Explanation(
                'device.attributes["gpu.x"].cc.isGreaterThan(semver("9.0.0"))', 'device.attributes["gpu.x"].cc = 8.9.0'
            ),
            "wherever it stands, with the version as published",
        ),
        (
            'device.attributes["gpu.x"].gone == "a"',
            Explanation(
                'device.attributes["gpu.x"].gone == "a"',
                'device.attributes["gpu.x"].gone = absent',
                "no such key: gone",
            ),
            "an absent attribute is an error, and said to be absent",
        ),
        (
            'device.driver == "gpu.x" && (device.attributes["gpu.x"].mig || device.attributes["gpu.x"].index > 5)',
            Explanation(
                'device.attributes["gpu.x"].mig || device.attributes["gpu.x"].index > 5',
                'device.attributes["gpu.x"].mig = false, device.attributes["gpu.x"].index = 3',
            ),
            "an alternative is one clause, with all that it reads",
        ),
        (
            '(device.driver == "gpu.x" && device.attributes["gpu.x"].mig) && true',
            Explanation('device.attributes["gpu.x"].mig', 'device.attributes["gpu.x"].mig = false'),
            "brackets within a conjunction do not hide its parts",
        ),
        (
            '"rdma" in device.attributes["gpu.x"]',
            Explanation('"rdma" in device.attributes["gpu.x"]', 'device.attributes["gpu.x"] has cc, index, mig, model'),
            "where a domain is asked, what it has",
        ),
        (
            'has(device.attributes["dra.net"].rdma)',
            Explanation('has(device.attributes["dra.net"].rdma)', 'device.attributes["dra.net"].rdma = absent'),
            "a domain that the device does not have is no error",
        ),
        (
            'device.attributes["gpu.x"].?model.orValue("") == "H100" && true',
            Explanation(
                'device.attributes["gpu.x"].?model.orValue("") == "H100"', 'device.attributes["gpu.x"].model = "L4"'
            ),
            "an optional reference reads the same",
        ),
        (
            'cel.bind(m, device.attributes["gpu.x"], m.model == "H100" && m.index > 1)',
            Explanation(
                'cel.bind(m, device.attributes["gpu.x"], m.model == "H100" && m.index > 1)',
                'device.attributes["gpu.x"] has cc, index, mig, model',
            ),
            "a binding is one clause, as its parts cannot stand alone",
        ),
        (
            'device.driver == "other" && 1 / 0 == 1',
            Explanation('device.driver == "other"', 'device.driver = "gpu.x"'),
            "what comes first is told first",
        ),
        (
            'device.capacity["fabric.io"].bandwidth.isGreaterThan(quantity("1T"))\n  && true',
            Explanation(
                'device.capacity["fabric.io"].bandwidth.isGreaterThan(quantity("1T"))',
                'device.capacity["fabric.io"].bandwidth = 400G',
            ),
            "a name with a domain of its own",
        ),
        ("1 == 2", Explanation("1 == 2"), "a clause that reads nothing finds nothing"),
        (
            'device.driver == "a && (b" && true',
            Explanation('device.driver == "a && (b"', 'device.driver = "gpu.x"'),
            "signs in a string join nothing",
        ),
        (
            "device.driver == r'\\\\' && device.driver == '''it's \"x\" && y'''",
            Explanation("device.driver == r'\\\\'", 'device.driver = "gpu.x"'),
            "nor do quotes in raw or long ones end them",
        ),
        (
            'true // (one) && "two\n && device.driver == "x"',
            Explanation('device.driver == "x"', 'device.driver = "gpu.x"'),
            "nor do those in a comment",
        ),
        (
            'device.driver == "gpu.x" ? 1 == 2 && true : true',
            Explanation('device.driver == "gpu.x" ? 1 == 2 && true : true', 'device.driver = "gpu.x"'),
            "a choice is one clause",
        ),
        (
            'device.attributes["gpu.x"][?"model"].orValue("") == "L4" && [1 == 2 && true][0]',
            Explanation("[1 == 2 && true][0]"),
            "a question mark in brackets is no choice, and a conjunction in brackets no clause",
        ),
        (
            'device.attributes["gpu.x"].model',
            Explanation(
                'device.attributes["gpu.x"].model',
                'device.attributes["gpu.x"].model = "L4"',
                "the result is no bool but a string",
            ),
            "an attribute alone must be a bool",
        ),
    ],
)
def test_explain(text: str, want: Explanation | None, reason: str) -> None:
    assert selector.compile(text).explain(GPU) == want, reason


def test_a_device_that_cannot_be_read_has_no_result_for_any_selector() -> None:
    ill = Facts("gpu.x", (("driverVersion", ("version", "550.127.08")),))

    verdict = selector.compile("true").check(ill)

    assert verdict.outcome == "error"
    assert verdict.error == (
        "attribute driverVersion: '550.127.08' is not a version: '08' is not a number without leading zeros below 2^64"
    )
