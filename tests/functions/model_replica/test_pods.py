"""When an engine is told where the weights are."""

from __future__ import annotations

import pytest

from model_replica import pods
from model_replica.read import Container, Engine, Member, Replica

TOLD = "--model=/mnt/models"


@pytest.mark.parametrize(
    ("cache", "command", "args", "serving", "wanted", "reason"),
    [
        ("weights", (), (), True, [TOLD], "an image started by its own entrypoint is told"),
        ("weights", (), ("--x",), True, ["--x", TOLD], "after what the user gave"),
        ("", (), ("--x",), True, ["--x"], "no cache, nothing to tell"),
        ("weights", ("serve",), ("--x",), True, ["--x"], "a command of the user's is the user's whole"),
        ("weights", (), ("--model", "m"), True, ["--model", "m"], "the user chose, in two words"),
        ("weights", (), ("--model=m",), True, ["--model=m"], "the user chose, in one"),
        (
            "weights",
            (),
            ("--model-path=m",),
            True,
            ["--model-path=m"],
            "the option's other name",
        ),
        ("weights", (), ("--model-name=m",), True, ["--model-name=m", TOLD], "an option that only begins alike"),
        ("weights", (), ("--x",), False, ["--x"], "followers of a gang get their orders from the leader"),
    ],
)
def test_model_option(
    *, cache: str, command: tuple[str, ...], args: tuple[str, ...], serving: bool, wanted: list[str], reason: str
) -> None:
    member = Member("Standalone", "p", 0, (), {}, {}, (), Container("i", command, args, ()))
    engine = Engine("e", 1, member, None)
    replica = Replica("team-a", "r", "eu-1", cache, (engine,))

    made = pods.template(replica, engine, member, env={}, managed={} if serving else None)

    assert made["spec"]["containers"][0].get("args", []) == wanted, reason
