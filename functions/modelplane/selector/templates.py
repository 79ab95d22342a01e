"""What Kubernetes' functions become: CEL over the fields of its messages, and functions of ours.

In a template `_0` is the call's target or first argument, and so on; `one` and `two` become unspeakable names.
"""

from __future__ import annotations

import re
from typing import Final

from modelplane.selector import kinds
from modelplane.selector.kinds import Kind

_ORDER: Final = "cel.bind(one, _0.key, cel.bind(two, _1.key, one < two ? -1 : one > two ? 1 : 0))"
#: What a call becomes, by overload. `_0` is its target or first argument, and so on.
_TEMPLATES: Final[dict[str, str]] = {
    "string_to_quantity": "_quantity(_0)",
    "is_quantity_string": "_is_quantity(_0)",
    "quantity_sign": 'cel.bind(one, _0.key, one < "1" ? -1 : one < "2" ? 0 : 1)',
    "quantity_compare_to": _ORDER,
    "quantity_is_greater_than": "_0.key > _1.key",
    "quantity_is_less_than": "_0.key < _1.key",
    "quantity_is_integer": "_is_integer(_0.form)",
    "quantity_get_int": "_as_integer(_0.form)",
    "quantity_get_float": "_as_float(_0.form)",
    "quantity_add": "_add(_0.form, _1.form)",
    "quantity_add_int": '_add(_0.form, string(_1) + " 0")',
    "quantity_sub": "_sub(_0.form, _1.form)",
    "quantity_sub_int": '_sub(_0.form, string(_1) + " 0")',
    "string_to_semver": "_semver(_0, false)",
    "string_bool_to_semver": "_semver(_0, _1)",
    "is_semver_string": "_is_semver(_0, false)",
    "is_semver_string_bool": "_is_semver(_0, _1)",
    "semver_major": "_0.major",
    "semver_minor": "_0.minor",
    "semver_patch": "_0.patch",
    "semver_compare_to": _ORDER.replace(".key", ".rank"),
    "semver_is_greater_than": "_0.rank > _1.rank",
    "semver_is_less_than": "_0.rank < _1.rank",
    "string_to_ip": "net.IP{text: _ip(_0)}",
    "ip_to_string": "_0.text",
    "is_ip": "_is_ip(_0)",
    "ip_is_canonical": "_ip_is_canonical(_0)",
    "ip_family": "_ip_family(_0.text)",
    "ip_is_unspecified": "_ip_is_unspecified(_0.text)",
    "ip_is_loopback": "_ip_is_loopback(_0.text)",
    "ip_is_link_local_multicast": "_ip_is_link_local_multicast(_0.text)",
    "ip_is_link_local_unicast": "_ip_is_link_local_unicast(_0.text)",
    "ip_is_global_unicast": "_ip_is_global_unicast(_0.text)",
    "string_to_cidr": "net.CIDR{text: _cidr(_0)}",
    "cidr_to_string": "_0.text",
    "is_cidr": "_is_cidr(_0)",
    "cidr_ip": "net.IP{text: _cidr_ip(_0.text)}",
    "cidr_masked": "net.CIDR{text: _cidr_masked(_0.text)}",
    "cidr_prefix_length": "_cidr_prefix_length(_0.text)",
    "cidr_contains_ip_ip": "_cidr_contains_ip(_0.text, _1.text)",
    "cidr_contains_ip_string": "_cidr_contains_ip(_0.text, _1)",
    "cidr_contains_cidr": "_cidr_contains_cidr(_0.text, _1.text)",
    "cidr_contains_cidr_string": "_cidr_contains_cidr(_0.text, _1)",
    "string_to_url": "kubernetes.URL{text: _url(_0)}",
    "is_url_string": "_is_url(_0)",
    "url_get_scheme": "_url_scheme(_0.text)",
    "url_get_host": "_url_host(_0.text)",
    "url_get_hostname": "_url_hostname(_0.text)",
    "url_get_port": "_url_port(_0.text)",
    "url_get_escaped_path": "_url_path(_0.text)",
    "url_get_query": "_url_query(_0.text)",
    "format-named": (
        "cel.bind(one, _0, _is_format(one) ? optional.of(kubernetes.NamedFormat{text: one}) : optional.none())"
    ),
    "format-validate": "optional.ofNonZeroValue(_faults(_0.text, _1))",
    "string_find_string": "_find(_0, _1)",
    "string_find_all_string": "_find_all(_0, _1, -1)",
    "string_find_all_string_int": "_find_all(_0, _1, _2)",
    "optional_unwrap": "_0.filter(one, one.hasValue()).map(one, one.value())",
    "optional_unwrapOpt": "_0.filter(one, one.hasValue()).map(one, one.value())",
    "list_a_index_of_int": "_0.transformList(one, two, two == _1, one).first().orValue(-1)",
    "string_index_of_string_int": "_index_of(_0, _1, _2)",
    "string_last_index_of_string_int": "_last_index_of(_0, _1, _2)",
    "string_replace_string_string": "_replace(_0, _1, _2, -1)",
    "string_replace_string_string_int": "_replace(_0, _1, _2, _3)",
    "string_format": "_format(_0, _1)",
    "duration_to_string": "_duration_text(_0)",
    "@mapInsert_map_key_value": "_insert(_0, [_1, _2])",
    "@mapInsert_map_map": "_insert_all(_0, _1)",
    "duration_to_milliseconds": "cel.bind(one, _0, one.getSeconds() * 1000 + one.getMilliseconds())",
    "add_list": "cel.bind(one, _0, cel.bind(two, _1, _room(size(one) + size(two)) ? one + two : one))",
    "list_range": "cel.bind(one, _0, one < 0 ? [] : lists.range(one))",
    "list_a_last_index_of_int": "_0.transformList(one, two, two == _1, one).last().orValue(-1)",
}
#: The same for several overloads at once, where the type of the last argument is only known at run time.
_OPEN: Final[dict[frozenset[str], str]] = (
    {
        frozenset({f"quantity_{name}", f"quantity_{name}_int"}): (
            f'_{name}(_0.form, cel.bind(one, _1, type(one) == int ? string(one) + " 0" : one.form))'
        )
        for name in ("add", "sub")
    }
    | {
        frozenset({f"cidr_contains_{part}_string", f"cidr_contains_{name}"}): (
            f"_cidr_contains_{part}(_0.text, cel.bind(one, _1, type(one) == string ? one : one.text))"
        )
        for part, name in (("ip", "ip_ip"), ("cidr", "cidr"))
    }
    | {
        frozenset({f"quantity_{name}", f"semver_{name}"}): (
            f"cel.bind(one, _0, cel.bind(two, _1, "
            f"type(one) == kubernetes.Quantity ? ({made}) : ({made.replace('.key', '.rank')})))"
        )
        for name, made in (
            ("compare_to", "one.key < two.key ? -1 : one.key > two.key ? 1 : 0"),
            ("is_greater_than", "one.key > two.key"),
            ("is_less_than", "one.key < two.key"),
        )
    }
)
#: The functions that order a list, whatever the type of its elements.
_ORDERED: Final = re.compile(r"list_[a-z]+_(is_sorted|max|min)_[a-z]+")
_ORDERS: Final = {
    "is_sorted": "cel.bind(one, _0, one.sort() == one)",
    "max": "_0.sort().last().value()",
    "min": "_0.sort().first().value()",
}
#: Kubernetes' types and the field by which their values are told apart.
_TOLD: Final = {
    kinds.QUANTITY: "key",
    kinds.SEMVER: "rank",
    **dict.fromkeys((kinds.URL, kinds.IP, kinds.CIDR, kinds.NAMED_FORMAT), "text"),
}
#: What a sum starts from, by the type of its parts.
ZEROS: Final = {"int": "0", "uint": "0u", "double": "0.0", "duration": 'duration("0s")'}
#: The overloads that compute a quantity.
SUMS: Final = frozenset({"quantity_add", "quantity_add_int", "quantity_sub", "quantity_sub_int"})
NO_OVERLOAD: Final = '_fail("no such overload")'
#: What a loop collects, where that may be a list or a map: these are copied.
COLLECTED: Final = "cel.bind(one, _0, type(one) in [list, map] && _room(size(one)) ? one : one)"
#: What an index into a device's maps becomes.
DOMAIN: Final = "_0[?_1].orValue({})"


