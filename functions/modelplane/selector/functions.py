"""The functions that `running` calls in Python, by name: the types of their arguments, and the body.

Selectors cannot name them: `checking` does not know them, and these names only come from `templates`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NoReturn

from modelplane.selector import amounts, formats, named_formats, network, patterns, texts, times, urls


def _fail(message: str) -> NoReturn:
    raise ValueError(message)


def _texts(count: int, body: Callable[..., object]) -> tuple[tuple[str, ...], Callable[..., object]]:
    return ("string",) * count, body


FUNCTIONS: Final[dict[str, tuple[tuple[str, ...], Callable[..., object]]]] = {
    "_fail": _texts(1, _fail),
    "_quantity": _texts(1, amounts.quantity),
    "_is_quantity": _texts(1, amounts.is_quantity),
    "_is_integer": _texts(1, amounts.is_integer),
    "_as_integer": _texts(1, amounts.as_integer),
    "_as_float": _texts(1, amounts.as_float),
    "_add": _texts(2, amounts.add),
    "_sub": _texts(2, amounts.sub),
    "_semver": (("string", "bool"), amounts.semver),
    "_is_semver": (("string", "bool"), amounts.is_semver),
    "_find": _texts(2, patterns.find),
    "_find_all": (("string", "string", "int"), patterns.find_all),
    "_room": (("int",), texts.room),
    "_replace": (("string", "string", "string", "int"), texts.replace),
    "_format": (("string", "list"), formats.format_text),
    "_duration_text": (("duration",), times.duration_text),
    "_insert": (("map", "list"), texts.inserted),
    "_insert_all": (("map", "map"), texts.inserted_all),
    "_index_of": (("string", "string", "int"), texts.index_of),
    "_last_index_of": (("string", "string", "int"), texts.last_index_of),
    "_faults": _texts(2, named_formats.faults),
    "_is_format": _texts(1, named_formats.is_format),
    **{f"_{name}": _texts(1 + name.startswith("cidr_contains"), body) for name, body in network.FUNCTIONS.items()},
    **{f"_{name}": _texts(1, body) for name, body in urls.FUNCTIONS.items()},
}
