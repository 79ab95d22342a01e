from __future__ import annotations

import pytest

from model_deployment import keys
from model_deployment.memo import Memo


@pytest.mark.parametrize(
    ("key", "expected", "reason"),
    [
        ("replica-eu-0", ("eu", 0), "the plain case"),
        ("replica-eu-1-23", ("eu-1", 23), "a cluster's name may end in a number"),
        ("replica-eu", None, "no index"),
        ("replica--3", None, "no cluster"),
        ("replica-eu-x", None, "the index is no number"),
        ("replica-eu-²", None, "a digit that is none to int()"),
        ("endpoint-eu-0", None, "an endpoint"),
    ],
)
def test_the_identity_behind_a_key(key: str, expected: tuple[str, int] | None, reason: str) -> None:
    assert keys.identity(key) == expected, reason


def test_keys_lead_back_to_the_identity() -> None:
    assert keys.identity(keys.replica("eu-1", 12)) == ("eu-1", 12)
    assert keys.endpoint("eu-1", 12) == "endpoint-eu-1-12"


# --- The memo


def test_what_is_known_is_not_read_again_and_the_oldest_is_forgotten() -> None:
    memo: Memo[str] = Memo(2)
    reads: list[bytes] = []

    def get(content: bytes) -> str:
        def made() -> str:
            reads.append(content)
            return content.decode()

        return memo.get(content, made)

    asked = [b"a", b"a", b"b", b"a", b"c", b"a", b"d", b"e", b"f", b"b"]

    assert [get(content) for content in asked] == [content.decode() for content in asked]
    assert reads == [b"a", b"b", b"c", b"d", b"e", b"f", b"b"]
