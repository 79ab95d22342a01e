"""The functions that Kubernetes' environment has beyond those of CEL's standard and cel-expr-python's own libraries.

One overload a line: its id, how it is called, and what it gives. A call with a leading dot is a method on its first
parameter; single capitals are type parameters. The ids are cel-go's and Kubernetes': costs are told by id.
"""

from __future__ import annotations

import re
from typing import Final

_LIBRARIES: Final = """
quantity_add .add(Quantity, Quantity) -> Quantity
quantity_add_int .add(Quantity, int) -> Quantity
quantity_get_float .asApproximateFloat(Quantity) -> double
quantity_get_int .asInteger(Quantity) -> int
string_char_at_int .charAt(string, int) -> string
string_to_cidr cidr(string) -> CIDR
quantity_compare_to .compareTo(Quantity, Quantity) -> int
semver_compare_to .compareTo(Semver, Semver) -> int
cidr_contains_cidr_string .containsCIDR(CIDR, string) -> bool
cidr_contains_cidr .containsCIDR(CIDR, CIDR) -> bool
cidr_contains_ip_string .containsIP(CIDR, string) -> bool
cidr_contains_ip_ip .containsIP(CIDR, IP) -> bool
ip_family .family(IP) -> int
string_find_string .find(string, string) -> string
string_find_all_string .findAll(string, string) -> list(string)
string_find_all_string_int .findAll(string, string, int) -> list(string)
string_format .format(string, list(dyn)) -> string
format.byte format.byte() -> NamedFormat
format.date format.date() -> NamedFormat
format.datetime format.datetime() -> NamedFormat
format.dns1035Label format.dns1035Label() -> NamedFormat
format.dns1035LabelPrefix format.dns1035LabelPrefix() -> NamedFormat
format.dns1123Label format.dns1123Label() -> NamedFormat
format.dns1123LabelPrefix format.dns1123LabelPrefix() -> NamedFormat
format.dns1123Subdomain format.dns1123Subdomain() -> NamedFormat
format.dns1123SubdomainPrefix format.dns1123SubdomainPrefix() -> NamedFormat
format.labelValue format.labelValue() -> NamedFormat
format-named format.named(string) -> optional(NamedFormat)
format.qualifiedName format.qualifiedName() -> NamedFormat
format.uri format.uri() -> NamedFormat
format.uuid format.uuid() -> NamedFormat
url_get_escaped_path .getEscapedPath(URL) -> string
url_get_host .getHost(URL) -> string
url_get_hostname .getHostname(URL) -> string
url_get_port .getPort(URL) -> string
url_get_query .getQuery(URL) -> map(string, list(string))
url_get_scheme .getScheme(URL) -> string
list_a_index_of_int .indexOf(list(A), A) -> int
string_index_of_string .indexOf(string, string) -> int
string_index_of_string_int .indexOf(string, string, int) -> int
string_to_ip ip(string) -> IP
cidr_ip .ip(CIDR) -> IP
ip_is_canonical ip.isCanonical(string) -> bool
is_cidr isCIDR(string) -> bool
ip_is_global_unicast .isGlobalUnicast(IP) -> bool
quantity_is_greater_than .isGreaterThan(Quantity, Quantity) -> bool
semver_is_greater_than .isGreaterThan(Semver, Semver) -> bool
is_ip isIP(string) -> bool
quantity_is_integer .isInteger(Quantity) -> bool
quantity_is_less_than .isLessThan(Quantity, Quantity) -> bool
semver_is_less_than .isLessThan(Semver, Semver) -> bool
ip_is_link_local_multicast .isLinkLocalMulticast(IP) -> bool
ip_is_link_local_unicast .isLinkLocalUnicast(IP) -> bool
ip_is_loopback .isLoopback(IP) -> bool
is_quantity_string isQuantity(string) -> bool
is_semver_string isSemver(string) -> bool
is_semver_string_bool isSemver(string, bool) -> bool
is_url_string isURL(string) -> bool
ip_is_unspecified .isUnspecified(IP) -> bool
list_join .join(list(string)) -> string
list_join_string .join(list(string), string) -> string
list_a_last_index_of_int .lastIndexOf(list(A), A) -> int
string_last_index_of_string .lastIndexOf(string, string) -> int
string_last_index_of_string_int .lastIndexOf(string, string, int) -> int
string_lower_ascii .lowerAscii(string) -> string
semver_major .major(Semver) -> int
cidr_masked .masked(CIDR) -> CIDR
semver_minor .minor(Semver) -> int
optional_unwrap optional.unwrap(list(optional(V))) -> list(V)
semver_patch .patch(Semver) -> int
cidr_prefix_length .prefixLength(CIDR) -> int
string_to_quantity quantity(string) -> Quantity
string_replace_string_string .replace(string, string, string) -> string
string_replace_string_string_int .replace(string, string, string, int) -> string
string_to_semver semver(string) -> Semver
string_bool_to_semver semver(string, bool) -> Semver
quantity_sign sign(Quantity) -> int
string_split_string .split(string, string) -> list(string)
string_split_string_int .split(string, string, int) -> list(string)
strings_quote strings.quote(string) -> string
quantity_sub .sub(Quantity, Quantity) -> Quantity
quantity_sub_int .sub(Quantity, int) -> Quantity
string_substring_int .substring(string, int) -> string
string_substring_int_int .substring(string, int, int) -> string
string_trim .trim(string) -> string
optional_unwrapOpt .unwrapOpt(list(optional(V))) -> list(V)
string_upper_ascii .upperAscii(string) -> string
string_to_url url(string) -> URL
format-validate .validate(NamedFormat, string) -> optional(list(string))
"""

