"""The devices that cases are judged on, and how selectors reach into them."""

# ruff: noqa: E501 - an expression a line

from __future__ import annotations

from collections.abc import Iterator

#: In the form that the oracle reads.
DEVICES = {
    "none": {"driver": "gpu.x"},
    "gpu": {
        "driver": "gpu.x",
        "attributes": {
            "model": {"string": "NVIDIA H100 80GB HBM3"},
            "family": {"string": "hopper"},
            "empty": {"string": ""},
            "cc": {"version": "9.0.0"},
            "driverVersion": {"version": "550.54.15-rc.1+build.7"},
            "mig": {"bool": True},
            "ecc": {"bool": False},
            "index": {"int": 3},
            "negative": {"int": -7},
            "zero": {"int": 0},
            "resource.kubernetes.io/pcieRoot": {"string": "pci0000:00"},
            "fabric.example.com/clique": {"string": "a-1"},
            "address": {"string": "10.1.2.3"},
            "site": {"string": "https://Example.com:8443/a%20b?x=1&y=2"},
        },
        "capacity": {
            "memory": "80Gi",
            "half": "0.5Gi",
            "cores": "132",
            "milli": "1500m",
            "tiny": "1n",
            "fabric.example.com/bandwidth": "400G",
        },
    },
    "small": {
        "driver": "gpu.x",
        "attributes": {"model": {"string": "L4"}, "cc": {"version": "8.9.0"}, "index": {"int": 0}},
        "capacity": {"memory": "24Gi"},
    },
    "nic": {
        "driver": "dra.net",
        "attributes": {"rdma": {"bool": True}, "gpu.x/model": {"string": "borrowed"}, "speed": {"int": 400}},
        "capacity": {"queues": "64"},
    },
    "ill": {"driver": "gpu.x", "attributes": {"ok": {"bool": True}, "cc": {"version": "9.0"}}},
    "ill-leading-zero": {"driver": "gpu.x", "attributes": {"v": {"version": "550.127.08"}}},
}

_PATHS = """
device
device.driver
device.allowMultipleAllocations
device.attributes
device.capacity
device.attributes["gpu.x"]
device.attributes["other"]
device.attributes["dra.net"]
device.attributes["fabric.example.com"]
device.attributes["resource.kubernetes.io"].pcieRoot
device.attributes["gpu.x"].model
device.attributes["gpu.x"]["model"]
device.attributes["gpu.x"].absent
device.attributes["other"].absent
device.attributes["gpu.x"].cc
device.attributes["gpu.x"].mig
device.attributes["gpu.x"].ecc
device.attributes["gpu.x"].index
device.attributes["gpu.x"].model.deeper
device.attributes["gpu.x"].model[0]
device.attributes.family
device.attributes.other
device.attributes.gpu
device.attributes.gpu.x
device.capacity["gpu.x"].memory
device.capacity["gpu.x"].absent
device.capacity["other"].memory
device.capacity["fabric.example.com"].bandwidth
device.capacity["gpu.x"]
device.count
device.name
device["driver"]
devices.driver
""".strip().splitlines()

_WRAPPERS = (
    "{0}",
    "{0} == {0}",
    "{0} != {0}",
    "has({0})",
    "!has({0})",
    '"model" in {0}',
    '"gpu.x" in {0}',
    "size({0}) > 0",
    "{0}.size() == 0",
    '{0} == "hopper"',
    '{0} != "hopper"',
    '"hopper" == {0}',
    "{0} == 3",
    "{0} > 2",
    "{0} == true",
    "{0} || true",
    "true || {0}",
    "{0} && false",
    "false || {0}",
    "!{0}",
    "{0} ? true : false",
    "[{0}].size() == 1",
    '{0}.startsWith("N")',
    "{0}.compareTo({0}) == 0",
    '{0}.isGreaterThan(semver("8.9.9"))',
    '{0}.isGreaterThan(quantity("20Gi"))',
    "{0}.exists(k, true)",
    "{0}.all(k, v, true)",
    "dyn({0}) == dyn({0})",
    "cel.bind(x, {0}, x == x)",
    "optional.of({0}).hasValue()",
    'string({0}) == "3"',
    "{0} + {0} == {0}",
    '{0}.matches("H1..")',
)

