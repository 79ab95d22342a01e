"""IP addresses and networks; CEL holds them by their canonical texts."""

from __future__ import annotations

import re
from collections.abc import Callable
from ipaddress import IPv4Address, IPv4Interface, IPv6Address, IPv6Interface, ip_address, ip_interface
from typing import Any, Final

Address = IPv4Address | IPv6Address
Network = IPv4Interface | IPv6Interface

_BITS: Final = re.compile(r"(?:0|[1-9][0-9]{0,2})\Z")
_BROADCAST: Final = IPv4Address((1 << 32) - 1)


def read_address(text: str) -> Address:
    """The address without a zone that the text denotes.

    Raises:
        ValueError: It is none.
    """
    address = ip_address(text)
    if isinstance(address, IPv6Address) and address.scope_id is not None:
        msg = f"{text!r} has a zone"
        raise ValueError(msg)
    return address


def _address(text: str) -> Address:
    address = read_address(text)
    if isinstance(address, IPv6Address) and address.ipv4_mapped is not None:
        msg = f"{text!r} maps an IPv4 address into IPv6, which is not allowed"
        raise ValueError(msg)
    return address


def _network(text: str) -> Network:
    address_text, _, bits = text.rpartition("/")
    if not _BITS.match(bits):
        msg = f"{text!r} is not a network address"
        raise ValueError(msg)
    return ip_interface(f"{_address(address_text)}/{bits}")


def _is_read(read: Callable[[str], object]) -> Callable[[str], bool]:
    def is_read(text: str) -> bool:
        try:
            read(text)
        except ValueError:
            return False
        return True

    return is_read


def _link_local_multicast(address: Address) -> bool:
    top = int(address) >> (address.max_prefixlen - 16)
    return int(address) >> 8 == 0xE00000 if address.version == 4 else top & 0xFF0F == 0xFF02


def _global(address: Address) -> bool:
    special = address.is_unspecified or address.is_loopback or address.is_multicast or address.is_link_local
    return not special and address != _BROADCAST


def _contains(network: Network, address: Address) -> bool:
    return address in network.network


def _contains_network(network: Any, inner: Any) -> bool:  # noqa: ANN401 - networks of one version, which is told here
    return bool(network.version == inner.version and inner.network.subnet_of(network.network))


def _asked(ask: Callable[[Address], object]) -> Callable[[str], object]:
    return lambda text: ask(_address(text))


#: What CEL asks of texts, by name; a text that came from us is read again without fail.
FUNCTIONS: Final[dict[str, Callable[..., object]]] = {
    "ip": _asked(str),
    "ip_family": _asked(lambda address: address.version),
    "ip_is_canonical": lambda text: str(_address(text)) == text,
    "ip_is_global_unicast": _asked(_global),
    "ip_is_link_local_multicast": _asked(_link_local_multicast),
    "ip_is_link_local_unicast": _asked(lambda address: address.is_link_local),
    "ip_is_loopback": _asked(lambda address: address.is_loopback),
    "ip_is_unspecified": _asked(lambda address: address.is_unspecified),
    "is_ip": _is_read(_address),
    "cidr": lambda text: str(_network(text)),
    "cidr_ip": lambda text: str(_network(text).ip),
    "cidr_masked": lambda text: str(_network(text).network),
    "cidr_prefix_length": lambda text: _network(text).network.prefixlen,
    "cidr_contains_ip": lambda network, text: _contains(_network(network), _address(text)),
    "cidr_contains_cidr": lambda network, text: _contains_network(_network(network), _network(text)),
    "is_cidr": _is_read(_network),
}
