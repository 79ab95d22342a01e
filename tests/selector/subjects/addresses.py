"""IP addresses, networks, URLs and named formats."""

# ruff: noqa: E501 - an expression a line

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

_ADDRESSES = """
10.1.2.3 0.0.0.0 255.255.255.255 127.0.0.1 169.254.1.1 224.0.0.1 224.0.1.1 239.1.1.1 192.168.0.1 1.2.3 1.2.3.4.5
01.2.3.4 1.2.3.256 1.2.3.-4 1..2.3 .1.2.3 1.2.3. a.b.c.d ::1 :: 2001:db8::1 2001:DB8::1 2001:0db8:0:0:0:0:0:1
fe80::1 fe80::1%eth0 fe80::1% ff02::1 ff01::1 ff0e::1 ::ffff:1.2.3.4 ::1.2.3.4 64:ff9b::1.2.3.4 1:2:3:4:5:6:7:8
1:2:3:4:5:6:7:8:9 1:2:3:4:5:6:7:: ::2:3:4:5:6:7:8 1::2::3 12345::1 g::1 1:2:3:4:5:6:7 : ::: 1:2:3:4:5:6:1.2.3.4
1:2:3:4:5:6:7:1.2.3.4 2001:db8:0:0:1:0:0:1 2001:db8::1:0:0:1 % x
""".split()  # noqa: SIM905 - words are read more easily than a list
_NETWORKS = """
10.0.0.0/8 10.1.2.3/8 10.1.2.3/32 10.1.2.3/0 10.1.2.3/33 10.1.2.3/08 10.1.2.3/+8 10.1.2.3/-1 10.1.2.3/ 10.1.2.3 /8
::/0 2001:db8::/32 2001:db8::1/128 2001:db8::1/129 fe80::1%eth0/64 ::ffff:1.2.3.4/96 ::ffff:10.0.0.0/104
1.2.3.4/8/8 x/8 192.168.0.0/16 192.168.1.0/24 0.0.0.0/0
""".split()  # noqa: SIM905 - words are read more easily than a list
_URLS = """
https://example.com https://example.com:8080/a/b?x=1&y=2&x=3#frag http://user:pass@host/p http://[::1]:80/
http://[::1%25en0]/ http://[1.2.3.4]/ http://[::1 http://::1/ http://host:port/ http://host:/ http://host:1:2/
tcp://a:1,b:2/ http://a:1,b:2/ /abs/path /abs?x=1 rel/path * mailto:a@b ? :// : a: a:b http: http:// http:///
//host/path ///path http://a%20b/ http://a%zz/ http://h/%zz http://h/%41%2f http://h/a%20b http://h/\u00fc
http://\u00fc/ http://h/a|b http://h/a;b,c=d http://h/[x] HTTP://HOST/ ht+tp-1.0://h/ 1http://h
http://h/?a=b;c=d&e=%41%zz&f http://h?q http://h/p? http://h/p?? http://h/p#a#b http://a_b/ http://a<b/ http://a^b/
http://us%65r@h/ http://us[er@h/ http://a@b@c/ file:///etc/passwd x:/a x://a/../b http://%41/ http://%e4/
""".split()  # noqa: SIM905 - words are read more easily than a list
_ODD_URLS = ("", " ", "http://h/a b", "http://a b/", "http://h/\\n", "http://h/\\u007f", "\\u0000", "http://h/\\u00e9")
_URL_PARTS = ("getScheme", "getHost", "getHostname", "getPort", "getEscapedPath")
_FORMATS = """
dns1123Label dns1123Subdomain dns1035Label qualifiedName dns1123LabelPrefix dns1123SubdomainPrefix
dns1035LabelPrefix labelValue uri uuid byte date datetime
""".split()  # noqa: SIM905 - words are read more easily than a list
_NAMES = """
a abc a-b -a a- a-- A 1a a1 1 a.b a..b .a a. a/b /b a/ a/b/c example.com/My_Name Example.com/x a_b a_ _a \u00e9
123e4567-e89b-12d3-a456-426614174000 123e4567e89b12d3a456426614174000 123E4567-E89B-12D3-A456-426614174000 123e4567
YWJj YWI= YQ== YQ= YQ YWJj= Y=== Y-Jj 2026-09-30 2026-02-29 2024-02-29 2026-9-30 2026-13-01 2026-09-30T12:00:00Z
2026-09-30t12:00:00z 2026-09-30T12:00:00.5+02:00 2026-09-30T24:00:00Z 2026-09-30T12:60:00Z 2026-09-30T12:00:60Z
2026-09-30T12:00:00 2026-09-30T12:00:00x5Z 2026-02-30T12:00:00Z 2026-09-30 https://a/b
""".split()  # noqa: SIM905 - words are read more easily than a list
_LONG = ("a" * 63, "a" * 64, ".".join(["a" * 63] * 4), "a" * 253, "a" * 254, "é" * 32, "a" * 63 + "/b", "b/" + "a" * 64)
_WHOLE = r"""
ip("10.1.2.3") == ip("10.1.2.3")
ip("10.1.2.3") == ip("10.1.2.4")
ip("::1") == ip("0:0::1")
ip("10.1.2.3") == "10.1.2.3"
dyn(ip("10.1.2.3")) == "10.1.2.3"
dyn(ip("10.1.2.3")) != "10.1.2.3"
dyn("10.1.2.3") == ip("10.1.2.3")
string(ip("2001:DB8:0::1")) == "2001:db8::1"
string(cidr("10.1.2.3/8")) == "10.1.2.3/8"
string(cidr("10.1.2.3/8").masked()) == "10.0.0.0/8"
string(cidr("2001:db8:ffff::1/33").masked()) == "2001:db8:8000::/33"
cidr("10.1.2.3/8").ip() == ip("10.1.2.3")
cidr("10.0.0.0/8").prefixLength() == 8
cidr("10.0.0.0/8") == cidr("10.0.0.0/8")
cidr("10.0.0.0/8") == cidr("10.1.0.0/8")
cidr("10.0.0.0/8").containsIP("10.1.2.3")
cidr("10.0.0.0/8").containsIP(ip("11.1.2.3"))
cidr("10.0.0.0/8").containsIP("::1")
cidr("10.0.0.0/8").containsIP("x")
cidr("10.0.0.0/8").containsIP(1)
cidr("10.0.0.0/8").containsIP(dyn("10.1.2.3"))
cidr("10.0.0.0/8").containsIP(dyn(1))
cidr("10.0.0.0/8").containsCIDR("10.1.0.0/16")
cidr("10.1.0.0/16").containsCIDR("10.0.0.0/8")
cidr("10.0.0.0/8").containsCIDR(cidr("10.0.0.0/8"))
cidr("10.0.0.0/8").containsCIDR("x")
cidr("0.0.0.0/0").containsCIDR("::/0")
ip.isCanonical("2001:db8::1")
ip.isCanonical("2001:DB8::1")
ip.isCanonical("x")
ip.foo("x")
ip(1).family() == 4
ip(dyn(1)).family() == 4
isIP(1)
isCIDR(dyn(1))
ip("::1").isIP()
ip("10.1.2.3") < ip("10.1.2.4")
[ip("::1")].indexOf(ip("::1")) == 0
ip("::1") in [ip("::1")]
dyn(ip("::1")) in [1]
type(ip("::1")) == net.IP
net.IP == net.IP
url("https://a.b/c") == url("https://a.b/c")
url("https://a.b/c") == url("https://a.b/d")
url("HTTPS://a.b/c") == url("https://a.b/c")
url("https://a.b/c").getQuery() == {}
url("https://a.b/c?x=1&x=2&y=%41+b").getQuery() == {"x": ["1", "2"], "y": ["A b"]}
url("https://a.b/c?x").getQuery()["x"] == [""]
url("https://a.b/c?x=1").getQuery().x[0] == "1"
url("https://a.b/c?x=1").getQuery().z[0] == "1"
url("https://a.b/c?a;b=1&c=%zz&=d").getQuery().size() == 1
url("https://a.b/c?é=ü").getQuery()["é"][0] == "ü"
dyn(url("https://a.b/c")) == "https://a.b/c"
url(1).getHost() == ""
url(dyn(1)).getHost() == ""
isURL(1)
isURL(dyn(1))
"https://a.b".getHost() == "a.b"
url("https://a.b").getPath() == ""
string(url("https://a.b")) == "https://a.b"
format.dns1123Label() == format.dns1123Label()
format.dns1123Label() == format.dns1035Label()
dyn(format.uuid()) == 1
format.named("dns1123Label").hasValue()
format.named("nothing").hasValue()
format.named("uuid").value() == format.uuid()
format.named(1).hasValue()
format.named(dyn(1)).hasValue()
format.dns1123Label().validate(1).hasValue()
format.dns1123Label().validate(dyn(1)).hasValue()
format.dns1123Label().validate("A").value().size() == 1
format.dns1123Label().validate("A").orValue(["x"]).size() == 1
format.dns1123Label().validate("a").orValue([]).size() == 0
format.qualifiedName().validate("A B/_").value().size() == 2
format.nothing().validate("a").hasValue()
format.dns1123Label.validate("a").hasValue()
dyn(1).validate("a").hasValue()
dyn(1).allowed()
dyn(1).check("get").allowed()
dyn(1).path("/").check("get").allowed()
authorizer.path("/").check("get").allowed()
dyn(1).group("").resource("pods").check("list").reason() == ""
dyn(1).serviceAccount("a", "b").group("a").resource("b").subresource("c").namespace("d").name("e").check("f").error() == ""
dyn(1).fieldSelector("a").labelSelector("b").check("c").errored()
""".strip("\n").splitlines()