_OPTIONAL = """
device.attributes["gpu.x"].?model.orValue("none") == "L4"
device.attributes["gpu.x"].?absent.orValue("none") == "none"
device.attributes["gpu.x"].?absent.hasValue()
device.attributes["gpu.x"].?model.hasValue()
device.attributes[?"other"].hasValue()
device.attributes[?"other"].?absent.hasValue()
device.attributes[?"gpu.x"].?model.hasValue()
device.attributes[?"gpu.x"].model.orValue("x") == "L4"
device.attributes[?"gpu.x"].absent.orValue("x") == "x"
device.attributes["gpu.x"][?"model"].value() == "L4"
device.attributes["gpu.x"][?"absent"].value() == "L4"
device.?attributes["gpu.x"].model.orValue("x") == "L4"
device.?driver.orValue("x") == "gpu.x"
device.?attributes.other.hasValue()
optional.of(device.attributes).other.hasValue()
optional.of(device.attributes)["gpu.x"].hasValue()
optional.of(device.attributes)["gpu.x"].model.hasValue()
optional.of(device).driver.orValue("x") == "gpu.x"
has(device.?attributes.other)
has(device.attributes[?"gpu.x"].model)
has(device.attributes[?"gpu.x"].absent)
has(device.attributes[?"other"].absent)
device.attributes["gpu.x"].?cc.optMap(v, v.compareTo(semver("9.0.0")) >= 0).orValue(false)
device.attributes["gpu.x"].?absent.optMap(v, v == 1).orValue(false)
device.capacity["gpu.x"].?memory.optMap(q, q.isGreaterThan(quantity("40Gi"))).orValue(false)
device.capacity["gpu.x"].?absent.optMap(q, q.isGreaterThan(quantity("40Gi"))).orValue(false)
device.capacity[?"gpu.x"].memory.orValue(quantity("0")).compareTo(quantity("24Gi")) == 0
device.capacity["gpu.x"].?memory.optFlatMap(q, q.isInteger() ? optional.of(q.asInteger()) : optional.none()).orValue(0) > 0
device.attributes["gpu.x"].?index.or(optional.of(9)).value() == 3
device.attributes["gpu.x"].?absent.or(device.attributes["gpu.x"].?index).value() == 3
device.attributes["gpu.x"].?absent.or(optional.none()).hasValue()
[?device.attributes["gpu.x"].?model, ?device.attributes["gpu.x"].?absent].size() == 1
{?"a": device.attributes["gpu.x"].?model, ?"b": device.attributes["gpu.x"].?absent}.size() == 1
{"a": "x", ?"a": device.attributes["gpu.x"].?absent}.size() == 0
device.attributes["gpu.x"].?model == optional.of("L4")
device.attributes["gpu.x"].?absent == optional.none()
optional.ofNonZeroValue(device.attributes["gpu.x"].index).hasValue()
optional.unwrap([device.attributes["gpu.x"].?model, device.attributes["gpu.x"].?absent]).size() == 1
[device.attributes["gpu.x"].?model, optional.none()].unwrapOpt() == ["L4"]
""".strip().splitlines()

