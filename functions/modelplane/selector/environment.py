"""Kubernetes' CEL environment for DRA selectors, as of 1.36, in two parts.

`checking` reads texts: it knows the types of a device and the signatures of every function, and Kubernetes' messages
have no fields in it. `running` evaluates what was checked and rewritten: there values are only known by what they hold,
the messages have fields, and what CEL's own libraries lack are functions of ours (`templates` has the calls of them).
"""

from __future__ import annotations

from functools import cache
from typing import Final

from cel_expr_python import cel

from modelplane.selector.functions import FUNCTIONS
from modelplane.selector.messages import RUNNING, make_pool
from modelplane.selector.refusal import plain
from modelplane.selector.signatures import declarations
from modelplane.selector.spelling import PRESENT

_LIBRARIES: Final = """
extensions:
- {name: two-var-comprehensions}
- {name: lists, version: 2}
- {name: sets}
- {name: optional, version: 2}
- {name: bindings}
"""
#: Functions of CEL to which Kubernetes adds overloads; they are declared anew with all of them.
_WIDENED: Final = """
stdlib:
  exclude_functions:
  - {name: _<_}
  - {name: _<=_}
  - {name: _>_}
  - {name: _>=_}
  - {name: string}
"""
_STRINGS: Final = "- {name: strings, version: 2}\n"


@cache
def checking() -> cel.Env:
    """The environment that reads and checks texts."""
    text, any_ = cel.Type.STRING, cel.Type("any")
    maps = cel.Type.Map
    return cel.NewEnv(
        descriptor_pool=make_pool(fields=False),
        config=cel.NewEnvConfigFromYaml(_WIDENED + _LIBRARIES + declarations()),
        variables={
            PRESENT: cel.Type.BOOL,
            "device": cel.Type("kubernetes.DRADevice"),
            "device.driver": text,
            "device.allowMultipleAllocations": cel.Type.BOOL,
            "device.attributes": maps(text, maps(text, any_)),
            "device.capacity": maps(text, maps(text, cel.Type("kubernetes.Quantity"))),
        },
    )


@cache
def running() -> cel.Env:
    """The environment that evaluates."""
    dyn = cel.Type.DYN
    names = (
        "_0",
        PRESENT,
        "device",
        "device.driver",
        "device.allowMultipleAllocations",
        "device.attributes",
        "device.capacity",
    )
    functions = [
        cel.FunctionDecl(
            name, [cel.Overload(name, dyn, [cel.Type(kind) for kind in parameters], is_member=False, impl=body)]
        )
        for name, (parameters, body) in FUNCTIONS.items()
    ]
    return cel.NewEnv(
        descriptor_pool=RUNNING,
        config=cel.NewEnvConfigFromYaml(_LIBRARIES + _STRINGS),
        variables=dict.fromkeys(names, dyn),
        functions=functions,
    )


def fault(expression: str, value: object) -> str:
    """Why the expression has no result where `_0` is the value, or an empty text."""
    result = running().compile(expression).eval(data={"_0": value})
    return plain(result.value()) if result.type() == cel.Type.ERROR else ""
