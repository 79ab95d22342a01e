"""CEL's static types, as the passes over a checked expression read them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from modelplane.selector.wire import Message


@dataclass(frozen=True, slots=True)
class Kind:
    """A type: its sort, its name, and the types that it is made of."""

    sort: str
    name: str
    parts: tuple[Kind, ...] = ()

    def __str__(self) -> str:
        return f"{self.name}({', '.join(map(str, self.parts))})" if self.parts else self.name


def _plain(name: str) -> Kind:
    return Kind(name, name)


def struct(name: str) -> Kind:
    """A message type."""
    return Kind("struct", name)


BOOL: Final = _plain("bool")
STRING: Final = _plain("string")
DYN: Final = _plain("dyn")
ANY: Final = _plain("any")
DEVICE: Final = struct("kubernetes.DRADevice")
QUANTITY: Final = struct("kubernetes.Quantity")
SEMVER: Final = struct("kubernetes.Semver")
URL: Final = struct("kubernetes.URL")
NAMED_FORMAT: Final = struct("kubernetes.NamedFormat")
IP: Final = struct("net.IP")
CIDR: Final = struct("net.CIDR")


def map_of(key: Kind, value: Kind) -> Kind:
    """A map from such keys to such values."""
    return Kind("map", "map", (key, value))


#: The types of `device.attributes` and `device.capacity`.
DOMAINS: Final = tuple(map_of(STRING, map_of(STRING, value)) for value in (ANY, QUANTITY))

_PRIMITIVE: Final = ("dyn", "bool", "int", "uint", "double", "string", "bytes")
_WELL_KNOWN: Final = ("dyn", "any", "timestamp", "duration")


def read_kind(type_: Message) -> Kind:
    """The type in the form of the wire."""
    sort = type_.WhichOneof("kind")
    return _READERS[sort](getattr(type_, sort)) if sort in _READERS else DYN


_READERS: Final[dict[str, Callable[[Message], Kind]]] = {
    "primitive": lambda number: _plain(_PRIMITIVE[number]),
    "wrapper": lambda number: _plain(f"wrapper({_PRIMITIVE[number]})"),
    "well_known": lambda number: _plain(_WELL_KNOWN[number]),
    "list_type": lambda made: Kind("list", "list", (read_kind(made.elem_type),)),
    "map_type": lambda made: map_of(read_kind(made.key_type), read_kind(made.value_type)),
    "message_type": struct,
    "abstract_type": lambda made: Kind("opaque", made.name, tuple(map(read_kind, made.parameter_types))),
    "type_param": lambda name: Kind("param", name),
    "type": lambda inner: Kind("type", "type", (read_kind(inner),) if inner.WhichOneof("kind") else ()),
    "null": lambda _: Kind("null", "null_type"),
}
