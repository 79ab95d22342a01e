"""Where a ModelEndpoint's URL points: an address that an EndpointSlice can carry, or why there is none."""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass
from typing import Final, Literal
from urllib.parse import SplitResult, urlsplit

Kind = Literal["IPv4", "IPv6", "FQDN"]

_DEFAULT_PORTS: Final = {"http": 80, "https": 443}
_DNS_LABEL: Final = re.compile(r"[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?")
#: Resolvers read "127.1", "0x7f000001" and the like as IPv4 addresses.
_NUMERIC: Final = re.compile(r"[0-9]+|0x[0-9a-f]*")
#: Names that stand for the machine itself or for a cloud's metadata service.
_REFUSED_NAMES: Final = ("localhost", "metadata.google.internal", "metadata.goog", "instance-data")
#: The metadata service of AWS over IPv6; that over IPv4 is link-local.
_METADATA: Final = ipaddress.ip_address("fd00:ec2::254")


class InvalidUrlError(ValueError):
    """The URL cannot be routed to; the text is a clause that says why."""


@dataclass(frozen=True, slots=True)
class Address:
    """A host and a port; `kind` is the EndpointSlice's addressType."""

    kind: Kind
    host: str
    port: int


def parse(url: str) -> Address:
    """The address that a URL names.

    Raises:
        InvalidUrlError: it is no http or https URL, or what it names must not be routed to.
    """
    try:
        split = urlsplit(url)
        port = split.port
    except ValueError as error:
        raise InvalidUrlError(str(error)) from error
    if split.scheme not in _DEFAULT_PORTS:
        msg = "it must begin with http:// or https://"
        raise InvalidUrlError(msg)
    if port == 0:
        msg = "its port must be 1 to 65535"
        raise InvalidUrlError(msg)
    return _address(split, _DEFAULT_PORTS[split.scheme] if port is None else port)


def _address(split: SplitResult, port: int) -> Address:
    if split.username is not None or split.password is not None:
        msg = "it must not carry a user or a password"
        raise InvalidUrlError(msg)
    host = split.hostname or ""
    if not host:
        msg = "it has no host"
        raise InvalidUrlError(msg)
    try:
        ip = ipaddress.ip_address(host)
    except ValueError:
        return Address("FQDN", _domain(host), port)
    if isinstance(ip, ipaddress.IPv6Address):
        return Address("IPv6", _reachable(ip), port)
    return Address("IPv4", _reachable(ip), port)


def _reachable(ip: ipaddress.IPv4Address | ipaddress.IPv6Address) -> str:
    """The address as text, unless it leads back to a node or to a cloud's metadata, or the API server refuses it."""
    if isinstance(ip, ipaddress.IPv6Address):
        if ip.scope_id is not None:
            msg = "its address must not have a zone"
            raise InvalidUrlError(msg)
        if ip.ipv4_mapped is not None:
            msg = f"write {ip.ipv4_mapped} instead of an IPv6 address that maps it"
            raise InvalidUrlError(msg)
    kinds = {
        "a loopback address": ip.is_loopback,
        "a link-local address": ip.is_link_local,
        "a cloud's metadata address": ip == _METADATA,
        "a multicast address": ip.is_multicast,
        "an unspecified address": ip.is_unspecified,
    }
    for what, holds in kinds.items():
        if holds:
            msg = f"{ip} is {what}, which is not routed to"
            raise InvalidUrlError(msg)
    return str(ip)


def _domain(host: str) -> str:
    """The host where it is a fully qualified domain name, without a final dot."""
    name = host.removesuffix(".")
    if any(name == refused or name.endswith(f".{refused}") for refused in _REFUSED_NAMES):
        msg = f"{name} names the machine itself or a cloud's metadata, which are not routed to"
        raise InvalidUrlError(msg)
    parts = name.split(".")
    if len(name) > 253 or not all(_DNS_LABEL.fullmatch(part) for part in parts) or _NUMERIC.fullmatch(parts[-1]):
        msg = f"{host} is neither an IP address nor a domain name"
        raise InvalidUrlError(msg)
    if len(parts) < 2:
        msg = f"{host} is not fully qualified; an EndpointSlice takes names with a dot"
        raise InvalidUrlError(msg)
    return name
