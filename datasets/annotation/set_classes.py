"""The class names of a set that people label: what each number of its label files means."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from tilescore.datasets.formats import names_of, yolo
from tilescore.datasets.intake.class_lists import class_list
from tilescore.datasets.labels import CLASS_NAMES, UNKNOWN, ClassName
from tilescore.datasets.marks import Annotation, LabelSource
from tilescore.datasets.names.class_names import settle
from tilescore.datasets.names.resolve import propose
from tilescore.errors import InputError


@dataclass(frozen=True)
class SetClasses:
    """The class names in the order of their numbers, none without a list, and what each name means.

    The classes of a new set are ours: CLASS_NAMES. With `has_keypoints`, lines of its label files hold key points.
    """

    listed: tuple[str, ...]
    classes: tuple[ClassName, ...]
    are_ours: bool = False
    has_keypoints: bool = False

    @staticmethod
    def of(root: Path) -> SetClasses:
        """The classes of the set in a folder; raises InputError when its lists contradict one another."""
        listed = class_list(root)
        settled = names_of(root)
        if listed is not None:
            classes = settle(propose(listed.names), settled)
            return SetClasses(listed.names, classes, has_keypoints=listed.has_keypoints)
        if settled or yolo.has_labels(root):  # numbers without a list
            numbers = sorted((name for name in settled if name.isdigit()), key=int)
            return SetClasses((), settle([ClassName(name, None, sure=False) for name in numbers], settled))
        ours = tuple(ClassName(name, name, sure=True) for name in CLASS_NAMES)
        return SetClasses(CLASS_NAMES, ours, are_ours=True)

    def explained(self, names: Mapping[str, str | None]) -> SetClasses:
        """The classes with what a person says about their names."""
        listed = {entry.name for entry in self.classes}
        more = [ClassName(name, None, sure=False) for name in names if name not in listed and name.isdigit()]
        return replace(self, classes=settle([*self.classes, *more], names))

    def is_open(self, name: str) -> bool:
        """Whether nobody has said what the name of a mark means: neither a tile, nor that it is none."""
        if not name.startswith(UNKNOWN):
            return False
        return not any(entry.sure and entry.name in (name, name.removeprefix(UNKNOWN)) for entry in self.classes)

    @property
    def are_foreign(self) -> bool:
        """Whether a name is not simply that of a tile."""
        return any(entry.name != entry.tile for entry in self.classes) or not self.listed

    def raw_name(self, number: int) -> str:
        """The name of that number as the set writes it; the number itself where it has none."""
        return self.listed[number] if number < len(self.listed) and self.listed[number] else str(number)

    def name_of(self, number: int) -> str:
        """The name of a mark with that number: a tile, or an unknown name."""
        raw = self.raw_name(number)
        return self._tiles.get(raw, raw if raw.startswith(UNKNOWN) else f"{UNKNOWN}{raw}")

    def named(self, state: Annotation, labels: Sequence[str] = ()) -> Annotation:
        """The state with the names that were explained after its marks were stored.

        With the present names of all labels in its file, a state whose labels had others is followed by one that
        nobody has checked.
        """
        marks = [replace(mark, name=self._explanation(mark.name)) for mark in state.marks]
        explained = replace(state, marks=tuple(marks))
        if len(labels) != len(explained.kept) or [mark.name for mark in explained.kept] == list(labels):
            return explained
        fresh = iter(labels)
        now = (mark if mark.source is LabelSource.MODEL else replace(mark, name=next(fresh)) for mark in marks)
        return replace(state, marks=tuple(now), checked=False, version=state.version + 1)

    def _explanation(self, name: str) -> str:
        if not name.startswith(UNKNOWN):
            return name
        return self._tiles.get(name) or self._tiles.get(name.removeprefix(UNKNOWN), name)

    @cached_property
    def stamp(self) -> str:
        """Changes with the meaning of a name or number."""
        return hashlib.sha256(repr((self.listed, sorted(self._tiles.items()))).encode()).hexdigest()[:8]

    def number_of(self, name: str) -> int:
        """The number of a mark's name in label files; raises InputError when the set has no such class."""
        self.require([name])
        return self._numbers[name] if name in self._numbers else int(name.removeprefix(UNKNOWN))

    def require(self, names: Iterable[str]) -> None:
        """Raise InputError if the set has no class for one of these names of marks."""
        missing = sorted({name for name in names if name not in self._numbers and not self._is_number(name)})
        if missing:
            message = f"this set has no class for {' '.join(missing)}: add it to the names in data.yaml or classes.txt."
            raise InputError("class_not_in_set", message)

    @staticmethod
    def _is_number(name: str) -> bool:
        return name.startswith(UNKNOWN) and name.removeprefix(UNKNOWN).isdigit()

    @cached_property
    def _tiles(self) -> dict[str, str]:
        return {entry.name: entry.tile for entry in self.classes if entry.sure and entry.tile is not None}

    @cached_property
    def _numbers(self) -> dict[str, int]:
        """The first number of each name of a mark."""
        if not self.listed:
            return {self.name_of(int(entry.name)): int(entry.name) for entry in reversed(self.classes) if entry.tile}
        return {self.name_of(number): number for number in reversed(range(len(self.listed)))}
