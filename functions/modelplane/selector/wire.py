"""CEL's own wire format of a checked expression, as far as the room reads and writes it.

cel-expr-python hands out ``cel.expr.CheckedExpr`` (github.com/google/cel-spec, ``proto/cel/expr``) in bytes, and
neither it nor any other package has Python classes for it. So they are described here and made at run time.
"""

from __future__ import annotations

from typing import Any, Final

from google.protobuf import descriptor_pool, message_factory
from google.protobuf.any_pb2 import Any as Packed
from google.protobuf.descriptor_pb2 import FieldDescriptorProto as Field
from google.protobuf.descriptor_pb2 import FileDescriptorProto

#: A message of one of the classes made here; they have no static types.
Message = Any

_PACKAGE: Final = "cel.expr"
_SCALARS: Final = {
    "bool": Field.TYPE_BOOL,
    "int32": Field.TYPE_INT32,
    "int64": Field.TYPE_INT64,
    "uint64": Field.TYPE_UINT64,
    "double": Field.TYPE_DOUBLE,
    "string": Field.TYPE_STRING,
    "bytes": Field.TYPE_BYTES,
}
#: A message a line: its name, then its fields as ``name:type:number``. A leading ``*`` means repeated, a leading ``|``
#: a part of the message's one choice, and ``<int64>`` a map from node ids.
_MESSAGES: Final = """
Constant |null_value:int32:1 |bool_value:bool:2 |int64_value:int64:3 |uint64_value:uint64:4 \
|double_value:double:5 |string_value:string:6 |bytes_value:bytes:7
Ident name:string:1
Select operand:Expr:1 field:string:2 test_only:bool:3
Call target:Expr:1 function:string:2 *args:Expr:3
CreateList *elements:Expr:1 *optional_indices:int32:2
Entry id:int64:1 |field_key:string:2 |map_key:Expr:3 value:Expr:4 optional_entry:bool:5
CreateStruct message_name:string:1 *entries:Entry:2
Comprehension iter_var:string:1 iter_range:Expr:2 accu_var:string:3 accu_init:Expr:4 loop_condition:Expr:5 \
loop_step:Expr:6 result:Expr:7 iter_var2:string:8
Expr id:int64:2 |const_expr:Constant:3 |ident_expr:Ident:4 |select_expr:Select:5 |call_expr:Call:6 \
|list_expr:CreateList:7 |struct_expr:CreateStruct:8 |comprehension_expr:Comprehension:9
Empty
ListType elem_type:Type:1
MapType key_type:Type:1 value_type:Type:2
AbstractType name:string:1 *parameter_types:Type:2
Type |dyn:Empty:1 |null:int32:2 |primitive:int32:3 |wrapper:int32:4 |well_known:int32:5 |list_type:ListType:6 \
|map_type:MapType:7 |message_type:string:9 |type_param:string:10 |type:Type:11 |error:Empty:12 \
|abstract_type:AbstractType:14
Reference name:string:1 *overload_id:string:3 value:Constant:4
SourceInfo location:string:2 *line_offsets:int32:3 positions:int32:4<int64>
ParsedExpr expr:Expr:2
CheckedExpr reference_map:Reference:2<int64> type_map:Type:3<int64> expr:Expr:4 source_info:SourceInfo:5
"""


def _describe() -> FileDescriptorProto:
    file = FileDescriptorProto(name="cel/expr/checked_subset.proto", package=_PACKAGE, syntax="proto3")
    for line in _MESSAGES.strip().splitlines():
        name, *fields = line.split()
        message = file.message_type.add(name=name)
        if any(text.startswith("|") for text in fields):
            message.oneof_decl.add(name="kind")
        for text in fields:
            _add_field(message, text)
    return file


def _add_field(message: Any, text: str) -> None:  # noqa: ANN401 - a DescriptorProto, whose stubs are private
    mark, body = (text[0], text[1:]) if text[0] in "*|" else ("", text)
    by_id = body.endswith("<int64>")
    name, kind, number = body.removesuffix("<int64>").split(":")
    field = message.field.add(name=name, number=int(number), label=Field.LABEL_REPEATED if mark == "*" or by_id else 1)
    if mark == "|":
        field.oneof_index = 0
    if by_id:
        entry = message.nested_type.add(name=name.title().replace("_", "") + "Entry")
        entry.options.map_entry = True
        entry.field.add(name="key", number=1, label=1, type=Field.TYPE_INT64)
        _set_type(entry.field.add(name="value", number=2, label=1), kind)
        _set_type(field, f"{message.name}.{entry.name}")
    else:
        _set_type(field, kind)


def _set_type(field: Field, kind: str) -> None:
    if kind in _SCALARS:
        field.type = _SCALARS[kind]
    else:
        field.type, field.type_name = Field.TYPE_MESSAGE, f".{_PACKAGE}.{kind}"


_pool: Final = descriptor_pool.DescriptorPool()
_pool.Add(_describe())


def _class(name: str) -> Message:
    return message_factory.GetMessageClass(_pool.FindMessageTypeByName(f"{_PACKAGE}.{name}"))


CheckedExpr: Final[Message] = _class("CheckedExpr")
Expr: Final[Message] = _class("Expr")
_ParsedExpr: Final[Message] = _class("ParsedExpr")
_URL: Final = f"type.googleapis.com/{_PACKAGE}.CheckedExpr"


def unpack(serialized: bytes) -> Message:
    """The checked expression that ``Expression.serialize`` gives."""
    return CheckedExpr.FromString(Packed.FromString(serialized).value)


def unpack_parsed(serialized: bytes) -> Message:
    """The node that ``Expression.serialize`` gives where nothing was checked."""
    return _ParsedExpr.FromString(Packed.FromString(serialized).value).expr


def pack(checked: Message) -> bytes:
    """What ``Env.deserialize`` takes."""
    return Packed(type_url=_URL, value=checked.SerializeToString()).SerializeToString()
