"""The evaluation card of a fine-tuned model: figures before and after, training data, settings."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from tilescore.models.evaluation.matching import Judged
from tilescore.models.evaluation.metrics import f1, hand_of


@dataclass(frozen=True, slots=True)
class Figures:
    """Figures of the readings of some photos."""

    photos: int
    tile_f1: float  # tile F1 as in `tilescore.models.evaluation.metrics`
    whole: float  # share of the photos in which every labelled tile is found and named correctly
    invented: float  # reported tiles without a label, per photo
    exact_hand_rate: float | None  # share of the hands that are read exactly, order included; None without known hands
    found: float = 1.0  # share of the labelled tiles that are found, whatever they are called

    @staticmethod
    def of(judged: Sequence[Judged], hands: Mapping[str, tuple[str, ...]]) -> Figures:
        """The figures of read photos; `hands` has the known hands by the paths of photos."""
        asked = [(photo, hand) for photo in judged if (hand := hand_of(photo.path, hands)) is not None]
        exact = [photo.hand == hand for photo, hand in asked]
        seen = [bool(match.read) for photo in judged for match in photo.matches if match.true]
        whole = [all(match.right for match in photo.matches if match.true) for photo in judged]
        return Figures(
            photos=len(judged),
            tile_f1=f1(match for photo in judged for match in photo.matches),
            whole=round(_mean(whole), 4),
            invented=round(_mean([sum(match.true == "" for match in photo.matches) for photo in judged]), 3),
            exact_hand_rate=round(_mean(exact), 4) if asked else None,
            found=round(_mean(seen), 4) if seen else 1.0,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """The card of a fine-tuned model."""

    # name, start: the model, and the one before with its hash
    name: str
    start: str
    made: str  # time of the training, UTC
    # data, data_hash: name of the folder of the set, and hash of its training photos and labels
    data: str
    data_hash: str
    # learned_photos, learned_tiles: number of training photos, and of tiles in them, by class
    learned_photos: int
    learned_tiles: Mapping[str, int]
    # before, after: figures on the held-out photos of the set
    before: Figures
    after: Figures
    # kept_before, kept_after: figures on photos of other sets
    kept_before: Figures
    kept_after: Figures
    kept_what: str  # which photos of other sets
    steps: int  # training steps of all networks together
    share: float  # kept share of the weight change (0-1); a smaller share limits forgetting
    minutes: float  # duration, evaluation included

    def to_text(self) -> str:
        """The card as Markdown."""
        missing = " ".join(name for name, count in self.learned_tiles.items() if not count)
        seldom = " ".join(name for name, count in self.learned_tiles.items() if 0 < count < 3)
        own, others = f"held-out photos of {self.data}", self.kept_what
        return f"""# {self.name}: {self.start} after {self.learned_photos} photos of {self.data}

| figure | before | after |
|---|---|---|
{_rows(f"{self.before.photos} {own}", self.before, self.after)}
{_rows(f"{self.kept_before.photos} {others}", self.kept_before, self.kept_after)}

Fine-tuned on {self.made} with {sum(self.learned_tiles.values())} tiles (data set {self.data_hash}), in
{self.minutes:.1f} minutes and {self.steps} steps; {self.share:.0%} of the weight change was kept.
Not in the training photos: {missing or "nothing"}. Once or twice: {seldom or "nothing"}.
What was not tuned comes from the model before: AGPL-3.0, like everything trained from it.
"""


def write_card(card: Card, folder: Path) -> None:
    """Write card.json and card.md."""
    (folder / "card.json").write_text(json.dumps(asdict(card), indent=1) + "\n", encoding="utf-8")
    (folder / "card.md").write_text(card.to_text(), encoding="utf-8")


def _rows(where: str, before: Figures, after: Figures) -> str:
    names = {
        "found": "tiles found", "exact_hand_rate": "hands read exactly", "whole": "photos with every tile right",
        "tile_f1": "tile F1",
        "invented": "tiles invented a photo",
    }  # fmt: skip
    return "\n".join(
        f"| {title}, {where} | {getattr(before, name):.3f} | {getattr(after, name):.3f} |"
        for name, title in names.items()
        if getattr(before, name) is not None
    )


def _mean(values: Sequence[float]) -> float:
    return sum(values) / max(1, len(values))
