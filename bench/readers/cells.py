"""Cells as text that tells each value exactly: what bench/readers/reader-cells.ts makes of those of Node."""
import datetime
import struct

EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
MICROSECOND = datetime.timedelta(microseconds=1)


def cell(value):
    if value is None:
        return None
    # bool before int and datetime before date: each is a kind of the other.
    if isinstance(value, bool):
        return f"b{value}"
    if isinstance(value, int):
        return f"i{value}"
    if isinstance(value, float):
        return f"d{struct.pack('>d', value).hex()}"
    if isinstance(value, datetime.datetime):
        return f"t{(value - EPOCH) // MICROSECOND}"
    if isinstance(value, datetime.date):
        return f"D{value.isoformat()}"
    if isinstance(value, str):
        return f"s{value}"
    return f"?{type(value).__name__} {value}"
