"""Reads XML label files safely and writes them."""

import codecs
import re
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Final
from xml.etree import ElementTree as ET

from tilescore.datasets.intake.label_files import label_bytes
from tilescore.datasets.intake.raw import LabelError

_LEVELS: Final = 60
"""A label file has fewer elements inside one another."""
_PART_BYTES: Final = 4096
_ENCODING: Final = re.compile(rb"<\?xml[^>]*\sencoding=[\"']((?:gb|big5|shift|euc|cp9)[\w-]*)", re.IGNORECASE)
"""The declaration of an encoding with several bytes a letter: the parser knows none but UTF."""
_PARTS: Final = 256
"""The root element begins in so many parts, after comments and declarations."""


def load_xml(file: Path, where: str, tag: str = "") -> ET.Element:
    """The root element with that tag, or any; raises LabelError, also for a file that declares entities."""
    data = label_bytes(file, where)
    try:
        text = _decoder(data, "strict")(data)
        root = ET.fromstring(text, ET.XMLParser(target=_Plain()))  # noqa: S314  # `_Plain` refuses entities
    except _DoctypeError:
        raise LabelError("broken_labels", f"'{where}' declares entities, which no label file needs") from None
    except (ET.ParseError, ValueError, LookupError) as error:
        raise LabelError("broken_labels", f"'{where}' is no XML ({error})") from None
    if root.find("/".join("*" * _LEVELS)) is not None:
        raise LabelError("broken_labels", f"'{where}' is nested too deeply for a label file")
    if tag and root.tag != tag:
        raise LabelError("broken_labels", f"'{where}' begins with <{root.tag}> instead of <{tag}>")
    return root


def _decoder(start: bytes, errors: str) -> Callable[[bytes], bytes | str]:
    """What decodes the parts of XML in an encoding such as GB2312, and leaves other XML as it is.

    Raises LookupError; the parts raise UnicodeDecodeError if errors are strict.
    """
    declared = _ENCODING.match(start)
    return codecs.getincrementaldecoder(declared[1].decode())(errors).decode if declared else bytes


class _DoctypeError(Exception):
    """The document has a DOCTYPE declaration."""


class _Plain(ET.TreeBuilder):
    """A tree builder that stops at a DOCTYPE declaration in any encoding."""

    def doctype(self, _name: str, _public: str | None, _system: str | None) -> None:
        """Raise _DoctypeError; the parser calls this before it reads any entity."""
        raise _DoctypeError


def text_of(element: ET.Element, path: str) -> str:
    """The stripped text at that path below the element; empty if there is none."""
    return (element.findtext(path) or "").strip()


def element(tag: str, *inside: ET.Element | str, **attributes: str) -> ET.Element:
    """An element with these elements, or this text, in it."""
    made = ET.Element(tag, attributes)
    for part in inside:
        if isinstance(part, str):
            made.text = part
        else:
            made.append(part)
    return made


def save_xml(root: ET.Element, file: Path) -> None:
    """Write the element, indented, with an XML declaration."""
    ET.indent(root)
    file.parent.mkdir(parents=True, exist_ok=True)
    ET.ElementTree(root).write(file, encoding="utf-8", xml_declaration=True)


def first_tag(file: Path) -> str:
    """The name of the root element without its namespace, read from the start of the file; empty if there is none."""
    parser: ET.XMLPullParser[ET.Element] = ET.XMLPullParser(("start",))
    try:
        with file.open("rb") as stream:
            decode = _decoder(stream.peek(_PART_BYTES), "replace")
            for part in islice(iter(lambda: stream.read(_PART_BYTES), b""), _PARTS):
                parser.feed(decode(part))
                for event in parser.read_events():
                    root = event[-1]
                    return root.tag.rpartition("}")[2] if isinstance(root, ET.Element) else ""
    except (OSError, ET.ParseError, ValueError, LookupError):
        pass  # whoever loads the file says what is wrong with it
    return ""
