"""How pools are charged, and the proof by brute force that no packing can deny what a Device pool promised."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from modelplane.placement.facts import Claim, Pool
from modelplane.placement.kinds import Catalogue
from modelplane.placement.ledger import DeviceAccount, Load, NodeAccount, open_accounts, shape_of
from modelplane.placement.pool_reasons import GrowthBlocked, TooFewDevices
from tests.placement import oracle
from tests.placement.worlds import HAIKU, alone, ask, cluster, gang, held, kind, pool


def gpus(*sizes: int, cls: str = "acc") -> tuple[tuple[str, tuple[int, ...]], ...]:
    return ((cls, sizes),)


def device_account(of: Pool) -> DeviceAccount:
    return DeviceAccount.of(of, Catalogue(), ())


@dataclass(frozen=True)
class Taking:
    reason: str
    pool: Pool
    pods: tuple[tuple[tuple[str, tuple[int, ...]], ...], ...]
    #: How many of the pods, one after another, are taken before the first refusal.
    taken: int


OCT = pool("p", 1, kind(count=8), allocation="Device")
TAKING: Final = [
    Taking("eight pods of one GPU share a node with eight, and the ninth finds none", OCT, (gpus(1),) * 9, 8),
    Taking("a pod of 8 needs the node whole", OCT, (gpus(8), gpus(1)), 1),
    Taking("1 then 8 would not fit together", OCT, (gpus(1), gpus(8)), 1),
    Taking("on two nodes a pod of 8 may be restarted last, after 1-GPU pods spread over both",
           pool("p", 2, kind(count=8), allocation="Device"), (gpus(8), gpus(1), gpus(1)), 2),
    Taking("three of 3 on two nodes with 4: any node holds one, so the third finds none",
           pool("p", 2, kind(count=4), allocation="Device"), (gpus(3),) * 3, 2),
    Taking("4 and 4 in one pod are 8", OCT, (gpus(4, 4), gpus(1)), 1),
    Taking("a pool without nodes takes nothing", pool("p", 0, kind(count=8), allocation="Device"), (gpus(1),), 0),
    Taking("a GPU and a NIC of the same node are both needed: the nodes blocked by either add up",
           pool("p", 2, kind(count=2), kind("nic", count=1, cls="nic"), allocation="Device"),
           ((("acc", (1,)), ("nic", (1,))),) * 3, 2),
    Taking("kinds of one class are judged by the one that is blocked soonest",
           pool("p", 2, kind("a", count=4), kind("b", count=1), allocation="Device"), (gpus(1),) * 3, 2),
    Taking("a Synthetic kind has nothing to claim, whatever class it names",
           pool("p", 1, kind(count=2), replace(kind("s", count=1), claimable=False), allocation="Device"),
           (gpus(1),) * 3, 2),
    Taking("but a kind too small for the claim is not one it depends on",
           pool("p", 1, kind("a", count=4), kind("b", count=1), allocation="Device"), (gpus(2), gpus(2)), 2),
]  # fmt: skip


@pytest.mark.parametrize("case", TAKING, ids=lambda case: case.reason)
def test_a_device_pool_takes_what_no_packing_can_deny(case: Taking) -> None:
    account: DeviceAccount | None = device_account(case.pool)
    taken = 0
    for shape in case.pods:
        account = account.take((Load(1, shape),)) if account else None
        taken += account is not None

    assert taken == case.taken


@settings(max_examples=150, deadline=None)
@given(
    counts=st.lists(st.integers(1, 4), min_size=1, max_size=2).map(tuple),
    nodes=st.integers(1, 3),
    pods=st.lists(st.lists(st.integers(1, 3), min_size=1, max_size=2).map(sorted).map(tuple), min_size=1, max_size=5),
)
def test_no_packing_denies_a_promised_pod(counts: tuple[int, ...], nodes: int, pods: list[tuple[int, ...]]) -> None:
    """Take what the account takes, then let an ill-willed packer seat all but one: that one must still find a node."""
    kinds = [kind(f"k{i}", count=count) for i, count in enumerate(counts)]
    account = device_account(pool("p", nodes, *kinds, allocation="Device"))
    promised: list[tuple[int, ...]] = []
    for pod in pods:
        if not oracle.needs_of(counts, pod):
            continue  # The matcher never asks for what an empty node lacks.
        after = account.take((Load(1, gpus(*pod)),))
        if after is not None:
            account = after
            promised.append(pod)

    for i, pod in enumerate(promised):
        assert oracle.seats(tuple(sorted(counts)), nodes, [*promised[:i], *promised[i + 1 :]], pod)


@settings(max_examples=100, deadline=None)
@given(count=st.integers(1, 4), nodes=st.integers(1, 3), pods=st.lists(st.integers(1, 4), min_size=1, max_size=6))
def test_the_account_is_the_rule(count: int, nodes: int, pods: list[int]) -> None:
    """`sound` says of any pods whether the rule of house.md holds for all of them."""
    of = pool("p", nodes, kind(count=count), allocation="Device")
    account = device_account(of).charge(tuple(Load(1, gpus(pod)) for pod in pods))

    assert account.sound == oracle.holds(of, [(("acc", pod),) for pod in pods])


def test_held_replicas_are_charged_by_what_is_stamped() -> None:
    """Node and Device pools of one cluster; claimless members and pools that are gone cost nothing."""
    lima = cluster("lima", pool("p", 9), pool("d", 2, kind(count=8), allocation="Device"))
    eight = alone(ask("memory >= 80", count=3), copies=2)
    accounts = open_accounts(
        lima,
        (
            held("lima/0", gang(3, (), copies=2)),
            held("lima/1", owner=HAIKU),
            held("lima/2", eight, pools="d"),
            held("lima/3", pools="gone"),
        ),
        Catalogue(),
    )

    assert accounts == (
        NodeAccount(9, 7),
        DeviceAccount(2, (("acc", (8,)),), (6,), frozenset({((0, 3, 6),)})),
    )


def test_of_two_pools_with_one_name_the_first_is_charged() -> None:
    accounts = open_accounts(cluster("lima", pool("p", 2), pool("p", 5)), (held("lima/0"),), Catalogue())

    assert accounts == (NodeAccount(2, 1), NodeAccount(5, 0))


def test_a_negative_number_of_pods_frees_nothing() -> None:
    """A replica of somebody else that is malformed must not make room."""
    lima = cluster("lima", pool("p", 2), pool("d", 2, allocation="Device"))
    bad = alone(copies=-4)

    accounts = open_accounts(lima, (held("lima/0", bad), held("lima/1", bad, pools="d")), Catalogue())

    assert accounts == open_accounts(lima, (), Catalogue())


def test_a_pool_of_negative_size_is_empty() -> None:
    assert open_accounts(cluster("lima", pool("p", -3)), (), Catalogue()) == (NodeAccount(0, 0),)


def test_a_shrink_frees_nothing_before_it_is_done() -> None:
    account = NodeAccount(4, 3)

    assert account.regrow((Load(3, gpus(1)),), (Load(1, gpus(1)),)) == account


def test_accounts_that_take_different_loads_have_different_keys() -> None:
    """The search takes pools with one key for one and the same."""
    one, two = (pool("p", 2, kind(count=count), allocation="Device") for count in (4, 8))
    loads = (Load(1, gpus(4)),), (Load(2, gpus(2)),), (Load(4, gpus(1)),)
    accounts = [device_account(of).charge(each) for of in (one, two) for each in loads]

    assert len({account.key for account in accounts}) == 6


def test_a_kind_of_which_a_node_has_none_is_none() -> None:
    none = device_account(pool("p", 2, kind(count=0), kind(count=-1, cls="b"), allocation="Device"))

    assert (none, none.free) == (DeviceAccount(2, (), ()), 2)


def test_a_claim_of_an_unpublished_class_is_charged_a_node() -> None:
    """A class that was renamed leaves the devices taken."""
    account = device_account(pool("p", 2, kind(count=4), allocation="Device"))

    lost = account.charge((Load(1, gpus(1, cls="old")), Load(1, (("acc", (1,)), ("old", (1,))))))

    assert (lost.lost, lost.used, lost.free, lost.sound) == (2, (1,), 0, False)
    assert lost.take((Load(1, gpus(1)),)) is None
    assert not account.charge((Load(3, gpus(1, cls="old")),)).sound


@dataclass(frozen=True)
class Growing:
    reason: str
    was: tuple[Load, ...]
    wanted: tuple[Load, ...]
    used: tuple[int, ...]
    sound: bool


GROWING: Final = [
    Growing("one more pod of the same is charged", (Load(1, gpus(2)),), (Load(2, gpus(2)),), (4,), True),
    Growing("fewer pods are charged as before", (Load(2, gpus(2)),), (Load(1, gpus(2)),), (4,), True),
    Growing("smaller pods too: they find a node wherever the larger do", (Load(2, gpus(2)),), (Load(2, gpus(1)),), (4,),
            True),
    Growing("larger pods must find a node", (Load(1, gpus(2)),), (Load(1, gpus(5)),), (5,), False),
    Growing("a class that the pool does not publish takes nodes", (Load(1, gpus(2)),), (Load(2, gpus(1, cls="old")),),
            (2,), False),
]  # fmt: skip


@pytest.mark.parametrize("case", GROWING, ids=lambda case: case.reason)
def test_growth_is_charged_as_the_larger_of_both(case: Growing) -> None:
    account = device_account(pool("p", 1, kind(count=4), allocation="Device")).charge(case.was)

    after = account.regrow(case.was, case.wanted)

    assert (after.used, after.sound) == (case.used, case.sound)


def test_a_smaller_pod_may_be_the_harder_one_to_seat() -> None:
    """A claim of 1 may depend on the kind with 2 a node, of which 2 in others' hands block a node; one of 4 may not."""
    account = device_account(pool("p", 2, kind("a", count=8), kind("b", count=2), allocation="Device"))
    full = account.charge((Load(1, gpus(4)), Load(1, gpus(5))))

    after = full.regrow((Load(1, gpus(4)),), (Load(1, gpus(1)),))

    assert (full.sound, after.used, after.sound) == (True, (9,), False)


