from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model_endpoint.address import Address, InvalidUrlError, parse

LABEL = "a" * 63


@pytest.mark.parametrize(
    ("url", "address", "reason"),
    [
        ("http://203.0.113.9/team-a/chat/v1", Address("IPv4", "203.0.113.9", 80), "a gateway's address, as composed"),
        ("https://203.0.113.9", Address("IPv4", "203.0.113.9", 443), "https has its own default port"),
        ("http://10.0.0.7:8000/", Address("IPv4", "10.0.0.7", 8000), "private networks are where clusters are"),
        ("HTTPS://API.Example.org:8443", Address("FQDN", "api.example.org", 8443), "scheme and host ignore case"),
        ("https://api.example.org./v1", Address("FQDN", "api.example.org", 443), "a final dot is the same name"),
        ("https://1.example.org", Address("FQDN", "1.example.org", 443), "only a final label of digits is an address"),
        (f"http://{LABEL}.org", Address("FQDN", f"{LABEL}.org", 80), "the longest label"),
        ("http://[2001:db8::1]:8000", Address("IPv6", "2001:db8::1", 8000), "IPv6 stands in brackets"),
        ("http://[2001:DB8:0::1]", Address("IPv6", "2001:db8::1", 80), "IPv6 is written in its one canonical form"),
        ("http://[fd12::1]", Address("IPv6", "fd12::1", 80), "a private IPv6 network"),
        ("http://host.example.org?x=1#y", Address("FQDN", "host.example.org", 80), "query and fragment are not routed"),
    ],
)
def test_routable(url: str, address: Address, reason: str) -> None:
    assert parse(url) == address, reason


@pytest.mark.parametrize(
    ("url", "message", "reason"),
    [
        ("", "must begin with http:// or https://", "an object whose URL was never admitted"),
        ("nonsense", "must begin with http:// or https://", "no URL at all"),
        ("ftp://example.org", "must begin with http:// or https://", "another scheme"),
        ("//example.org", "must begin with http:// or https://", "no scheme"),
        ("http://", "it has no host", "no host"),
        ("http:///v1", "it has no host", "no host, a path"),
        ("http://:80", "it has no host", "no host, a port"),
        ("http://example.org:0", "its port must be 1 to 65535", "port 0 is nobody's"),
        ("http://example.org:65536", "out of range", "past the last port"),
        ("http://example.org:http", "Port could not be cast", "a port by name"),
        ("http://[2001:db8::1", "Invalid IPv6 URL", "a bracket that is not closed"),
        (
            "http://user:secret@example.org",
            "must not carry a user or a password",
            "no credentials in a spec",
        ),
        ("http://127.0.0.1:8000", "127.0.0.1 is a loopback address", "the gateway itself; the API server refuses it"),
        ("http://127.9.9.9", "127.9.9.9 is a loopback address", "the whole of 127/8"),
        ("http://[::1]", "::1 is a loopback address", "loopback over IPv6"),
        ("http://[::ffff:127.0.0.1]", "write 127.0.0.1 instead", "loopback in disguise"),
        ("http://169.254.169.254/latest", "169.254.169.254 is a link-local address", "a cloud's metadata"),
        ("http://[fe80::1]", "fe80::1 is a link-local address", "link-local over IPv6"),
        ("http://[fe80::1%25eth0]", "must not have a zone", "a zone means something on one node alone"),
        ("http://[fd00:ec2::254]", "fd00:ec2::254 is a cloud's metadata address", "metadata of AWS over IPv6"),
        ("http://0.0.0.0", "0.0.0.0 is an unspecified address", "every address of the gateway itself"),
        ("http://224.0.0.1", "224.0.0.1 is a multicast address", "nobody in particular"),
        ("http://localhost:8000", "localhost names the machine itself", "loopback by name"),
        ("http://x.localhost", "x.localhost names the machine itself", "every name under it"),
        ("http://metadata.google.internal", "metadata.google.internal names", "metadata of GCP by name"),
        ("http://127.1", "127.1 is neither an IP address nor a domain name", "resolvers read it as 127.0.0.1"),
        ("http://2130706433", "2130706433 is neither", "resolvers read it as 127.0.0.1"),
        ("http://0x7f000001", "0x7f000001 is neither", "resolvers read it as 127.0.0.1"),
        ("http://127.0.0.0x1", "127.0.0.0x1 is neither", "resolvers read it as 127.0.0.1"),
        ("http://engine", "engine is not fully qualified", "EndpointSlices take no name without a dot"),
        ("http://-a.example.org", "-a.example.org is neither", "a label that begins with a dash"),
        ("http://a_b.example.org", "a_b.example.org is neither", "an underscore"),
        ("http://münchen.example.org", "is neither", "a name that is not in its ASCII form"),
        ("http://a..example.org", "a..example.org is neither", "an empty label"),
        (f"http://{LABEL}a.org", "is neither", "a label past 63 characters"),
        (f"http://{'.'.join([LABEL] * 4)}.org", "is neither", "a name past 253 characters"),
    ],
)
def test_refused(url: str, message: str, reason: str) -> None:
    with pytest.raises(InvalidUrlError) as refusal:
        parse(url)

    assert message in str(refusal.value), reason


@given(st.text(max_size=40).map(lambda text: f"http://{text}") | st.text(max_size=20))
def test_whatever_is_written_is_an_address_or_refused(url: str) -> None:
    try:
        address = parse(url)
    except InvalidUrlError:
        return  # any other exception would be a crash of the function

    assert 1 <= address.port <= 65535
    assert address.kind == "IPv6" or re.fullmatch(r"[a-z0-9.-]+", address.host)
