"""Reads label files as text and JSON, within limits, and tells the JSON formats apart."""

import json
import os
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any, BinaryIO, Final, TextIO

from tilescore.datasets.intake.raw import LabelError
from tilescore.files.plain import open_plain, stamp_of

MAX_BYTES: Final = 200_000_000
"""A label file is at most so large: parsing JSON takes ten times the memory of its text."""
_PART_BYTES: Final = 1_000_000
_KEYS: Final = frozenset({
    *("original_width", "data", "annotations", "completions", "predictions", "images", "image", "imagefilename"),
    *("shapes", "imagePath", "imageData", "imageHeight", "_via_img_metadata", "regions", "filename"),
})  # fmt: skip
"""Keys that tell the JSON formats apart."""
_FIRST: Final = {"{": "coco", "[": "labelstudio"}
"""The most specific kind of an object and of a list: the rest of the text cannot change it."""
_MARKS: Final = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}
"""Byte order marks of UTF-16, which Windows writes."""


def label_bytes(path: Path, where: str) -> bytes:
    """The bytes of a label file; raises LabelError when it is too large or cannot be read."""
    try:
        size = path.stat().st_size
        if size > MAX_BYTES:
            message = f"'{where}' has {size // 1_000_000} MB, at most {MAX_BYTES // 1_000_000} MB are read: split it"
            raise LabelError("too_large", message)
        return path.read_bytes()
    except OSError as error:
        raise LabelError("broken_labels", f"'{where}' cannot be read ({error.strerror})") from None


def label_text(path: Path, where: str) -> str:
    """The text of a label file; raises LabelError when it cannot be read."""
    return decoded(label_bytes(path, where), where)


def decoded(data: bytes, where: str) -> str:
    """The text in the bytes of a label file; raises LabelError when they are no text."""
    try:
        return data.decode("utf-16" if data[:2] in _MARKS else "utf-8-sig")
    except UnicodeDecodeError:
        raise LabelError("broken_labels", f"'{where}' is no text in UTF-8: save it in UTF-8") from None


def head_of(file: Path, *, most: int) -> str:
    """The text at the start of a label file, of at most so many bytes; empty if it cannot be read."""
    try:
        with open_plain(file) as stream:
            data = stream.read(most)
    except OSError:
        return ""
    return data.decode("utf-16" if data[:2] in _MARKS else "utf-8-sig", "replace")


def load_json(file: Path, where: str) -> Any:
    """The value in a JSON file; raises LabelError."""
    content = label_text(file, where)  # its errors are ValueErrors too
    try:
        return json.loads(content)
    except RecursionError:
        raise LabelError("broken_labels", f"'{where}' is nested too deeply for a label file") from None
    except ValueError as error:
        raise LabelError("broken_labels", f"'{where}' is no JSON ({error})") from None


def records(value: object) -> list[dict[str, Any]]:
    """The objects in a JSON list; empty for any other value."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def mapping(value: object) -> dict[str, Any]:
    """A JSON object; an empty one for any other value."""
    return value if isinstance(value, dict) else {}


def text(value: object) -> str:
    """A text out of JSON; empty for any other value."""
    return value if isinstance(value, str) else ""


def below(folder: Path, *suffixes: str) -> Iterator[Path]:
    """All files with those endings below a folder, ordered, without hidden ones; a file itself if the path is one."""
    if folder.is_file():
        if folder.suffix.lower() in suffixes:
            yield folder
        return
    for place, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(files):
            if name.lower().endswith(suffixes) and not name.startswith("."):
                yield type(folder)(place, name)


def save_list(file: TextIO, items: Iterable[object]) -> None:
    """Write a JSON list, one item a line, each when it comes: the whole list is never in memory."""
    file.write("[")
    for at, item in enumerate(items):
        file.write(",\n" if at else "\n")
        file.write(json.dumps(item, ensure_ascii=False))
    file.write("\n]")


def json_files(path: Path, kind: str) -> list[Path]:
    """The JSON files of that kind in a set; see `kind_of`."""
    return [file for file in below(path, ".json") if kind_of(file) == kind]


def kind_of(file: Path) -> str:
    """The format of a JSON file, told from its keys: `coco`, `labelme`, `via`, `createml`, `labelstudio`, or nothing.

    A file that is too large to read, or that is no valid JSON, has the kind that its text suggests.
    """
    return _kind(file, stamp_of(file))


@lru_cache(maxsize=50_000)
def _kind(file: Path, _stamp: str) -> str:
    try:
        with file.open("rb") as stream:
            return _kind_in(stream)
    except OSError:
        return ""


def _kind_in(stream: BinaryIO) -> str:
    """The kind of a JSON text; only a part of it is in memory at a time."""
    start, tail, keys = "", b"", set[str]()
    coding = _MARKS.get(stream.read(2), "utf-8")
    stream.seek(0)
    for _ in range(max(1, MAX_BYTES // _PART_BYTES)):
        part = stream.read(_PART_BYTES)
        start = start or part[:128].decode(coding, "ignore").lstrip("\ufeff \t\r\n")[:1]
        keys |= {key for key in _KEYS - keys if f'"{key}"'.encode(coding) in tail + part}
        kinds = _kinds(start, keys)
        if len(part) < _PART_BYTES or kinds[:1] == [_FIRST.get(start)]:
            break
        tail = part[-128:]  # a key may lie across two parts
    return kinds[0] if kinds else ""


def _kinds(start: str, present: set[str]) -> list[str]:
    """The kinds that these keys suggest, the most specific one first."""

    def has(*keys: str) -> bool:
        return present.issuperset(keys)

    tasks = has("original_width") or (has("data") and any(map(has, ("annotations", "completions", "predictions"))))
    kinds = {
        "{": {
            "coco": has("images", "annotations"),
            "labelme": has("shapes") and any(map(has, ("imagePath", "imageData", "imageHeight"))),
            "via": has("_via_img_metadata") or has("regions", "filename"),
        },
        "[": {
            "labelstudio": tasks,
            "createml": has("annotations") and (has("image") or has("imagefilename")),
        },
    }  # fmt: skip
    return [kind for kind, fits in kinds.get(start, {}).items() if fits]
