"""Semantic versions as Kubernetes' CEL reads them: ``github.com/blang/semver/v4``, strict, or normalised first."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

_UINT64_MAX: Final = (1 << 64) - 1
_NUMBER: Final = re.compile(r"(?:0|[1-9][0-9]*)\Z")
_DIGITS: Final = re.compile(r"[0-9]+\Z")
_IDENTIFIER: Final = re.compile(r"[0-9A-Za-z-]+\Z")


class SemverError(ValueError):
    """A text that is no semantic version."""


#: A pre-release identifier as a sort key: numbers (0, n, "") stand below words (1, 0, word).
_Key = tuple[int, int, str]


@dataclass(frozen=True, slots=True, eq=False)
class Semver:
    """A version. Equality and order ignore the build; a pre-release stands below its release."""

    major: int
    minor: int
    patch: int
    pre: tuple[_Key, ...] = ()
    build: tuple[str, ...] = ()
    _key: tuple[int, int, int, bool, tuple[_Key, ...]] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_key", (self.major, self.minor, self.patch, not self.pre, self.pre))

    @staticmethod
    def parse(text: str, *, normalize: bool = False) -> Semver:
        """The version that the text denotes; normalised, ``v1.02`` is 1.2.0.

        Raises:
            SemverError: The text is no version.
        """
        return _parse(_normalized(text) if normalize else text)

    def compare(self, other: Semver) -> int:
        """-1, 0 or 1: this one is less, equal or greater."""
        return (self._key > other._key) - (self._key < other._key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Semver) and self._key == other._key

    def __lt__(self, other: Semver) -> bool:
        return self._key < other._key

    def __hash__(self) -> int:
        return hash(self._key)


def _normalized(text: str) -> str:
    parts = [_stripped(part) for part in text.removeprefix("v").split(".", 2)]
    if len(parts) < 3:
        if "+" in parts[-1] or "-" in parts[-1]:
            msg = f"{text!r} is not a version: a short one cannot carry a pre-release or a build"
            raise SemverError(msg)
        parts += ["0"] * (3 - len(parts))
    return ".".join(parts)


def _stripped(part: str) -> str:
    if len(part) <= 1:
        return part
    bare = part.lstrip("0")
    return bare if bare and bare[0] in "0123456789" else "0" + bare


@lru_cache(maxsize=4096)
def _parse(text: str) -> Semver:
    parts = text.split(".", 2)
    if len(parts) != 3:
        msg = f"{text!r} is not a version: expected major.minor.patch"
        raise SemverError(msg)
    rest, plus, build = parts[2].partition("+")
    patch, dash, pre = rest.partition("-")
    return Semver(
        _number(text, parts[0]),
        _number(text, parts[1]),
        _number(text, patch),
        tuple(_pre_release(text, part) for part in pre.split(".")) if dash else (),
        tuple(_identifier(text, part) for part in build.split(".")) if plus else (),
    )


def _number(text: str, part: str) -> int:
    if not _NUMBER.match(part) or (value := int(part) if len(part) < 21 else _UINT64_MAX + 1) > _UINT64_MAX:
        msg = f"{text!r} is not a version: {part!r} is not a number without leading zeros below 2^64"
        raise SemverError(msg)
    return value


def _pre_release(text: str, part: str) -> _Key:
    if _DIGITS.match(part):
        return 0, _number(text, part), ""
    return 1, 0, _identifier(text, part)


def _identifier(text: str, part: str) -> str:
    if not _IDENTIFIER.match(part):
        msg = f"{text!r} is not a version: {part!r} may only have letters, digits and dashes"
        raise SemverError(msg)
    return part
