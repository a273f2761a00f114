"""Take what a camera tells out of a HEIC file (ISO/IEC 14496-12 and 23008-12): its items of EXIF and XMP.

An index in the file says where each item lies. The items keep their length, so that the index stays right.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

_EMPTY: Final = {
    # An EXIF item begins with the number of bytes before its TIFF header. The directory of this TIFF has no entries.
    b"Exif": (b"\0\0\0\6Exif\0\0MM\0*\0\0\0\x08" + bytes(6), b"\0"),
    b"mime": (b'<x:xmpmeta xmlns:x="adobe:ns:meta/"/>', b" "),
}
"""For each type of item: its content without details, and the byte that fills the rest."""
_IN_FILE, _IN_BOX = 0, 1
"""Where an item lies: in the file, or in the box `idat`."""


@dataclass(slots=True)
class _Fields:
    """Big-endian numbers of a box, one after the other."""

    data: bytes
    at: int

    def take(self, size: int) -> int:
        if self.at + size > len(self.data):
            raise ValueError("a box ends too early")
        self.at += size
        return int.from_bytes(self.data[self.at - size : self.at])


def without_details(data: bytes) -> bytes:
    """The same file with empty items of EXIF and XMP; raises ValueError if its index makes no sense."""
    written, left = bytearray(data), len(data)
    meta = _box(data, b"meta", 0, len(data))
    if meta is None:
        raise ValueError("there is no index of items")
    start, end = meta[0] + 4, meta[1]
    kinds = dict(_kinds(data, start, end))
    for item, places in _places(data, start, end):
        content, filling = _EMPTY.get(kinds.get(item, b""), (b"", b""))
        if not filling:
            continue
        length = sum(place.stop - place.start for place in places)
        left -= length
        if left < 0:
            raise ValueError("items overlap")
        content = (content if len(content) <= length else b"").ljust(length, filling)
        for place in places:
            size = place.stop - place.start
            written[place], content = content[:size], content[size:]
    return bytes(written)


def _boxes(data: bytes, start: int, end: int) -> Iterator[tuple[bytes, int, int]]:
    """Type, start and end of the content of each box."""
    while start + 8 <= end:
        fields = _Fields(data, start)
        size, kind = fields.take(4), fields.take(4).to_bytes(4)
        size = fields.take(8) if size == 1 else size or end - start  # 0 for a box that reaches to the end
        if not fields.at - start <= size <= end - start:
            raise ValueError("a box is longer than what contains it")
        yield kind, fields.at, start + size
        start += size


def _box(data: bytes, kind: bytes, start: int, end: int) -> tuple[int, int] | None:
    return next((found[1:] for found in _boxes(data, start, end) if found[0] == kind), None)


def _kinds(data: bytes, start: int, end: int) -> Iterator[tuple[int, bytes]]:
    index = _box(data, b"iinf", start, end)
    if index is None:
        return
    fields = _Fields(data, index[0])
    fields.take(2 if fields.take(4) >> 24 == 0 else 4)  # the number of entries
    for _, entry, _ in _boxes(data, fields.at, index[1]):
        fields = _Fields(data, entry)
        version = fields.take(4) >> 24
        item, _protection = fields.take(2 if version < 3 else 4), fields.take(2)
        yield item, fields.take(4).to_bytes(4)


def _places(data: bytes, start: int, end: int) -> Iterator[tuple[int, list[slice]]]:
    """The number of each item of this file and its pieces."""
    index, inner = _box(data, b"iloc", start, end), _box(data, b"idat", start, end)
    if index is None:
        return
    fields = _Fields(data, index[0])
    version, sizes = fields.take(4) >> 24, fields.take(2)
    offset_size, length_size, base_size, index_size = (sizes >> shift & 0xF for shift in (12, 8, 4, 0))
    for _ in range(fields.take(2 if version < 2 else 4)):
        item = fields.take(2 if version < 2 else 4)
        method = fields.take(2) & 0xF if version else _IN_FILE
        other_file, base, pieces = fields.take(2), fields.take(base_size), []
        if method == _IN_BOX and inner:
            base += inner[0]
        count = fields.take(2)
        if count > 1 and not offset_size + length_size:
            raise ValueError("several pieces of an item are one")
        for _ in range(count):
            fields.take(index_size if version else 0)
            at = base + fields.take(offset_size)
            pieces.append(slice(at, at + (fields.take(length_size) or len(data) - at)))
            if method in (_IN_FILE, _IN_BOX) and not other_file and pieces[-1].stop > len(data):
                raise ValueError("an item reaches beyond the end of the file")
        if method in (_IN_FILE, _IN_BOX) and not other_file:
            yield item, pieces
