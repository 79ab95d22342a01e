"""A device's facts as the values that selectors read."""

from __future__ import annotations

from functools import lru_cache

from cel_expr_python import cel

from modelplane.selector.amounts import quantity_message, semver_message
from modelplane.selector.environment import running
from modelplane.selector.messages import message
from modelplane.selector.spelling import PRESENT
from modelplane.value.device import Attribute, Facts
from modelplane.value.quantity import Quantity, QuantityError
from modelplane.value.semver import Semver, SemverError


class Unreadable(ValueError):  # noqa: N818 - a fault of the device, not of the program
    """A version or quantity cannot be read; then no selector has a result for the device."""


def split_name(name: str, driver: str) -> tuple[str, str]:
    """The domain and the identifier of a published name; without a slash it belongs to the driver's domain."""
    domain, slash, identifier = name.partition("/")
    return (domain, identifier) if slash else (driver, name)


@lru_cache(maxsize=4096)
def read_device(facts: Facts) -> cel.Activation:
    """The `device` of a selector, bound once for all selectors.

    Raises:
        Unreadable: A version or quantity cannot be read.
    """
    attributes: dict[str, dict[str, object]] = {}
    capacity: dict[str, dict[str, object]] = {}
    for name, attribute in facts.attributes:
        domain, identifier = split_name(name, facts.driver)
        attributes.setdefault(domain, {})[identifier] = _attribute(name, attribute)
    for name, text in facts.capacity:
        domain, identifier = split_name(name, facts.driver)
        capacity.setdefault(domain, {})[identifier] = _quantity(name, text)
    return running().Activation(
        {
            PRESENT: True,
            "device": message("kubernetes.DRADevice")(driver=facts.driver),
            "device.driver": facts.driver,
            "device.allowMultipleAllocations": False,
            "device.attributes": attributes,
            "device.capacity": capacity,
        }
    )


def _attribute(name: str, attribute: Attribute) -> object:
    kind, value = attribute
    if kind != "version":
        return value
    try:
        return semver_message(Semver.parse(str(value)))
    except SemverError as error:
        msg = f"attribute {name}: {error}"
        raise Unreadable(msg) from None


def _quantity(name: str, text: str) -> object:
    try:
        return quantity_message(Quantity.parse(text))
    except QuantityError as error:
        msg = f"capacity {name}: {error}"
        raise Unreadable(msg) from None
