"""What a person says about the hand in a picture: the part of each tile, and whether there is a hand at all.

A part has a text form for our history, and fields for the files of other programs, which keep each as an attribute.

>>> part = Part.parse("meld 2 turned")
>>> part, str(part), part.fields()
(Part(role='meld', meld=2, concealed=False, turned=True), 'meld 2 turned', {'role': 'meld', 'meld': 2, 'turned': True})
>>> Part.of(part.fields()) == part, str(Part.parse("turned")), str(Part())
(True, 'turned', '')
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from tilescore.vision.layout.layout import Layout, Role

ROLES: Final = ("", *(str(role) for role in Role))
"""What a tile may be; the empty role is unknown."""
HANDS: Final = ("", "hand", "partial", "no_hand")
"""What a picture may show, as a person judged it: nobody has judged it, a hand, a hand cut off, no hand."""
MOST_MELDS: Final = 20
"""Declared sets of a picture have at most this number."""
_YES: Final = (True, 1, "1", "true", "True", "yes")


@dataclass(frozen=True, slots=True)
class Part:
    """What a tile is in the picture."""

    role: str = ""  # its part in the hand as in `tilescore.vision.layout.layout.Role`, or nothing
    meld: int = 0  # the number of its declared set, counted from 1; 0 if the set is unknown, or for another role
    concealed: bool = False  # whether its declared set is concealed, such as a concealed kong
    turned: bool = False  # whether the tile lies sideways to its row, as a claimed tile does

    def __str__(self) -> str:
        words = (self.role, self.meld or "", "concealed" * self.concealed, "turned" * self.turned)
        return " ".join(str(word) for word in words if word)

    def fields(self) -> dict[str, str | int | bool]:
        """The values that say something, by name."""
        values: dict[str, str | int | bool] = {
            "role": self.role, "meld": self.meld, "concealed": self.concealed, "turned": self.turned,
        }  # fmt: skip
        return {name: value for name, value in values.items() if value}

    @staticmethod
    def of(fields: Mapping[str, object]) -> Part:
        """The part in the fields of a label file; a value that means nothing is left out."""
        role = str(fields.get("role") or "").strip()
        role = role if role in ROLES else ""
        if role != Role.MELD:
            return Part(role, turned=fields.get("turned") in _YES)
        text = str(fields.get("meld") or 0)
        number = int(text) if text.isdecimal() else 0
        return Part(
            role, number if number <= MOST_MELDS else 0, fields.get("concealed") in _YES, fields.get("turned") in _YES
        )

    @staticmethod
    def parse(text: str) -> Part:
        """The part in a text that `str` wrote; raises ValueError for another text."""
        words = text.split()
        role = words[0] if words and words[0] in ROLES else ""
        rest = words[1:] if role else words
        number = next((word for word in rest if word.isdecimal()), "")
        part = Part.of(
            {"role": role, "meld": number, "concealed": "concealed" in rest, "turned": "turned" in rest}
        )  # fmt: skip
        if str(part) != " ".join(words):
            raise ValueError(f"'{text}' is no part of a hand")
        return part


NO_PART: Final = Part()
"""Nobody has said what the tile is."""


def parts_of(layout: Layout) -> tuple[Part, ...]:
    """The part of each tile as the layout of the picture proposes it."""
    melds = {at: (number, place.concealed) for number, place in enumerate(layout.melds, 1) for at in place.members}
    return tuple(
        Part(str(role), *(melds.get(at, (0, False)) if role is Role.MELD else (0, False)), at in layout.turned)
        for at, role in enumerate(layout.roles)
    )


def hand_of(value: object) -> str:
    """What a label file says about the hand in a picture; empty for a value that means nothing."""
    return value if isinstance(value, str) and value in HANDS else ""
