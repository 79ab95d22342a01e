"""Ports, paths, mounts and environment variables that engines and routes agree on."""

from __future__ import annotations

from typing import Final

ENGINE: Final = 8000
#: Where a decode engine listens when its sidecar owns port 8000.
DECODE_ENGINE: Final = 8001
PICKER: Final = 9002
PICKER_HEALTH: Final = 9003
GATEWAY: Final = 80

HEALTH_PATH: Final = "/health"
MODELS_MOUNT: Final = "/mnt/models"
SHM_MOUNT: Final = "/dev/shm"  # noqa: S108  # the pod's own shared memory, not a temporary file of this process

LEADER_ADDRESS: Final = "MODELPLANE_LEADER_ADDRESS"
RANK: Final = "MODELPLANE_RANK"
