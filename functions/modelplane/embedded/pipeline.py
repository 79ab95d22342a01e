"""One call of a function as Crossplane makes it: repeated until what it requires settles (crossplane/v2, xfn)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from modelplane.embedded.things import Plain
from modelplane.kit import wire
from modelplane.kit.function import Function
from modelplane.kit.want import Requirement

#: Crossplane gives up after so many further calls (xfn.MaxRequirementsIterations).
MAX_ROUNDS: Final = 5

Fetch = Callable[[Requirement], Sequence[Plain]]


class Failed(Exception):  # noqa: N818  # it is an outcome, not an error of this program
    """A reconcile that ended early; nothing further was applied. `conditions` are what the function had said."""

    def __init__(self, message: str, said: wire.Response | None = None) -> None:
        super().__init__(message)
        self.said = said


@dataclass(slots=True)
class Pipeline:
    """Calls functions through the bytes of the wire and counts the calls.

    With `twice`, each settled request is run a second time: another answer is an error of the function (house rule 10).
    """

    twice: bool = True
    calls: int = 0
    _encoder: wire.Encoder = field(default_factory=wire.Encoder)

    def run(
        self,
        function: Function[Any],
        step: str,
        composite: Mapping[str, Any],
        children: Mapping[str, Mapping[str, Any]],
        fetch: Fetch,
    ) -> wire.Response:
        """The settled response.

        Raises:
            Failed: the result is fatal, or the requirements do not settle.
            AssertionError: the same request gave two answers.
        """
        required: dict[str, Sequence[Plain]] = {}
        asked: Mapping[str, Requirement] | None = None
        for _ in range(MAX_ROUNDS + 1):
            request = self._encoder.request(composite, children, required)
            self.calls += 1
            raw = wire.call(function, request)
            wanted = wire.requirements(raw)
            # An answer that requires nothing, or is fatal, has settled as it is.
            if wanted and wanted != asked:
                asked = wanted
                required = {name: fetch(requirement) for name, requirement in wanted.items()}
                continue
            said = wire.response(raw)
            if said.fatal:
                msg = f'pipeline step "{step}" returned a fatal result: {said.fatal}'
                raise Failed(msg, said)
            self._again(function, request, raw)
            return said
        msg = f"requirements didn't stabilize after the maximum number of iterations ({MAX_ROUNDS})"
        raise Failed(msg)

    def _again(self, function: Function[Any], request: bytes, answered: bytes) -> None:
        if self.twice and wire.call(function, request) != answered:
            msg = f"{function.kind}: the same request gave two different answers"
            raise AssertionError(msg)
