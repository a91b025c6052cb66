"""Property values, as Python has them."""

import datetime
import uuid

from baton.value.v1 import value_pb2

_REFERENCE = datetime.datetime(2001, 1, 1, tzinfo=datetime.timezone.utc)


def to_wire(value):
    """A message of None, a bool, int, float, str, bytes, datetime, UUID, list, tuple, set or dict."""
    message = value_pb2.PropertyValue()
    if value is None:
        message.null.SetInParent()
    elif isinstance(value, bool):
        message.boolean = value
    elif isinstance(value, int):
        if -(2**63) <= value < 2**63:
            message.integer = value
        else:
            message.unsigned_integer = value
    elif isinstance(value, float):
        message.real = value
    elif isinstance(value, str):
        message.string = value
    elif isinstance(value, (bytes, bytearray)):
        message.data = bytes(value)
    elif isinstance(value, datetime.datetime):
        message.date = (value - _REFERENCE).total_seconds()
    elif isinstance(value, uuid.UUID):
        message.uuid = value.bytes
    elif isinstance(value, (list, tuple)):
        message.array.SetInParent()
        message.array.values.extend(to_wire(item) for item in value)
    elif isinstance(value, (set, frozenset)):
        message.set.SetInParent()
        message.set.values.extend(to_wire(item) for item in value)
    elif isinstance(value, dict):
        message.dictionary.SetInParent()
        for key, item in value.items():
            message.dictionary.entries.add(key=to_wire(key), value=to_wire(item))
    else:
        raise TypeError("A %s is no property value." % type(value).__name__)
    return message


def from_wire(message):
    """The value of a message. A URL is a str. A kind that a newer version sent is a ValueError."""
    kind = message.WhichOneof("kind")
    if kind == "null":
        return None
    if kind == "date":
        return _REFERENCE + datetime.timedelta(seconds=message.date)
    if kind == "uuid":
        return uuid.UUID(bytes=message.uuid)
    if kind == "array":
        return [from_wire(item) for item in message.array.values]
    if kind == "set":
        return {from_wire(item) for item in message.set.values}
    if kind == "dictionary":
        return {from_wire(entry.key): from_wire(entry.value) for entry in message.dictionary.entries}
    if kind in ("boolean", "integer", "unsigned_integer", "real", "string", "data", "url"):
        return getattr(message, kind)
    raise ValueError("The value is of a kind that this version does not know.")
