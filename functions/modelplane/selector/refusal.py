"""Why a text is no selector, and where."""

from __future__ import annotations

import re
from typing import Final


class CompileError(ValueError):
    """A text that Kubernetes would not accept as a selector; line and column count from 1, in code points."""

    def __init__(self, line: int, column: int, message: str) -> None:
        super().__init__(f"{line}:{column}: {message}")
        self.line = line
        self.column = column
        self.message = message


class Refusal(Exception):  # noqa: N818 - a fault of the text, not of the program
    """A fault at an offset of the text; it becomes a `CompileError`, which knows lines."""

    def __init__(self, pos: int, message: str) -> None:
        super().__init__(message)
        self.pos = pos
        self.message = message

    def located(self, text: str) -> CompileError:
        """The error as users see it."""
        before = text[: self.pos]
        return CompileError(before.count("\n") + 1, self.pos - (before.rfind("\n") + 1) + 1, self.message)


#: What the runtime puts around its messages: a status, the empty container, and every token that it knows.
_NOISE: Final = re.compile(r"\A[A-Z_]+: | \[[A-Z_]+\]\Z| \(in container ''\)| expecting \{.*?\}(?=\Z| \[)")
#: How the parser speaks of a token that it cannot take.
_PARSERS_WORDS: Final = re.compile(r"\b(?:mismatched|extraneous) input ")
_END: Final = "end of the expression"
_KEY: Final = re.compile(r'\AKey not found in map : "(.*)"\Z', re.DOTALL)
_TOO_LONG: Final = "the evaluation takes too long"


def plain(error: object) -> str:
    """An error of the runtime in words, as Kubernetes' users know them."""
    text = _NOISE.sub("", str(error)).replace("'<EOF>'", _END).replace("<EOF>", _END)
    text = _PARSERS_WORDS.sub("unexpected ", text)
    if "Iteration budget exceeded" in text:
        return _TOO_LONG
    return _KEY.sub(r"no such key: \1", text)
