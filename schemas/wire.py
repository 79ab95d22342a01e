"""How a model stands for the part of a Kubernetes object that we write."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel


def wire_name(field: str) -> str:
    """The name on the wire of a field: ``rewrite_path`` is rewritePath, ``int_`` is int."""
    return to_camel(field.removesuffix("_"))


class Wire(BaseModel):
    """An object whose fields are written as Kubernetes writes them; a field that it does not have is an error."""

    model_config = ConfigDict(
        alias_generator=wire_name,
        populate_by_name=True,
        extra="forbid",
        protected_namespaces=(),
        # A model is built the first time that it is used: most functions use a few of a module's models.
        defer_build=True,
    )

    def intent(self) -> dict[str, Any]:
        """What server-side apply is to own: the fields that were set, and no others.

        The keys are in a fixed order, that of the model.
        """
        return self.model_dump(mode="json", by_alias=True, exclude_unset=True)


class Metadata(Wire):
    """The part of an object's metadata that we write."""

    name: str | None = None
    namespace: str | None = None
    labels: dict[str, str] | None = None
    annotations: dict[str, str] | None = None


class Document(Wire):
    """A whole object. Its apiVersion and kind count as set, for no apply goes without them."""

    def model_post_init(self, context: Any, /) -> None:  # noqa: ANN401  # pydantic's signature
        """Marks the two fields as set."""
        super().model_post_init(context)
        self.model_fields_set.update(("api_version", "kind"))