def test_growth_within_what_was_changes_nothing() -> None:
    """So a shrink is never refused in a pool that is promised too much already."""
    account = device_account(pool("p", 1, kind(count=4), allocation="Device")).charge((Load(3, gpus(2)),))

    assert account.regrow((Load(2, gpus(2)),), (Load(2, gpus(1)),)) is account


def test_why_a_device_pool_refuses_names_the_scarcest_class() -> None:
    nic = kind("nic", count=1, cls="nic")
    account = device_account(pool("p", 2, kind(count=8), nic, allocation="Device")).charge((Load(2, (("nic", (1,)),)),))
    wanted = (Load(2, (("acc", (1,)), ("nic", (1,)))),)

    assert account.shortage(wanted, ()) == TooFewDevices(
        device_class="nic", need=2, per_pod=1, promised=2, total=2, fits_empty=True
    )


@pytest.mark.parametrize(
    ("wanted", "want"),
    [
        (Load(1, gpus(4)), GrowthBlocked(need=3, free=1, unit="acc")),
        (Load(3, gpus(1, cls="old")), GrowthBlocked(need=2, free=0)),
    ],
    ids=["in devices", "in nodes, where the pool does not publish the class"],
)
def test_why_growth_is_blocked_in_a_device_pool(wanted: Load, want: GrowthBlocked) -> None:
    account = device_account(pool("p", 1, kind(count=4), allocation="Device")).charge((Load(3, gpus(1)),))

    assert account.stunted((Load(1, gpus(1)),), (wanted,)) == want


@pytest.mark.parametrize(
    ("claims", "want"),
    [
        ((Claim("a", "gpu", 2),), (("gpu", (2,)),)),
        ((Claim("a", "nic", 1), Claim("b", "gpu", 4), Claim("c", "gpu", 2)), (("gpu", (2, 4)), ("nic", (1,)))),
    ],
    ids=["one", "several, by class and size"],
)
def test_a_shape_is_what_a_pod_claims_by_class(claims: tuple[Claim, ...], want: object) -> None:
    assert shape_of(claims) == want
