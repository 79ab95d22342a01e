"""URLs as CEL values, read as Go's ``net/url`` reads them."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from modelplane.selector.network import read_address

_SCHEME: Final = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):(.*)\Z", re.DOTALL)
_USER: Final = re.compile(r"[A-Za-z0-9\-._:~!$&'()*+,;=%@]*\Z")
_PORT: Final = re.compile(r"(?::[0-9]*)?\Z")
_ESCAPE: Final = re.compile(rb"%([0-9a-fA-F]{2})")
_UNRESERVED: Final = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~")
#: What a path may hold unescaped when Go writes it, and when it is given.
_PATH: Final = _UNRESERVED | frozenset(b"$&+,/:;=@")
_PATH_GIVEN: Final = _PATH | frozenset(b"!'()*[]%")
_HOST: Final = _UNRESERVED | frozenset(b"!$&'()*+,;=:[]<>\"")
_FRAGMENT: Final = _UNRESERVED | frozenset(b"!$&()*+,/:;=?@")


@dataclass(frozen=True, slots=True)
class Url:
    """The parts of a URL; `host` has the port, and `text` is the whole as Go writes it."""

    scheme: str
    host: str
    path: str
    query: str
    text: str


def _wrong(text: str, why: str) -> ValueError:
    return ValueError(f"{text!r} is not a URL: {why}")


def _unescaped(text: str, allowed: frozenset[int] | None = None) -> bytes:
    """The bytes behind the escapes; in a host only some bytes may be plain, and only others escaped."""
    given = text.encode("utf-8", "surrogatepass")
    if given.count(b"%") != len(_ESCAPE.findall(given)):
        raise _wrong(text, "an escape is not % and two hexadecimal digits")
    if allowed is not None:
        plain = _ESCAPE.sub(b"", given)
        escaped = [int(match, 16) for match in _ESCAPE.findall(given)]
        if any(byte < 0x80 and byte not in allowed for byte in plain) or any(
            byte < 0x80 and byte != 0x25 for byte in escaped
        ):
            raise _wrong(text, "a character that a host cannot have")
    return _ESCAPE.sub(lambda match: bytes((int(match[1], 16),)), given)


def _escaped(given: bytes, plain: frozenset[int]) -> str:
    return "".join(chr(byte) if byte in plain else f"%{byte:02X}" for byte in given)


def read_url(text: str) -> Url:
    """The URL that the text denotes: absolute, or an absolute path.

    Raises:
        ValueError: It is none.
    """
    if not text or any(sign < " " or sign == "\x7f" for sign in text):
        raise _wrong(text, "it is empty or has a control character")
    _read(text, request=True)
    before, _, fragment = text.partition("#")
    url = _read(before, request=False)
    if not fragment:
        return url
    made = _escaped(_unescaped(fragment), _FRAGMENT)
    return Url(url.scheme, url.host, url.path, url.query, f"{url.text}#{made}")


def _read(text: str, *, request: bool) -> Url:
    if text == "*":
        return Url("", "", "*", "", "*")
    scheme, rest = _scheme(text)
    bare_mark = rest.endswith("?") and rest.count("?") == 1
    rest, _, query = rest.partition("?")
    tail = f"?{query}" if query or bare_mark else ""
    if not rest.startswith("/"):
        if scheme:
            return Url(scheme, "", "", query, f"{scheme}:{rest}{tail}")
        if request or ":" in rest.partition("/")[0]:
            raise _wrong(text, "it is neither absolute nor an absolute path")
    user, host = "", ""
    with_authority = rest.startswith("//") and (bool(scheme) or not (request or rest.startswith("///")))
    if with_authority:
        authority, slash, after = rest[2:].partition("/")
        rest = slash + after
        user, host = _authority(text, scheme, authority)
    path = _path(rest)
    return Url(scheme, host, path, query, _written(scheme, user, host, path, authority=with_authority) + tail)


def _scheme(text: str) -> tuple[str, str]:
    if text.startswith(":"):
        raise _wrong(text, "its scheme is missing")
    match = _SCHEME.match(text)
    return (match[1].lower(), match[2]) if match else ("", text)


def _authority(text: str, scheme: str, authority: str) -> tuple[str, str]:
    user, at, host = authority.rpartition("@")
    if at:
        if not _USER.match(user):
            raise _wrong(text, "its user cannot be read")
        _unescaped(user)
    return user + at, _host(text, scheme, host)


def _host(text: str, scheme: str, host: str) -> str:
    bracket = host.rfind("[")
    if bracket > 0:
        raise _wrong(text, "a bracket inside its host")
    if bracket == 0:
        return _literal(text, host)
    colon = host.find(":")
    if colon >= 0 and scheme not in ("http", "https"):
        colon = host.rfind(":")
    if colon >= 0 and not _PORT.match(host[colon:]):
        raise _wrong(text, "its port is no number")
    return _unescaped(host, _HOST).decode("utf-8", "replace")


def _literal(text: str, host: str) -> str:
    """An IPv6 address in brackets, and its port."""
    inner, bracket, port = host[1:].rpartition("]")
    if not bracket or not _PORT.match(port):
        raise _wrong(text, "its host or port cannot be read")
    address_text, zone_mark, zone = inner.partition("%25")
    address = _unescaped(address_text, _HOST).decode("utf-8", "replace")
    zone_text = _unescaped(zone).decode("utf-8", "replace") if zone_mark else ""
    if read_address(address).version == 4 or (zone_mark and not zone):
        raise _wrong(text, "its host is no IPv6 address")
    return f"[{address}{'%' + zone_text if zone_mark else ''}]{port}"


def _path(given: str) -> str:
    """The path with its escapes: as given where that is sound, else as Go writes it."""
    plain = _unescaped(given)
    made = _escaped(plain, _PATH)
    if given == made or all(byte in _PATH_GIVEN for byte in given.encode("utf-8", "surrogatepass")):
        return given
    return "*" if plain == b"*" else made


def _written(scheme: str, user: str, host: str, path: str, *, authority: bool) -> str:
    text = f"{scheme}:" if scheme else ""
    if authority and (user or host or path):
        text += f"//{user}{_escaped(host.encode('utf-8', 'replace'), _HOST)}"
    return text + path


def _split(host: str) -> tuple[str, str]:
    """The host and its port."""
    name, colon, port = host.rpartition(":")
    if not colon or (not port.isdecimal() and port) or not port.isascii():
        name, port = host, ""
    if name.startswith("[") and name.endswith("]"):
        name = name[1:-1]
    return name, port


def _query(url: Url) -> dict[object, object]:
    """The values of each key; what cannot be read is left out."""
    values: dict[object, object] = {}
    for pair in url.query.split("&"):
        if not pair or ";" in pair:
            continue
        key, _, value = pair.partition("=")
        try:
            read = [_unescaped(part.replace("+", " ")).decode("utf-8", "replace") for part in (key, value)]
        except ValueError:
            continue
        held = values.setdefault(read[0], [])
        if isinstance(held, list):
            held.append(read[1])
    return values


def is_url(text: str) -> bool:
    """Whether the text is a URL."""
    try:
        if not text or any(sign < " " or sign == "\x7f" for sign in text):
            return False
        _read(text, request=True)
    except ValueError:
        return False
    return True


#: What CEL asks of URLs, which it holds by their texts; they are read again without fail.
FUNCTIONS: Final[dict[str, Callable[..., object]]] = {
    "url": lambda text: read_url(text).text,
    "is_url": is_url,
    "url_scheme": lambda text: read_url(text).scheme,
    "url_host": lambda text: read_url(text).host,
    "url_hostname": lambda text: _split(read_url(text).host)[0],
    "url_port": lambda text: _split(read_url(text).host)[1],
    "url_path": lambda text: read_url(text).path,
    "url_query": lambda text: _query(read_url(text)),
}
