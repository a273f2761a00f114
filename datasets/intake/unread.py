"""Label files that no format knows because they are broken."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tilescore.datasets.intake.label_files import below, kind_of, load_json
from tilescore.datasets.intake.raw import LabelError, shown
from tilescore.datasets.intake.xml_files import first_tag, load_xml
from tilescore.datasets.labels import Problem

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_KINDS: Final = {"annotation": "voc", "annotations": "cvat"}
"""The format of an XML file by its root element."""


def broken_files(path: Path, format_name: str = "") -> Iterator[Problem]:
    """A problem for each broken JSON or XML file of a set that the reader of that format does not take for its own.

    A sound file with other content, such as the project file of an editor, is none.
    """
    root = path if path.is_dir() else path.parent
    for file in below(path, ".json", ".xml"):
        where, is_json = shown(file, root), file.suffix.lower() == ".json"
        if format_name and format_name == (kind_of(file) if is_json else _KINDS.get(first_tag(file))):
            continue
        try:
            (load_json if is_json else load_xml)(file, where)
        except LabelError as error:
            yield Problem(error.code, where, str(error))
