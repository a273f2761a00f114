"""Finds the list of class names of a set whose labels hold numbers, where the programs that write such sets put it.

Ultralytics and Roboflow write a YAML file, labelImg and makesense a text file (`classes.txt`, `labels.txt`), Darknet a
`.names` file that a `.data` file names, Roboflow's Darknet export `_darknet.labels`, Label Studio `notes.json`.

The YAML and `.data` files also say which folders and lists of pictures make up the splits.
"""

import os
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import yaml

from tilescore.datasets.intake.label_files import label_text, load_json, mapping, records
from tilescore.datasets.intake.pictures import path_parts, split_named
from tilescore.datasets.intake.raw import LabelError, RawSet, shown, whole
from tilescore.errors import InputError

_TEXT_FILES: Final = frozenset(
    {"classes.txt", "class.txt", "labels.txt", "names.txt", "classnames.txt", "class_names.txt"}
)
"""Names of text files with one class name in each line."""
_TEXT_SUFFIXES: Final = (".names", ".labels")
_YAML_SUFFIXES: Final = (".yaml", ".yml")
_DARKNET: Final = ".data"
_MOST_PARTS: Final = 12
"""A picture lies at most so deep in a set."""
_MAX_YAML_BYTES: Final = 4_000_000
_FOLDERS: Final = frozenset({"labels", "data", "images", "annotations", "yolo", "cfg"})
"""Folders of a set in which a list may lie, besides those of the splits."""
_KEYPOINTS: Final = "kpt_shape"


@dataclass(frozen=True, slots=True)
class ClassList:
    """The class names in a file of a set, in the order of their numbers; empty where a number has no name.

    With `has_keypoints`, label lines hold key points after the box.
    """

    source: str
    names: tuple[str, ...]
    has_keypoints: bool = False


def is_class_list(path: Path) -> bool:
    """Whether a file is, by its name, a list of class names."""
    return path.name.lower() in _TEXT_FILES or path.suffix.lower() in _TEXT_SUFFIXES


def class_list(root: Path) -> ClassList | None:
    """The list of class names of a set; None if there is none.

    Raises InputError if two lists disagree, or a list cannot be read.
    """
    lists: list[ClassList] = []
    for file in _files(root):
        try:
            names = _names(file, shown(file, root))
        except LabelError as error:
            raise InputError(error.code, f"the list of class names cannot be used: {error}.") from None
        if names is not None and names.names:
            lists.append(names)
    if not lists:
        return None
    other = next((another for another in lists if another.names != lists[0].names), None)
    if other is not None:
        alone = _set_of(lists[0]) != _set_of(other)
        remedy = "these are two sets, so use each folder by itself" if alone else "delete the wrong one"
        raise InputError(
            "lists_disagree",
            f"'{lists[0].source}' and '{other.source}' in '{root}' name the classes differently: {remedy}.",
        )
    return lists[0]


def _set_of(listed: ClassList) -> str:
    """The folder in the set whose list this is, where that folder may be a set of its own; else empty."""
    first, *rest = listed.source.split("/")
    return first if rest and not _is_usual(first) else ""


def _is_usual(folder: str) -> bool:
    """Whether a folder of that name is a part of a set."""
    return folder.lower() in _FOLDERS or bool(split_named(folder))


def with_names(raw: RawSet) -> RawSet:
    """The set with the names of its classes where its labels hold numbers alone."""
    used = {box.name for picture in raw.pictures for box in picture.boxes}
    if not used or not all(name.isdigit() for name in used):
        return raw
    listed = class_list(raw.root)
    if listed is None:
        return replace(raw, numbered=True)
    names = dict(enumerate(listed.names))
    pictures = tuple(
        replace(p, boxes=[replace(box, name=names.get(int(box.name), box.name)) for box in p.boxes])
        for p in raw.pictures
    )
    return replace(raw, pictures=pictures, names=listed.names, source=listed.source)


def described_in(file: Path) -> dict[str, Any]:
    """What a data.yaml says, with texts for all values; raises InputError."""
    try:
        return _yaml(file, file.name)
    except LabelError as error:
        raise InputError(error.code, f"{error}.") from None


def described_splits(root: Path) -> dict[Path, str]:
    """The split of folders and pictures as the descriptions of a set tell it, by path; raises InputError.

    The innermost folder of a picture counts, and the picture itself more. The split is empty for what stands in
    several. Nothing is said where there is but one split: every set has such a place for its pictures.
    """
    said: dict[Path, set[str]] = defaultdict(set)
    try:
        for file in _files(root):
            described = _described(file)
            home = path_parts(str(described.get("path", "")))
            for key, value in described.items():
                if isinstance(key, str) and (split := split_named(key)):
                    for entry in value if isinstance(value, list) else [value]:
                        for place in _places(entry, home, file, root):
                            said[place].add(split)
    except LabelError as error:
        raise InputError(error.code, f"{error}.") from None
    if len(set().union(*said.values())) < 2:
        return {}
    return {place: "" if len(splits) > 1 else min(splits) for place, splits in said.items()}


