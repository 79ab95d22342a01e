"""Which kinds of device meet a member's requests: an exhaustive search, whose answers are kept for the whole plan.

A request is met by one kind, with enough of it on a node for all the requests that the kind meets. Among the ways to
meet all requests, those with the most claims count alone (a Synthetic kind is matched, never claimed), so that no
Synthetic kind hides a claimable one; ties go by the published order.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from modelplane.placement.facts import Claim, Device, Request, Unmet
from modelplane.placement.kinds import Kinds
from modelplane.placement.ledger import Shape, shape_of
from modelplane.placement.outcome import Steps
from modelplane.placement.pool_reasons import NoMatchingDevice, RequestsCompete, TooFewDevicesPerNode
from modelplane.placement.reasons import Refusal, SearchCutShort
from modelplane.value.device import Facts

#: Choices tried for one member on one pool before what was found by then is taken.
LIMIT: Final = 20_000

Requests = tuple[Request, ...]


class Match(NamedTuple):
    """One way to meet a member's requests."""

    claims: tuple[Claim, ...]
    shape: Shape


class Matcher:
    """The answers of one plan, each worked out once."""

    def __init__(self, steps: Steps) -> None:
        self._steps = steps
        self._asking: dict[Requests, int] = {}
        self._verdicts: dict[tuple[tuple[str, ...], Facts], Unmet | None] = {}
        self._matches: dict[tuple[int, int, bool], tuple[Match, ...] | Refusal] = {}

    def asking(self, requests: Requests) -> int:
        """A number that is equal for equal requests."""
        return self._asking.setdefault(requests, len(self._asking))

    def matches(self, asking: int, requests: Requests, kinds: Kinds, *, every: bool) -> tuple[Match, ...] | Refusal:
        """The ways to meet the requests, best first, or why there is none.

        With `every`, one for each shape (a Device pool may have room for one and not for another), else the best alone.
        """
        key = (asking, kinds.number, every)
        found = self._matches.get(key)
        if found is None:
            found = self._matches[key] = self._match(requests, kinds.devices, every=every)
        return found

    def _match(self, requests: Requests, devices: tuple[Device, ...], *, every: bool) -> tuple[Match, ...] | Refusal:
        choices: list[list[int]] = []
        for request in requests:
            met = [k for k, device in enumerate(devices) if self._unmet(request, device.facts) is None]
            able = [k for k in met if devices[k].count_per_node >= request.count]
            if not able:
                return self._nearest(request, devices, met)
            choices.append(able)
        search = _Search(requests, devices, choices, every=every)
        self._steps.matched += search.steps
        if search.found:
            return tuple(search.found)
        if search.steps > LIMIT:
            return SearchCutShort(steps=LIMIT)
        wanted = sorted({kind for able in choices for kind in able})
        return RequestsCompete(
            requests=tuple(request.name for request in requests),
            need=sum(request.count for request in requests),
            have=sum(devices[kind].count_per_node for kind in wanted),
        )

    def _nearest(self, request: Request, devices: tuple[Device, ...], met: list[int]) -> Refusal:
        """Why no kind meets the request: too few of one that would, else the one that fails at the latest selector."""
        if met:
            most = max(met, key=lambda k: (devices[k].count_per_node, -k))
            have = max(0, devices[most].count_per_node)
            return TooFewDevicesPerNode(request=request.name, device=devices[most].name, need=request.count, have=have)
        best: tuple[Device, Unmet] | None = None
        for device in devices:
            unmet = self._unmet(request, device.facts)
            if unmet is not None and (best is None or unmet.selector > best[1].selector):
                best = (device, unmet)
        if best is None:
            return NoMatchingDevice(request=request.name)
        return NoMatchingDevice(request=request.name, device=best[0].name, unmet=best[1])

    def _unmet(self, request: Request, facts: Facts) -> Unmet | None:
        key = (request.selectors, facts)
        if key not in self._verdicts:
            self._steps.evaluated += 1
            self._verdicts[key] = request.accepts(facts)
        return self._verdicts[key]


class _Search:
    """Depth first over the requests; `found` are the distinct shapes with the most claims, in the order found."""

    def __init__(
        self, requests: Requests, devices: tuple[Device, ...], choices: list[list[int]], *, every: bool
    ) -> None:
        self.steps = 0
        self.found: list[Match] = []
        self._requests, self._devices, self._choices, self._every = requests, devices, choices, every
        # How many of the requests from the i-th on could be claims: what a branch can still reach.
        self._hope = [0] * (len(requests) + 1)
        for i in reversed(range(len(requests))):
            self._hope[i] = self._hope[i + 1] + any(devices[k].claimable for k in choices[i])
        self._best = -1
        self._seen: set[tuple[int, tuple[int, ...], Shape | int]] = set()
        self._from(0, tuple(device.count_per_node for device in devices), ())

    def _from(self, i: int, left: tuple[int, ...], claims: tuple[Claim, ...]) -> None:
        """Extend an assignment of the first `i` requests; `left` is what remains on a node of each kind."""
        reach = len(claims) + self._hope[i]
        if reach < self._best or (reach == self._best and not self._every) or self.steps > LIMIT:
            return
        state = (i, left, shape_of(claims) if self._every else len(claims))
        if state in self._seen:
            return
        self._seen.add(state)
        if i == len(self._requests):
            self._keep(Match(claims, shape_of(claims)))
            return
        request = self._requests[i]
        for k in self._choices[i]:
            self.steps += 1
            if left[k] >= request.count:
                device = self._devices[k]
                claim = Claim(request.name, device.device_class, request.count, request.selectors)
                rest = (*left[:k], left[k] - request.count, *left[k + 1 :])
                self._from(i + 1, rest, (*claims, claim) if device.claimable else claims)

    def _keep(self, match: Match) -> None:
        if len(match.claims) > self._best:
            self._best = len(match.claims)
            self.found = []
        if all(match.shape != known.shape for known in self.found):
            self.found.append(match)
