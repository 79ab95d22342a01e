"""Tools are found by what they are made of, and made once."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from e2e.tools import build, cache, toolchain


@pytest.fixture(autouse=True)
def empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "modelplane" / "tools"


@pytest.mark.parametrize(
    ("reason", "text", "version"),
    [
        ("what `go env GOVERSION` says", "go1.26.8", (1, 26, 8)),
        ("what go.mod says", "go 1.26.8", (1, 26, 8)),
        ("a language version has no patch", "go 1.26", (1, 26, 0)),
        ("a distribution adds words of its own", "go1.27.3 X:boringcrypto", (1, 27, 3)),
    ],
)
def test_go_versions_are_read(reason: str, text: str, version: tuple[int, int, int]) -> None:
    assert toolchain.parse_version(text) == version, reason


def test_a_text_without_a_version_is_refused() -> None:
    with pytest.raises(ValueError, match="no Go version"):
        toolchain.parse_version("devel +abc")


def test_the_go_of_pypi_is_new_enough_for_every_module() -> None:
    modules = {build.HERE / each.folder for each in build.PROGRAMS.values()} | {build.HERE / "crds"}

    assert [m.name for m in modules if toolchain.needed(m) > toolchain.parse_version(toolchain.PYPI_GO)] == []


@pytest.mark.parametrize("name", sorted(build.PROGRAMS))
def test_a_program_is_named_by_the_version_that_its_module_pins(name: str) -> None:
    version = build.PROGRAMS[name].version

    assert version.startswith("v")
    assert build.binary(name).parent.name.startswith(f"{name}-{version}-")


@pytest.mark.parametrize(
    ("reason", "one", "other"),
    [
        ("an edit of a file is another tool", (["a"], ["x"]), (["b"], ["x"])),
        ("other flags are another tool", (["a"], ["x"]), (["a"], ["y"])),
        ("where one part ends matters", (["ab", "c"], ["x"]), (["a", "bc"], ["x"])),
    ],
)
def test_fingerprints_differ(tmp_path: Path, reason: str, one: tuple, other: tuple) -> None:
    def of(texts: list[str], words: list[str], folder: Path) -> str:
        folder.mkdir()
        files = [folder / str(number) for number in range(len(texts))]
        for file, text in zip(files, texts, strict=True):
            file.write_text(text)
        return cache.fingerprint(files, words)

    assert of(*one, tmp_path / "one") != of(*other, tmp_path / "other"), reason


def test_builders_at_the_same_moment_make_a_tool_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []
    started = threading.Barrier(3)

    def slowly(name: str, out: Path) -> None:
        made.append(name)
        threading.Event().wait(0.2)
        out.write_text("built")

    def run() -> None:
        started.wait()
        build.build(("etcd",))

    monkeypatch.setattr(build, "_compile", slowly)
    builders = [threading.Thread(target=run) for _ in range(3)]
    for each in builders:
        each.start()
    for each in builders:
        each.join()

    assert made == ["etcd"]
    assert build.build(("etcd",)) == {"etcd": build.binary("etcd")}
    assert build.binary("etcd").read_text() == "built"
    assert made == ["etcd"], "a second call needs no build"


def test_a_build_that_fails_leaves_no_tool(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(name: str, out: Path) -> None:
        out.write_text("half")
        raise RuntimeError(name)

    monkeypatch.setattr(build, "_compile", broken)
    with pytest.raises(RuntimeError, match="etcd"):
        build.build(("etcd",))

    assert not build.binary("etcd").exists()


def test_without_a_new_enough_go_the_reason_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(toolchain.shutil, "which", lambda _: None)

    with pytest.raises(RuntimeError, match=r"Go 99\.0\.0 is needed"):
        toolchain.find_go((99, 0, 0))
