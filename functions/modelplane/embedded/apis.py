"""The API of a control plane, read from apis/: its kinds' rules, and which function composes which kind."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import yaml

import modelplane
from modelplane.embedded import fields
from modelplane.embedded.refusals import Invalid
from modelplane.embedded.things import Plain, Rules

#: What Crossplane adds to the schema of every composite (crossplane/v2, pkg/xcrd).
_CROSSPLANES_SPEC: Final[Plain] = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
_CONDITIONS: Final[Plain] = {
    "type": "array",
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["type"],
    "items": {"type": "object", "x-kubernetes-preserve-unknown-fields": True, "required": ["type"]},
}


@dataclass(frozen=True, slots=True)
class Api:
    """One kind of composite: its rules for the store, and the name of the function that composes it."""

    group: str
    version: str
    kind: str
    plural: str
    rules: Rules
    function: str
    step: str

    @property
    def api_version(self) -> str:
        """Group and version."""
        return f"{self.group}/{self.version}"


def folder() -> Path:
    """The folder of the definitions: in a checkout beside functions/, in an installation inside the library.

    Raises:
        FileNotFoundError: neither is there.
    """
    library = Path(modelplane.__file__).parent
    for found in (library / "apis", library.parent.parent / "apis"):
        if found.is_dir():
            return found
    msg = f"no folder of API definitions, neither in {library} nor beside {library.parent}"
    raise FileNotFoundError(msg)


@functools.cache
def load(at: Path | None = None) -> tuple[Api, ...]:
    """Every kind that has a definition and a composition, by plural."""
    return tuple(_read(found.parent) for found in sorted((at or folder()).glob("*/definition.yaml")))


def _read(at: Path) -> Api:
    definition = _yaml(at / "definition.yaml")
    composition = _yaml(at / "composition.yaml")
    spec = definition["spec"]
    version = next(v for v in spec["versions"] if v.get("referenceable"))
    schema = complete(version["schema"]["openAPIV3Schema"])
    steps = composition["spec"]["pipeline"]
    if len(steps) != 1:
        msg = f"{at.name}: a composition has one step, this one has {len(steps)}"
        raise ValueError(msg)
    return Api(
        group=spec["group"],
        version=version["name"],
        kind=spec["names"]["kind"],
        plural=spec["names"]["plural"],
        rules=Rules(spec["scope"] == "Namespaced", fields.shape(schema), _admit(schema)),
        function=steps[0]["functionRef"]["name"],
        step=steps[0]["step"],
    )


def complete(schema: Mapping[str, Any]) -> Plain:
    """An XRD's schema with what Crossplane adds: spec.crossplane and the conditions."""
    properties = dict(schema.get("properties", {}))
    spec = properties.get("spec", {"type": "object"})
    status = properties.get("status", {"type": "object"})
    properties["spec"] = {**spec, "properties": {**spec.get("properties", {}), "crossplane": _CROSSPLANES_SPEC}}
    properties["status"] = {**status, "properties": {**status.get("properties", {}), "conditions": _CONDITIONS}}
    return {**schema, "properties": properties}


def _admit(schema: Plain) -> Any:  # noqa: ANN401  # a closure of Rules.admit's type
    # Imported and compiled on first use: a process that never writes the kind does not pay for its rules.
    @functools.cache
    def admission() -> Any:  # noqa: ANN401  # see above
        from modelplane.embedded.admission import Admission  # noqa: PLC0415

        return Admission(schema)

    def admit(new: Plain, old: Plain | None) -> Plain:
        defaulted, errors = admission().admit(new, old)
        if errors:
            msg = f"{new['kind']} {new['metadata'].get('name', '')}: " + "; ".join(str(error) for error in errors)
            raise Invalid(msg)
        return dict(defaulted)

    return admit


def _yaml(path: Path) -> Any:  # noqa: ANN401  # any YAML
    return yaml.load(path.read_text(), Loader=_LOADER)  # noqa: S506  # it is a safe loader, in C where that is built


_LOADER: Final = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
