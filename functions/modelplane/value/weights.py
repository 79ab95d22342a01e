"""How a service's weights become the weights of its backends' endpoints."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

#: Gateway API's ceiling for the weight of a backendRef.
_MAX: Final = 1_000_000


def spread(groups: Sequence[tuple[int, int]]) -> tuple[tuple[int, ...], ...]:
    """Each group's weight, shared out among its ready endpoints: one tuple a group, in order, empty for none ready.

    A group is (weight, ready endpoints). All weights are first scaled alike, so that every endpoint gets at least 1;
    what does not divide goes one each to the first. The result is as small as the ratio allows, at most 1,000,000.
    """
    scale = max((math.ceil(ready / weight) for weight, ready in groups if ready and weight), default=1)
    shares = [_shared(weight * scale, ready) for weight, ready in groups]
    flat = [share for group in shares for share in group]
    divisor = math.gcd(*flat) or 1
    top = max(flat, default=0) // divisor
    return tuple(tuple(_fitted(share // divisor, top) for share in group) for group in shares)


def _shared(total: int, ready: int) -> list[int]:
    if not ready:
        return []
    each, more = divmod(total, ready)
    return [each + (index < more) for index in range(ready)]


def _fitted(share: int, top: int) -> int:
    if top <= _MAX or not share:
        return share
    return max(1, round(share * _MAX / top))
