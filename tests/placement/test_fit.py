"""Engines to pools: the search is complete, prefers what the contract prefers, and has an end."""

from __future__ import annotations

import pytest

from modelplane.placement import fit
from modelplane.placement.facts import Cluster, Engine
from modelplane.placement.fit import Fit, Fitter
from modelplane.placement.kinds import Catalogue
from modelplane.placement.ledger import open_accounts
from modelplane.placement.outcome import Steps
from modelplane.placement.plan import plan
from modelplane.placement.reasons import SearchCutShort
from tests.placement.worlds import after, alone, ask, cluster, demand, kind, pinned, pool, reasons, world

SMALL = ask("memory >= 20")


def fitted(on: Cluster, *engines: Engine) -> tuple[Fit | SearchCutShort | None, Steps]:
    steps = Steps()
    fitter = Fitter(engines, Catalogue(), steps)
    return fitter.fit(fitter.layout(on), open_accounts(on, (), Catalogue())), steps


def sizes(*pods: int) -> tuple[Engine, ...]:
    """Engines of so many pods each."""
    return tuple(alone(SMALL, name=f"e{i}", copies=n) for i, n in enumerate(pods))


def test_the_search_packs_what_only_one_arrangement_packs() -> None:
    """Engines of 3, 3, 2, 2, 2 pods on pools of 6 and 6: the first two belong together, though 3 and 2 fit first."""
    lima = cluster("lima", pool("p", 6), pool("q", 6))

    found, _ = fitted(lima, *sizes(3, 2, 3, 2, 2))

    assert isinstance(found, Fit)
    assert [hosting.position for hosting in found.hostings] == [0, 1, 0, 1, 1]


def test_pools_that_are_alike_are_tried_once() -> None:
    """Eight like pools and eight engines of which the last fits none: without that, 8! orders."""
    lima = cluster("lima", *(pool(f"p{i}", 2) for i in range(8)))

    found, steps = fitted(lima, *sizes(1, 1, 1, 1, 1, 1, 1, 3))

    assert found is None
    assert steps.tried < 400


def test_pools_of_unlike_devices_are_not_taken_for_alike() -> None:
    """The modest engine fills `small` first; that way is dead for the other, and the way by `large` must be tried."""
    lima = cluster("lima", pool("small", 1, kind(memory=24)), pool("large", 1), pool("tiny", 2, kind(memory=20)))

    found, _ = fitted(lima, alone(SMALL, name="a"), alone(SMALL, name="b"), alone(ask("memory >= 80"), name="c"))

    assert isinstance(found, Fit)
    assert [hosting.position for hosting in found.hostings] == [0, 2, 1]


def test_a_device_pool_is_tried_with_every_kind() -> None:
    """The first kind's class is taken by others, the second is free: a Device pool may host by it."""
    two = pool("p", 1, kind("a", cls="a"), kind("b", cls="b"), allocation="Device")
    found = plan(demand(3), world(cluster("lima", two)))

    assert [p.engines[0].members[0].claims[0].device_class for p in found.placed] == ["a", "b"]
    assert reasons(found) == "lima/p TooFewDevices"


def test_a_search_without_end_is_cut_short_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fit, "LIMIT", 5)
    lima = cluster("lima", pool("p", 6), pool("q", 6))

    found = plan(demand(1, *sizes(3, 2, 3, 2, 2)), world(lima))

    assert found.why == (SearchCutShort(cluster="lima", steps=5),)
    assert found.why[0].words() == "the search was cut short after 5 steps"


def test_patience_with_all_clusters_together_ends_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first by name is searched at length, whatever the order of the fleet; the others briefly, and say so."""
    monkeypatch.setattr(fit, "LIMIT", 9)
    monkeypatch.setattr(fit, "PATIENCE", 10)
    monkeypatch.setattr(fit, "BRIEF", 4)
    pools = pool("p", 6), pool("q", 6)

    found = plan(demand(1, *sizes(3, 2, 3, 2, 2)), world(*(cluster(name, *pools) for name in ("c", "b", "a"))))

    assert found.why == tuple(
        SearchCutShort(cluster=name, steps=steps) for name, steps in (("a", 9), ("b", 4), ("c", 4))
    )


def test_work_grows_with_the_fleet_and_the_replicas_and_no_faster() -> None:
    """One fit for each cluster and each replica, one try for each of them, one evaluation for each kind."""
    engines = (alone(ask("memory >= 20", "memory >= 80")),)
    counts = []
    for n in (10, 20, 40):
        fleet = world(*(cluster(f"c{i:02}", pool("p", 3), pool("q", 3, kind(memory=24))) for i in range(n)))
        found = plan(demand(n, *engines), fleet)
        counts.append((found.short, found.steps))

    assert counts == [(0, Steps(evaluated=2, matched=1, tried=2 * n, fitted=2 * n)) for n in (10, 20, 40)]


def test_a_plan_that_changes_nothing_looks_at_its_own_pools_alone() -> None:
    fleet = [cluster(f"c{i:02}", pool("p", 3), pool("q", 3, kind(memory=24))) for i in range(20)]
    first = plan(demand(5), world(*fleet))

    second = plan(demand(5), after(first, world(*fleet)))

    assert (len(second.kept), second.steps) == (5, Steps(evaluated=1, matched=1, tried=0, fitted=0))


def test_fewest_then_most_free_nodes_then_the_name() -> None:
    """Free nodes are those left after placing, in pools that could host; a large pool of other devices is none."""
    fleet = world(
        cluster("a", pool("p", 2), pool("other", 50, kind(memory=8))),
        cluster("b", pool("p", 4)),
        cluster("c", pool("p", 4)),
    )
    found = [(p.cluster, pinned(p)) for count in (1, 2, 3) for p in plan(demand(count), fleet).placed]

    assert found == [("b", "S@p"), ("b", "S@p"), ("c", "S@p"), ("a", "S@p"), ("b", "S@p"), ("c", "S@p")]