_WHOLE = """
device.driver == "gpu.x" && device.attributes["gpu.x"].cc.isGreaterThan(semver("8.9.0"))
device.driver == "gpu.x" && device.capacity["gpu.x"].memory.compareTo(quantity("40Gi")) >= 0
device.attributes["gpu.x"].model.lowerAscii().contains("h100")
device.attributes["gpu.x"].index < 2 || device.attributes["gpu.x"].mig
"mig" in device.attributes["gpu.x"] && device.attributes["gpu.x"].mig
"absent" in device.attributes["gpu.x"] && device.attributes["gpu.x"].absent
device.attributes["gpu.x"].absent == 1 || device.driver == "gpu.x"
device.driver == "gpu.x" || device.attributes["gpu.x"].absent == 1
device.attributes["gpu.x"].absent == 1 && device.driver == "other"
device.driver == "other" && device.attributes["gpu.x"].absent == 1
device.attributes["gpu.x"].absent == 1 && device.driver == "gpu.x"
device.attributes["gpu.x"].absent == 1 ? true : false
device.driver == "gpu.x" ? device.attributes["gpu.x"].mig : false
cel.bind(dra, device.attributes["gpu.x"], dra.mig && dra.index > 1)
cel.bind(m, device.capacity["gpu.x"].memory, m.isLessThan(quantity("100Gi")) && m.isGreaterThan(quantity("20Gi")))
device.attributes.exists(d, d == "fabric.example.com")
device.attributes.all(d, device.attributes[d].size() > 0)
device.attributes["gpu.x"].exists(k, k == "cc")
device.attributes["gpu.x"].exists(k, v, k == "index" && v == 3)
device.attributes["gpu.x"].filter(k, k.startsWith("m")).size() == 2
device.attributes["gpu.x"].map(k, k).exists(k, k == "mig")
device.attributes["gpu.x"].map(k, k).sort() == ["cc", "index", "model"]
device.capacity["gpu.x"].all(k, v, v.sign() == 1)
device.capacity["gpu.x"].exists_one(k, v, v.compareTo(quantity("24Gi")) == 0)
device.capacity["gpu.x"].transformMap(k, v, v.sign()).memory == 1
device.capacity["gpu.x"].transformList(k, v, v.sign()).sum() > 0
device.attributes["gpu.x"].model in ["L4", "L40S"]
device.attributes["gpu.x"].index in [0, 3]
device.attributes["gpu.x"].cc in ["9.0.0"]
device.attributes["gpu.x"].cc == semver("9.0.0")
semver("9.0.0") == device.attributes["gpu.x"].cc
device.attributes["gpu.x"].cc == "9.0.0"
device.attributes["gpu.x"].cc != "9.0.0"
device.attributes["gpu.x"].cc > semver("8.0.0")
device.capacity["gpu.x"].memory == quantity("24Gi")
device.capacity["gpu.x"].memory > quantity("24Gi")
device.capacity["gpu.x"].memory >= 24
device.capacity["gpu.x"].memory.compareTo(24) > 0
device.capacity["gpu.x"].memory == "24Gi"
device.capacity["gpu.x"].memory.asInteger() == 25769803776
device.capacity["gpu.x"].memory.add(quantity("1Gi")).compareTo(quantity("25Gi")) == 0
device.capacity["gpu.x"].memory.sub(1).isInteger()
device.attributes["gpu.x"].driverVersion.major() == 550
device.attributes["gpu.x"].driverVersion.isLessThan(semver("550.54.15"))
isURL(device.attributes["gpu.x"].site) && url(device.attributes["gpu.x"].site).getPort() == "8443"
ip(device.attributes["gpu.x"].address).family() == 4
cidr("10.0.0.0/8").containsIP(device.attributes["gpu.x"].address)
format.dns1123Label().validate(device.attributes["gpu.x"].family).hasValue()
device.attributes["gpu.x"].family.matches("^hop.*$")
device.attributes["gpu.x"].model.find("[0-9]+GB") == "80GB"
device.attributes["gpu.x"].model.split(" ")[1] == "H100"
device.attributes["gpu.x"].includes("mig")
device.attributes["gpu.x"].model.includes("L4")
sets.contains(["gpu.x", "dra.net"], [device.driver])
device.allowMultipleAllocations == false
device.driver in ["gpu.x", "dra.net"] && !device.allowMultipleAllocations
""".strip().splitlines()


def cases() -> Iterator[tuple[str, str]]:
    for path in _PATHS:
        for wrapper in _WRAPPERS:
            yield "gpu", wrapper.format(path)
    for expression in _OPTIONAL + _WHOLE:
        for device in DEVICES:
            yield device, expression