def cases() -> Iterator[tuple[str, str]]:
    for text in _ADDRESSES:
        yield "none", f'isIP("{text}")'
        yield "none", f'ip.isCanonical("{text}")'
        yield "none", f'ip("{text}").family() == 4'
        for property_ in ("Unspecified", "Loopback", "LinkLocalMulticast", "LinkLocalUnicast", "GlobalUnicast"):
            yield "none", f'ip("{text}").is{property_}()'
    for text in _NETWORKS:
        yield "none", f'isCIDR("{text}")'
        yield "none", f'cidr("{text}").containsIP("10.1.2.3")'
        yield "none", f'cidr("{text}").masked() == cidr("{text}")'
    for left, right in product(_NETWORKS[:4] + _NETWORKS[-4:], repeat=2):
        yield "none", f'cidr("{left}").containsCIDR("{right}")'
    for text in (*_URLS, *_ODD_URLS):
        yield "none", f'isURL("{text}")'
        yield "none", f'url("{text}") == url("{text}")'
        yield "none", f'format.uri().validate("{text}").hasValue()'
        for part, value in product(_URL_PARTS, ("", "h", "/")):
            yield "none", f'url("{text}").{part}() == "{value}"'
        for value in ("/a%20b", "/%41%2f", "/%C3%BC", "/a%7Cb"):
            yield "none", f'url("{text}").getEscapedPath() == "{value}" || url("{text}") == url("{value}x")'
    for name, text in product(_FORMATS, (*_NAMES, *_LONG)):
        yield "none", f'format.{name}().validate("{text}").hasValue()'
    for line in _WHOLE:
        yield "none", line