def _described(file: Path) -> dict[Any, Any]:
    """The entries of a description; none for any other file."""
    if file.suffix.lower() in _YAML_SUFFIXES:
        return _yaml(file, file.name)
    if file.suffix.lower() != _DARKNET:
        return {}
    pairs = (line.partition("=") for line in label_text(file, file.name).splitlines())
    return {key.strip(): value.strip() for key, _, value in pairs}


def _places(entry: object, home: tuple[str, ...], file: Path, root: Path) -> Iterator[Path]:
    """The folder or picture that an entry of a description names, or those in the list of pictures that it names."""
    place = _found((*home, *path_parts(entry)), file.parent, root) if isinstance(entry, str) else None
    if place is None:
        return
    if place.suffix.lower() != ".txt" or not place.is_file():
        yield place
        return
    for line in label_text(place, shown(place, root)).splitlines():
        if picture := _found(path_parts(line.strip()), place.parent, root):
            yield picture


def _found(parts: Sequence[str], here: Path, root: Path) -> Path | None:
    """What a path of this or another machine means below the folder of its file, or below the set; None for nothing."""
    bases = dict.fromkeys(base for base in (here, root) if base.is_relative_to(root))
    tails = (parts[at:] for at in range(max(0, len(parts) - _MOST_PARTS), len(parts)))
    places = (base.joinpath(*tail) for tail in tails for base in bases)
    return next((place for place in places if os.path.exists(place)), None)  # noqa: PTH110  # False for odd names, too


def _files(root: Path) -> Iterator[Path]:
    """The files that may hold the list: in the set, in its usual folders, and a YAML file one folder above."""
    for place, folders, files in os.walk(root):
        here = type(root)(place)
        depth = len(here.relative_to(root).parts)
        usual = (f for f in folders if depth < 3 and (depth == 0 or _is_usual(f)) and not f.startswith("."))
        folders[:] = sorted(usual)
        for name in sorted(files):
            path = here / name
            is_description = path.suffix.lower() in (*_YAML_SUFFIXES, _DARKNET)
            if is_class_list(path) or is_description or name.lower() == "notes.json":
                yield path
    for path in sorted(root.resolve().parent.glob("*.y*ml")):
        if path.suffix.lower() in _YAML_SUFFIXES and _points_into(path, root):
            yield path


def _points_into(file: Path, root: Path) -> bool:
    """Whether a YAML file beside the set's folder says that its pictures lie in that folder."""
    try:
        described = _yaml(file, file.name)
    except LabelError:
        return False
    places = [described.get(key) for key in ("path", "train", "val", "valid", "test")]
    own = root.resolve().name
    return any(isinstance(place, str) and own in place.replace("\\", "/").split("/") for place in places)


def _names(file: Path, where: str) -> ClassList | None:
    suffix = file.suffix.lower()
    if suffix in _YAML_SUFFIXES:
        described = _yaml(file, where)
        return ClassList(where, _in_order(described.get("names")), _KEYPOINTS in described)
    if suffix == ".json":
        data = mapping(load_json(file, where))
        entries = {whole(entry.get("id")): entry.get("name") for entry in records(data.get("categories"))}
        return ClassList(where, _in_order(entries))
    if suffix == _DARKNET:
        return None
    return ClassList(where, _without_end([line.strip() for line in label_text(file, where).splitlines()]))


def _yaml(file: Path, where: str) -> dict[Any, Any]:
    """The mapping in a YAML file, with texts for all values; an empty one for anything else."""
    text = label_text(file, where)
    if len(text) > _MAX_YAML_BYTES:
        raise LabelError("too_large", f"'{where}' is too large for a description of a set")
    try:
        described = yaml.BaseLoader(text).get_single_data()  # texts, lists and mappings only
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        reason = str(error).splitlines()[0] if str(error) else "damaged"
        raise LabelError("broken_labels", f"'{where}' is no YAML ({reason})") from None
    return described if isinstance(described, dict) else {}


def _in_order(names: object) -> tuple[str, ...]:
    """The names of a list, or of a mapping from numbers to names."""
    if isinstance(names, list):
        return _without_end([name if isinstance(name, str) else "" for name in names])
    if isinstance(names, dict):
        numbered = {at: name for key, name in names.items() if (at := whole(key)) is not None and 0 <= at < 10_000}
        ordered = [numbered.get(at) for at in range(max(numbered, default=-1) + 1)]
        return _without_end([name if isinstance(name, str) else "" for name in ordered])
    return ()


def _without_end(names: Sequence[str]) -> tuple[str, ...]:
    """The names without empty ones at the end; an empty one between others counts as a class, as in labelImg."""
    kept = list(names)
    while kept and not kept[-1]:
        kept.pop()
    return tuple(kept)
