"""Reading XML label files without being harmed by them."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from tilescore.datasets.formats.intake import LabelError

if TYPE_CHECKING:
    from pathlib import Path


def load_xml(file: Path, where: str, tag: str) -> ET.Element:
    """The root element, which has that tag; raises LabelError, also for entities, which label tools never declare."""
    try:
        data = file.read_bytes()
    except OSError as error:
        raise LabelError("broken_labels", f"'{where}' cannot be read ({error.strerror})") from None
    try:
        root = ET.fromstring(data, ET.XMLParser(target=_Plain()))  # noqa: S314  # without entities nothing expands
    except _DoctypeError:
        raise LabelError("broken_labels", f"'{where}' declares entities, which no label file needs") from None
    except (ET.ParseError, ValueError, LookupError) as error:
        raise LabelError("broken_labels", f"'{where}' is no XML ({error})") from None
    if root.tag != tag:
        raise LabelError("broken_labels", f"'{where}' begins with <{root.tag}> instead of <{tag}>")
    return root


class _DoctypeError(Exception):
    """A document that says what it is made of."""


class _Plain(ET.TreeBuilder):
    """Builds the tree, but stops at a declaration, in whatever encoding it stands."""

    def doctype(self, _name: str, _public: str | None, _system: str | None) -> None:
        """Called by the parser before any entity was read."""
        raise _DoctypeError


def text_of(element: ET.Element, path: str) -> str:
    """The text at that path below the element, without surrounding space; empty when there is none."""
    return (element.findtext(path) or "").strip()


def save_xml(root: ET.Element, file: Path) -> None:
    """Write the element with a declaration, indented."""
    ET.indent(root)
    file.parent.mkdir(parents=True, exist_ok=True)
    ET.ElementTree(root).write(file, encoding="utf-8", xml_declaration=True)


def first_tag(file: Path) -> str:
    """The name of the outermost element, from the file's beginning alone; empty when there is none."""
    try:
        with file.open("rb") as stream:
            head = stream.read(4096).decode("utf-8", errors="replace")
    except OSError:
        return ""
    for piece in head.split("<")[1:]:
        if piece[:1] not in ("?", "!"):
            return piece.replace(">", " ").replace("/", " ").split()[0] if piece.strip() else ""
    return ""
