"""An InferenceClass composes nothing; it is accepted or it is not."""

from __future__ import annotations

from typing import Any

from inference_class import devices
from modelplane.contract.conditions import CLASS_ACCEPTED
from modelplane.kit.seen import Seen
from modelplane.kit.want import Want

#: A condition names the first faults; whoever mends them sees the rest.
_SHOWN = 3


def compose(seen: Seen[dict[str, Any]], want: Want[dict[str, Any]]) -> None:
    """Judge the devices."""
    faults = list(devices.faults(seen.composite.spec))
    want.composite_ready = not faults
    if faults:
        more = f"; and {len(faults) - _SHOWN} more" if len(faults) > _SHOWN else ""
        want.condition(CLASS_ACCEPTED("InvalidDevice", "; ".join(faults[:_SHOWN]) + more), event=True)
    else:
        want.condition(CLASS_ACCEPTED("Available"))
