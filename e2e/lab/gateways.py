"""Gateways where no gateway controller can run: each gets an address that nobody listens at, and is said to work."""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import dataclass, field
from datetime import UTC, datetime

from e2e.lab.api import Api, RefusedError
from e2e.lab.objects import Manifest

_LAST = 254  # load balancers count from 1 upwards


@dataclass(slots=True)
class Gateways:
    """The gateways of one cluster."""

    api: Api
    prefix: str  # of their addresses, with the dot
    _given: dict[str, str] = field(default_factory=dict)

    async def follow(self, gateway: Manifest, *, gone: bool) -> None:
        """Writes the status that a controller would write, once."""
        meta = gateway["metadata"]
        if gone or gateway.get("status", {}).get("addresses"):
            return
        address = self._given.setdefault(meta["uid"], f"{self.prefix}{_LAST - len(self._given)}")
        now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        turned = {"status": "True", "lastTransitionTime": now, "observedGeneration": meta["generation"], "message": ""}
        conditions = [{"type": kind, "reason": kind, **turned} for kind in ("Accepted", "Programmed")]
        status = {"addresses": [{"type": "IPAddress", "value": address}], "conditions": conditions}
        identity: Manifest = {
            "apiVersion": "gateway.networking.k8s.io/v1",
            "kind": "Gateway",
            "metadata": {"namespace": meta["namespace"], "name": meta["name"]},
        }
        with contextlib.suppress(OSError, RefusedError):  # gone meanwhile
            await asyncio.to_thread(self.api.set_status, identity, status)
