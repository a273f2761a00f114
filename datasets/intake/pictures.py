"""Finds the picture that a label file means, and the split that a folder's name tells.

Label files name pictures as the machine that wrote them did: with backslashes, absolute paths, paths out of the folder,
without an ending, in another case, composed otherwise, or under the name from before a renaming.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Final
from unicodedata import normalize
from urllib.parse import unquote

from tilescore.datasets.pictures.picture_files import pictures_below
from tilescore.files.names import text_of

_SPLITS: Final = {
    "train": "train", "training": "train", "val": "val", "valid": "val", "validation": "val", "dev": "val",
    "test": "test", "testing": "test",
}  # fmt: skip
"""The split that a name means."""
_CONTAINERS: Final = frozenset({"images", "imgs", "img", "jpegimages"})
"""Names of folders that only hold pictures."""


def split_named(text: str) -> str:
    """The split that a word means; empty if it means none.

    >>> split_named("valid"), split_named("VALIDATION"), split_named("train2017"), split_named("test_unseen")
    ('val', 'val', 'train', 'test_unseen')
    """
    word = text.lower()
    plain = re.sub(r"[-_ ]?\d+$", "", word)
    if plain in _SPLITS:
        return _SPLITS[plain]
    return text if word.split("_")[0] in _SPLITS and "/" not in text else ""


def split_of(path: Path, root: Path) -> str:
    """The split of a picture by the folders between it and the root; empty if they tell none."""
    parts = path.relative_to(root).parts[:-1] if path.is_relative_to(root) else ()
    return next((split for part in parts if (split := split_named(part))), "")


def names_below(path: Path, root: Path) -> tuple[str, str, str]:
    """The picture's path below its split and its folder of pictures; with the folders above these, too; and whole.

    >>> names_below(Path("set/train/monday/images/deep/a.jpg"), Path("set"))
    ('deep/a.jpg', 'monday/deep/a.jpg', 'train/monday/images/deep/a.jpg')
    """
    parts = path.relative_to(root).parts if path.is_relative_to(root) else (path.name,)
    markers = [at for at, part in enumerate(parts[:-1]) if part.lower() in _CONTAINERS or split_named(part)]
    below = parts[markers[-1] + 1 if markers else 0 :]
    unmarked = [part for at, part in enumerate(parts) if at not in markers]
    return text_of("/".join(below)), text_of("/".join(unmarked)), text_of("/".join(parts))


def path_parts(name: str) -> tuple[str, ...]:
    r"""The parts of a path that another machine wrote.

    >>> path_parts(r"C:\photos\a.jpg"), path_parts("../images/a.jpg")
    (('photos', 'a.jpg'), ('images', 'a.jpg'))
    """
    return _posix_parts(name.replace("\\", "/"))


def _posix_parts(name: str) -> tuple[str, ...]:
    parts = PurePosixPath(name).parts
    return tuple(part for part in parts if part not in ("/", "//", "..", ".") and not re.fullmatch(r"[A-Za-z]:", part))


class PictureFinder:
    """The pictures below a folder, by name."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def find(self, names: Sequence[str], *, near: Path) -> tuple[Path, ...]:
        """The pictures that the first of these names means, or else the next: none, one, or several equally likely."""
        plain = [unquote(name) for name in names]  # an address, in which a space is `%20`
        every = dict.fromkeys((*names, *plain, *[name.strip() for name in plain]))
        # a backslash may be in the name itself
        for parts in (split(name) for name in every for split in (_posix_parts, path_parts)):
            if not parts:
                continue
            last = _folded(parts[-1])
            for paths in (self._by_name.get(last, ()), self._by_stem.get(_stem(last), ()), self._by_stem.get(last, ())):
                if paths:
                    return _nearest(paths, parts, near)
        return ()

    @cached_property
    def _pictures(self) -> list[Path]:
        return pictures_below(self.root)

    @cached_property
    def _by_name(self) -> dict[str, list[Path]]:
        return _grouped((_folded(path.name), path) for path in self._pictures)

    @cached_property
    def _by_stem(self) -> dict[str, list[Path]]:
        return _grouped((_stem(_folded(path.name)), path) for path in self._pictures)


def _grouped(pairs: Iterable[tuple[str, Path]]) -> dict[str, list[Path]]:
    groups: dict[str, list[Path]] = defaultdict(list)
    for key, path in pairs:
        groups[key].append(path)
    return groups


def _folded(name: str) -> str:
    """What names have in common that differ in case, or in how an accent or a syllable is composed, as on a Mac."""
    return normalize("NFC", name).casefold()


def _stem(name: str) -> str:
    return str(PurePosixPath(name).with_suffix("")) if PurePosixPath(name).suffix else name


def _nearest(paths: Sequence[Path], parts: Sequence[str], near: Path) -> tuple[Path, ...]:
    """Those that share the most folders with the name, and among them those nearest to the label file."""
    wanted = [_folded(part) for part in parts[:-1]]

    def shared(path: Path) -> tuple[int, int]:
        folders = [_folded(part) for part in path.parent.parts]
        same = 0
        while same < min(len(folders), len(wanted)) and folders[-1 - same] == wanted[-1 - same]:
            same += 1
        common = sum(1 for mine, theirs in zip(path.parent.parts, near.parts, strict=False) if mine == theirs)
        return same, common - abs(len(path.parent.parts) - len(near.parts))

    best = max(map(shared, paths))
    return tuple(path for path in paths if shared(path) == best)
