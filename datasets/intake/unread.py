"""Label files that no reader took: broken ones, and those of a form that nobody knows."""

import re
from collections.abc import Callable, Iterator
from collections.abc import Set as AbstractSet
from pathlib import Path
from typing import Final

from tilescore.datasets.intake.class_lists import is_class_list
from tilescore.datasets.intake.label_files import below, head_of, kind_of, load_json
from tilescore.datasets.intake.raw import LabelError, shown
from tilescore.datasets.intake.xml_files import first_tag, load_xml
from tilescore.datasets.labels import Problem
from tilescore.datasets.pictures.picture_files import pictures_below

_KINDS: Final = {"annotation": "voc", "annotations": "cvat"}
"""The format of an XML file by its root element."""
_TEXTS: Final = (".txt", ".csv", ".tsv", ".json", ".jsonl", ".ndjson", ".xml", ".manifest")
_PACKED: Final = (".tfrecord", ".record", ".parquet", ".mat", ".pkl", ".h5", ".hdf5")
"""Endings of label files that are no text."""
_FOLDERS: Final = re.compile(r"labels?|labeltxt|label_\d|annotations?|annots?|anns?|gt|ground_?truths?|bbox(es)?")
_LISTS: Final = frozenset({"train", "val", "valid", "test", "trainval", "readme", "license", "licence", "changelog"})
"""Names, without their endings, of texts that list pictures or speak to people."""
_HEAD_BYTES: Final = 20_000
_FEWEST: Final = 4
"""A text with labels has at least so many numbers: the sides of a box."""
_NUMBER: Final = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?![\w.]*[A-Za-z])")
_BOX_WORDS: Final = re.compile(
    r"x_?min|\bx1\b|bn?d?box|bounding|\"boxes\"|points|polygon|segmentation|\brect", re.IGNORECASE
)
"""Words of files with boxes."""
_MOST_NAMED: Final = 3
"""Files that a sentence names."""


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


def overlooked(
    root: Path,
    *,
    is_readable: Callable[[Path], bool],
    taken: AbstractSet[str] = frozenset(),
    beside_labels: bool = False,
) -> tuple[str, ...]:
    """The files below a folder that look like labels and that no reader takes, as messages name them.

    A file looks like labels if it has numbers and lies in a folder for labels, bears the name of a picture, or speaks
    of one. Packed forms such as TFRecord look like labels in any case.

    `taken` are the files that were read, or that a problem names. Beside labels that were read, a file that speaks of
    pictures says something else about them, such as who took them, unless it speaks of boxes, too.
    """
    pictures = pictures_below(root)
    stems = {picture.stem for picture in pictures}
    names = {picture.name for picture in pictures}
    places: list[str] = []
    for file in below(root, *_TEXTS, *_PACKED):
        where = shown(file, root)
        is_list = file.suffix.lower() == ".txt" and file.stem.partition(".")[0].lower() in _LISTS
        if where in taken or is_class_list(file) or is_list:
            continue
        if (
            file.suffix.lower() in _PACKED or _speaks_of(file, stems, names, beside_labels=beside_labels)
        ) and not is_readable(file):
            places.append(where)
    return tuple(places)


def _speaks_of(file: Path, stems: AbstractSet[str], names: AbstractSet[str], *, beside_labels: bool) -> bool:
    head = head_of(file, most=_HEAD_BYTES)
    if len(_NUMBER.findall(head)) < _FEWEST:
        return False
    if file.stem in stems or file.stem in names or _FOLDERS.fullmatch(file.parent.name.lower()):
        return True
    if not any(word in names for word in re.split(r"[\s,;|\"'<>=/\\]+", head)):
        return False
    return not beside_labels or _BOX_WORDS.search(head) is not None


def listed(files: tuple[str, ...]) -> str:
    """Some of the files for a sentence, and how many more there are."""
    more = f" and {len(files) - _MOST_NAMED} more" if len(files) > _MOST_NAMED else ""
    return ", ".join(f"'{file}'" for file in files[:_MOST_NAMED]) + more
