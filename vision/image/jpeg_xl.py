"""The size of a JPEG XL picture, from its header alone.

The decoder of JPEG XL decodes all pixels when it opens a file, so the size is checked first. Source: ISO/IEC 18181-1,
section "Image header" (`SizeHeader`), and 18181-2 for the boxes of a container.
"""

from __future__ import annotations

from typing import Final

_CODESTREAM: Final = b"\xff\x0a"
_CONTAINER: Final = b"\x00\x00\x00\x0cJXL \x0d\x0a\x87\x0a"
_LENGTH_BITS: Final = (9, 13, 18, 30)
_RATIOS: Final = ((1, 1), (12, 10), (4, 3), (3, 2), (16, 9), (5, 4), (2, 1))
"""Width to height, by the number of the ratio less one."""
_HEADER_BYTES: Final = 12
"""Bytes that hold the whole size, with some to spare."""


def is_jpeg_xl(data: bytes) -> bool:
    """Whether these are the bytes of a JPEG XL file."""
    return data.startswith((_CODESTREAM, _CONTAINER))


def jpeg_xl_size_wh(data: bytes) -> tuple[int, int]:
    """Width and height as stored; raises ValueError if the file is cut short or has no codestream."""
    bits = _Bits(_codestream(data)[2 : 2 + _HEADER_BYTES])
    is_small = bits.take(1)
    height = _length(bits, is_small=is_small)
    ratio = bits.take(3)
    if not ratio:
        return _length(bits, is_small=is_small), height
    across, down = _RATIOS[ratio - 1]
    return height * across // down, height


def _length(bits: _Bits, *, is_small: int) -> int:
    """A side in pixels; a small one is a multiple of eight."""
    return 8 * (1 + bits.take(5)) if is_small else 1 + bits.take(_LENGTH_BITS[bits.take(2)])


def _codestream(data: bytes) -> bytes:
    """The beginning of the codestream, which a container holds in a box `jxlc` or, in parts, in boxes `jxlp`."""
    if data.startswith(_CODESTREAM):
        return data[: 2 + _HEADER_BYTES]
    place = 0
    while place + 8 <= len(data):
        length, kind, start = int.from_bytes(data[place : place + 4], "big"), data[place + 4 : place + 8], place + 8
        if length == 1:  # the length has eight bytes
            length, start = int.from_bytes(data[start : start + 8], "big"), start + 8
        if kind in (b"jxlc", b"jxlp"):
            start += 4 * (kind == b"jxlp")  # the number of the part
            return data[start : start + 2 + _HEADER_BYTES]
        if length < start - place:
            break
        place += length
    raise ValueError("a JPEG XL container without a codestream.")


class _Bits:
    """The bits of some bytes, lowest first."""

    def __init__(self, data: bytes) -> None:
        self._value, self._left = int.from_bytes(data, "little"), 8 * len(data)

    def take(self, count: int) -> int:
        """The next number of so many bits; raises ValueError behind the end."""
        if count > self._left:
            raise ValueError("the file is cut short.")
        self._left -= count
        number, self._value = self._value & ((1 << count) - 1), self._value >> count
        return number
