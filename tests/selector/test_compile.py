from __future__ import annotations

import pytest

from modelplane import selector


@pytest.mark.parametrize(
    ("text", "line", "column", "message", "reason"),
    [
        ("", 1, 1, "unexpected end of the expression", "nothing is no selector"),
        (" \n ", 2, 2, "unexpected end of the expression", "nor are blanks"),
        ("device.driver = 'a'", 1, 15, "token recognition error at: '= '", "an assignment is a slip of the pen"),
        (
            "device.driver == 'a' and true",
            1,
            22,
            "unexpected 'and' expecting end of the expression",
            "words are no operators",
        ),
        ("(true", 1, 6, "missing ')' at end of the expression", "a bracket stays open"),
        ('device.driver == "a', 1, 18, "token recognition error at: '\"a'", "so does a quote"),
        ("device.name == 'a'", 1, 7, "undefined field 'name'", "a device has four fields"),
        ("true &&\n  devise.driver == 'a'", 2, 3, "undeclared reference to 'devise.driver'", "places count lines"),
        ("'é' == 'é' && foo()", 1, 18, "undeclared reference to 'foo'", "and characters, not bytes"),
        (
            'device.capacity["g"].memory > 3',
            1,
            29,
            "no matching overload for '_>_' applied to '(kubernetes.Quantity, int)'",
            "an amount",
        ),
        (
            '"9.0.0" == semver("9.0.0")',
            1,
            9,
            "no matching overload for '_==_' applied to '(string, kubernetes.Semver)'",
            "types of ==",
        ),
        ("device.driver", 1, 1, "must evaluate to bool or the unknown type, not string", "a selector says yes or no"),
        ("dyn(true)", 1, 1, "must evaluate to bool or the unknown type, not dyn", "as far as its type tells"),
        (
            'has(device.attributes["g"])',
            1,
            22,
            "has() argument must be a field selection",
            "presence is asked of fields",
        ),
        ("[1, 'a'].size() == 2", 1, 5, "expected type 'int' but found 'string'", "literals are of one type"),
        ("int('x') == 1", 1, 4, "cannot convert string to int", "constants are settled at once"),
        ("'a'.matches('(')", 1, 13, "invalid matches argument", "patterns too"),
        ("duration('1 day') == duration('1s')", 1, 10, "invalid duration argument", "and spans of time"),
        ("'%d'.format(['a']) == ''", 1, 14, "the clause %d does not take a string", "formats are checked"),
        ("[1].all(x.y, true)", 1, 10, "variable name must be a simple identifier", "macros take names"),
        ("type(1) == int", 1, 1, "too complex: the estimated cost is", "what cannot be bounded is too costly"),
        ("google.protobuf.Duration{}", 1, 1, "a selector cannot make a message", "messages are not made"),
        ("!" * 10_240, 1, 10_241, "unexpected end of the expression", "the longest text that is read"),
        ("!" * 10_241, 1, 1, "the text has 10241 bytes; at most 10240 are allowed", "a longer one is not"),
        ("'\ud800' == device.driver", 1, 1, "the text is no Unicode", "half a character is none"),
        ("é" * 5_121, 1, 1, "the text has 10242 bytes", "the length is in bytes"),
    ],
)
def test_refused(text: str, line: int, column: int, message: str, reason: str) -> None:
    with pytest.raises(selector.CompileError) as caught:
        selector.compile(text)

    assert (caught.value.line, caught.value.column) == (line, column), reason
    assert message in caught.value.message, reason


def test_of_several_faults_the_first_in_the_text_is_told() -> None:
    with pytest.raises(selector.CompileError, match=r"1:1: undeclared reference to 'a'"):
        selector.compile("a && b && device.c")


def test_a_text_compiles_once() -> None:
    text = 'device.driver == "compiled once"'

    assert selector.compile(text) is selector.compile(text)


def test_the_cost_is_kubernetes_estimate() -> None:
    assert selector.compile('device.capacity["g"].memory.compareTo(quantity("1Gi")) >= 0').cost == 7