def template_for(overloads: list[str]) -> str | None:
    """What a call with these overloads becomes, or None where CEL has the function itself."""
    if opened := _OPEN.get(frozenset(overloads)):
        return opened
    found = [_single(overload) for overload in overloads]
    return found[0] if found and all(found) else None


def _single(overload: str) -> str | None:
    if overload.startswith("format."):
        return f'kubernetes.NamedFormat{{text: "{overload.removeprefix("format.")}"}}'
    if ordered := _ORDERED.fullmatch(overload):
        return _ORDERS[ordered[1]]
    # There is no authorizer in a selector.
    unauthorized = overload.startswith(("decision_", "pathcheck_", "resourcecheck_", "authorizer_", "groupcheck_"))
    return NO_OVERLOAD if unauthorized else _TEMPLATES.get(overload)


def equality(left: Kind, right: Kind, no_answer: str) -> str | None:
    """What an equality of these types becomes, or None where CEL's own will do."""
    if left in _TOLD:
        field = _TOLD[left]
        if left == right:
            return f"_0.{field} == _1.{field}"
        unlike = f"type(two) == null_type ? false : {no_answer}"
        return f"cel.bind(two, _1, type(two) == {left.name} ? _0.{field} == two.{field} : {unlike})"
    if left == kinds.ANY:
        # Of Kubernetes' types, attributes only have versions.
        like = "one.rank == two.rank" if right in (kinds.ANY, kinds.DYN, kinds.SEMVER) else "false"
        return _guarded("type(one) == kubernetes.Semver", like, no_answer)
    if left == kinds.DYN:
        told = " : ".join(f"type(one) == {kind.name} ? one.{field} == two.{field}" for kind, field in _TOLD.items())
        return _guarded(f"type(one) in [{', '.join(kind.name for kind in _TOLD)}]", f"({told} : false)", no_answer)
    return None


def _guarded(ours: str, like: str, no_answer: str) -> str:
    unlike = f"type(two) == null_type ? false : {no_answer}"
    same = f"type(one) == type(two) ? {like} : {unlike}" if like != "false" else unlike
    return f"cel.bind(one, _0, cel.bind(two, _1, ({ours}) ? ({same}) : one == two))"