#: The authorization library can be named but never be called: a selector has no authorizer.
_AUTHORIZATION: Final = """
decision_allowed .allowed(Decision) -> bool
pathcheck_check .check(PathCheck, string) -> Decision
resourcecheck_check .check(ResourceCheck, string) -> Decision
decision_error .error(Decision) -> string
decision_errored .errored(Decision) -> bool
authorizer_fieldselector .fieldSelector(ResourceCheck, string) -> ResourceCheck
authorizer_labelselector .labelSelector(ResourceCheck, string) -> ResourceCheck
authorizer_group .group(Authorizer, string) -> GroupCheck
resourcecheck_name .name(ResourceCheck, string) -> ResourceCheck
resourcecheck_namespace .namespace(ResourceCheck, string) -> ResourceCheck
authorizer_path .path(Authorizer, string) -> PathCheck
decision_reason .reason(Decision) -> string
groupcheck_resource .resource(GroupCheck, string) -> ResourceCheck
authorizer_serviceaccount .serviceAccount(Authorizer, string, string) -> Authorizer
resourcecheck_subresource .subresource(ResourceCheck, string) -> ResourceCheck
"""

_STRING: Final = """
string_to_string string(string) -> string
bool_to_string string(bool) -> string
bytes_to_string string(bytes) -> string
double_to_string string(double) -> string
duration_to_string string(duration) -> string
int64_to_string string(int) -> string
timestamp_to_string string(timestamp) -> string
uint64_to_string string(uint) -> string
ip_to_string string(IP) -> string
cidr_to_string string(CIDR) -> string
"""
_RELATIONS: Final = (("less", "_<_"), ("less_equals", "_<=_"), ("greater", "_>_"), ("greater_equals", "_>=_"))
_COMPARED: Final = """
bool bool bool
int64 int int
int64_double int double
int64_uint64 int uint
uint64 uint uint
uint64_double uint double
uint64_int64 uint int
double double double
double_int64 double int
double_uint64 double uint
string string string
bytes bytes bytes
timestamp timestamp timestamp
duration duration duration
"""
_COMPARABLE: Final = ("int", "uint", "double", "bool", "duration", "timestamp", "string", "bytes")
_SUMMABLE: Final = ("int", "uint", "double", "duration")


def _relations() -> list[str]:
    return [
        f"{name}_{id_} {function}({left}, {right}) -> bool"
        for name, function in _RELATIONS
        for id_, left, right in (line.split() for line in _COMPARED.strip().splitlines())
    ]


def _orders() -> list[str]:
    lines: list[str] = []
    for kind in _COMPARABLE:
        lines += (
            f"list_{kind}_is_sorted_bool .isSorted(list({kind})) -> bool",
            f"list_{kind}_max_{kind} .max(list({kind})) -> {kind}",
            f"list_{kind}_min_{kind} .min(list({kind})) -> {kind}",
        )
    return [*lines, *(f"list_{kind}_sum_{kind} .sum(list({kind})) -> {kind}" for kind in _SUMMABLE)]


#: Every overload that is declared.
OVERLOADS: Final = tuple(
    line for text in (_LIBRARIES, _STRING, _AUTHORIZATION) for line in text.strip().splitlines()
) + tuple(_relations() + _orders())


_LINE: Final = re.compile(r"(\S+) (\.?)(.+?)\((.*)\) -> (.+)")
_WORD: Final = re.compile(r"[A-Za-z]\w*")
_NAMES: Final = {
    **{name: f"kubernetes.{name}" for name in ("Quantity", "Semver", "URL", "NamedFormat")},
    **{
        name: f"kubernetes.authorization.{name}"
        for name in ("Authorizer", "Decision", "GroupCheck", "PathCheck", "ResourceCheck")
    },
    "IP": "net.IP",
    "CIDR": "net.CIDR",
    "optional": "optional_type",
}


def declarations() -> str:
    """The table as the ``functions`` of a CEL environment in YAML."""
    groups: dict[str, list[str]] = {}
    for line in OVERLOADS:
        match = _LINE.fullmatch(line)
        if match is None:
            msg = f"not a signature: {line!r}"
            raise ValueError(msg)
        id_, method, name, parameters, result = match.groups()
        types = [_type(part) for part in _split(parameters)]
        # In a signature a dot sets the target apart, and an angle bracket the parts of a type.
        escaped = name.replace(".", "\\.").replace("<", "\\<").replace(">", "\\>")
        called = f"{types.pop(0)}.{escaped}" if method else escaped
        overload = f"  - {{id: {id_}, signature: '{called}({','.join(types)})', return: '{_type(result)}'}}"
        groups.setdefault(name, []).append(overload)
    lines = ["functions:"]
    for name, overloads in groups.items():
        lines += (f"- name: {name}", "  overloads:", *overloads)
    return "\n".join(lines) + "\n"


def _type(text: str) -> str:
    named = _WORD.sub(lambda word: f"~{word[0]}" if len(word[0]) == 1 else _NAMES.get(word[0], word[0]), text)
    return named.replace("(", "<").replace(")", ">")


def _split(text: str) -> list[str]:
    """The parts between the commas that stand in no inner brackets."""
    parts, depth, last = [], 0, 0
    for index, sign in enumerate(text):
        depth += (sign == "(") - (sign == ")")
        if sign == "," and depth == 0:
            parts.append(text[last:index].strip())
            last = index + 1
    tail = text[last:].strip()
    return [*parts, tail] if tail else parts
