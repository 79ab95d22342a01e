"""How large the parts of a device can be: the limits of Kubernetes' ResourceSlice, which estimates of cost go by."""

from __future__ import annotations

from typing import Final

from modelplane.selector.spans import Span

_ENTRIES: Final = 32
_LONGEST_DOMAIN: Final = 63
_LONGEST_ID: Final = 32
_LONGEST_DRIVER: Final = 63
_LONGEST_VALUE: Final = 64


def device_size(path: tuple[str, ...]) -> Span | None:
    """The size of what the path leads to, or None where nothing bounds it.

    A path is "device", then names of fields, "@keys", "@values" or "@items".
    """
    if not path or path[0] != "device":
        return None
    most = _most(path[1:])
    return None if most is None else Span(0, most)


def _most(path: tuple[str, ...]) -> int | None:
    if path[:1] == ("attributes",) and len(path) == 3 and path[1] in _INSIDE and path[2] != "@keys":
        # Every attribute of a domain, whatever its name, has the same limit.
        return _LONGEST_VALUE
    return _MOST.get(path)


_INSIDE: Final = ("@values", "@items")
_MOST: Final[dict[tuple[str, ...], int]] = {
    (): 0,
    ("driver",): _LONGEST_DRIVER,
    ("allowMultipleAllocations",): 1,
    **{(part,): _ENTRIES for part in ("attributes", "capacity")},
    **{(part, "@keys"): _LONGEST_DOMAIN for part in ("attributes", "capacity")},
    **{(part, inside): _ENTRIES for part in ("attributes", "capacity") for inside in _INSIDE},
    **{(part, inside, "@keys"): _LONGEST_ID for part in ("attributes", "capacity") for inside in _INSIDE},
    **{("capacity", outer, inner): 0 for outer in _INSIDE for inner in _INSIDE},
}
