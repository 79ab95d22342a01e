"""The messages that stand for Kubernetes' values in CEL: types of their own, which nothing but our functions opens."""

from __future__ import annotations

from typing import Any, Final

from google.protobuf import descriptor_pool, message_factory, struct_pb2
from google.protobuf.descriptor_pb2 import FieldDescriptorProto as Field
from google.protobuf.descriptor_pb2 import FileDescriptorProto

#: The messages by package, and the fields by which `running` knows them; all are texts.
_MESSAGES: Final = {
    "kubernetes.Quantity": ("key", "form"),
    "kubernetes.Semver": ("rank", "major", "minor", "patch"),
    "kubernetes.URL": ("text",),
    "kubernetes.NamedFormat": ("text",),
    "net.IP": ("text",),
    "net.CIDR": ("text",),
}
_NUMBERS: Final = frozenset({"major", "minor", "patch"})


def _files(*, fields: bool) -> list[FileDescriptorProto]:
    files = [
        FileDescriptorProto(name=f"{package}.proto", package=package, syntax="proto3")
        for package in ("kubernetes", "net")
    ]
    for name, parts in _MESSAGES.items():
        package, _, short = name.partition(".")
        message = files[package == "net"].message_type.add(name=short)
        for number, part in enumerate(parts if fields else (), start=1):
            kind = Field.TYPE_INT64 if part in _NUMBERS else Field.TYPE_STRING
            message.field.add(name=part, number=number, type=kind, label=Field.LABEL_OPTIONAL)
    _add_device(files[0])
    return files


def _add_device(file: FileDescriptorProto) -> None:
    """The type of `device` as a whole; its maps are known better as ``device.attributes`` and ``device.capacity``."""
    file.dependency.append("google/protobuf/struct.proto")
    device = file.message_type.add(name="DRADevice")
    device.field.add(name="driver", number=1, type=Field.TYPE_STRING, label=Field.LABEL_OPTIONAL)
    device.field.add(name="allowMultipleAllocations", number=2, type=Field.TYPE_BOOL, label=Field.LABEL_OPTIONAL)
    for number, name in enumerate(("Attributes", "Capacity"), start=3):
        entry = device.nested_type.add(name=f"{name}Entry")
        entry.options.map_entry = True
        entry.field.add(name="key", number=1, type=Field.TYPE_STRING, label=Field.LABEL_OPTIONAL)
        entry.field.add(
            name="value",
            number=2,
            type=Field.TYPE_MESSAGE,
            type_name=".google.protobuf.Struct",
            label=Field.LABEL_OPTIONAL,
        )
        device.field.add(
            name=name.lower(),
            number=number,
            type=Field.TYPE_MESSAGE,
            type_name=f".kubernetes.DRADevice.{name}Entry",
            label=Field.LABEL_REPEATED,
        )


def make_pool(*, fields: bool) -> descriptor_pool.DescriptorPool:
    """The messages, with the fields by which `running` knows them or, as for `checking`, without."""
    pool = descriptor_pool.DescriptorPool()
    pool.AddSerializedFile(struct_pb2.DESCRIPTOR.serialized_pb)
    for file in _files(fields=fields):
        pool.Add(file)
    return pool


RUNNING: Final = make_pool(fields=True)


def message(name: str) -> Any:  # noqa: ANN401 - a class made at run time
    """The class of a message as `running` knows it."""
    return message_factory.GetMessageClass(RUNNING.FindMessageTypeByName(name))
