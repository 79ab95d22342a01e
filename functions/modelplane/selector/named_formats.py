"""Kubernetes' named formats: ``format.dns1123Label().validate("...")`` and their like.

The faults are told in our words; how many there are is as in Kubernetes.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Callable
from typing import Final

from modelplane.selector.urls import is_url

_LABEL: Final = re.compile(r"[a-z0-9](?:[-a-z0-9]*[a-z0-9])?\Z")
_SUBDOMAIN: Final = re.compile(r"[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*\Z")
_LABEL_1035: Final = re.compile(r"[a-z](?:[-a-z0-9]*[a-z0-9])?\Z")
_KEY: Final = re.compile(r"[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?\Z")
_UUID: Final = re.compile(r"(?a:[0-9a-fA-F]{8}-?(?:[0-9a-fA-F]{4}-?){3}[0-9a-fA-F]{12})\Z")
_BASE64: Final = re.compile(r"(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})\Z")
_DAY: Final = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})\Z")
_CLOCK: Final = re.compile(r"([0-9]{2}):([0-9]{2}):([0-9]{2})(?:.[0-9]+)?(?:z|[+-][0-9]{2}:[0-9]{2})\Z")

_Faults = list[str]


def _length(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


def _shaped(shape: re.Pattern[str], longest: int, what: str) -> Callable[[str], _Faults]:
    def faults(text: str) -> _Faults:
        found = [f"must be no more than {longest} bytes"] if _length(text) > longest else []
        return found if shape.match(text) else [*found, f"must be {what}"]

    return faults


_label = _shaped(_LABEL, 63, "lower case letters, digits or dashes, with a letter or digit at both ends")
_subdomain = _shaped(_SUBDOMAIN, 253, "labels of lower case letters, digits or dashes, joined by dots")
_label_1035 = _shaped(_LABEL_1035, 63, "lower case letters, digits or dashes, with a letter first and no dash last")
_label_value = _shaped(
    re.compile(rf"(?:{_KEY.pattern[:-2]})?\Z"),
    63,
    "empty, or letters, digits, '-', '_' or '.' with a letter or digit at both ends",
)


def _prefix_of(faults: Callable[[str], _Faults]) -> Callable[[str], _Faults]:
    """The faults of a name that something is put behind, so that its last dash is none."""

    def masked(text: str) -> _Faults:
        # Kubernetes puts a letter in the place of the last two characters, not of the dash alone.
        return faults(text[:-2] + "a" if len(text) > 1 and text.endswith("-") else text)

    return masked


def _qualified_name(text: str) -> _Faults:
    parts = text.split("/")
    if len(parts) > 2:
        return ["must be a name, with at most one prefix and a slash before it"]
    found: _Faults = []
    if len(parts) == 2:
        found += _subdomain(parts[0]) if parts[0] else ["prefix part must be non-empty"]
    name = parts[-1]
    if not name or _length(name) > 63:
        found.append("name part must have 1 to 63 characters")
    if not _KEY.match(name):
        found.append("name part must be letters, digits, '-', '_' or '.', with a letter or digit at both ends")
    return found


def _unless(sound: Callable[[str], object], fault: str) -> Callable[[str], _Faults]:
    return lambda text: [] if sound(text) else [fault]


def _is_date(text: str) -> bool:
    match = _DAY.match(text)
    if match is None:
        return False
    year, month, day = (int(part) for part in match.groups())
    return 1 <= month <= 12 and 1 <= day <= calendar.monthrange(year, month)[1]


def _is_datetime(text: str) -> bool:
    day, mark, rest = text.lower().partition("t")
    match = _CLOCK.match(rest.partition("t")[0])
    return bool(mark and _is_date(day) and match and match[1] <= "23" and match[2] <= "59" and match[3] <= "59")


#: How each format finds the faults of a text.
_FORMATS: Final = {
    "dns1123Label": _label,
    "dns1123Subdomain": _subdomain,
    "dns1035Label": _label_1035,
    "qualifiedName": _qualified_name,
    "dns1123LabelPrefix": _prefix_of(_label),
    "dns1123SubdomainPrefix": _prefix_of(_subdomain),
    "dns1035LabelPrefix": _prefix_of(_label_1035),
    "labelValue": _label_value,
    "uri": _unless(is_url, "must be a URI"),
    "uuid": _unless(_UUID.match, "must be a UUID"),
    "byte": _unless(_BASE64.match, "must be base64"),
    "date": _unless(_is_date, "must be a date"),
    "datetime": _unless(_is_datetime, "must be a date and time"),
}


def faults(name: str, text: str) -> _Faults:
    """What is wrong with the text, in the format of that name."""
    return _FORMATS[name](text)


def is_format(name: str) -> bool:
    """Whether there is a format of that name."""
    return name in _FORMATS
