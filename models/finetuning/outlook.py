"""What is said before a fine-tuning starts, and whether its result is worth keeping."""

import time
from collections.abc import Mapping
from typing import Final

from tilescore.errors import InputError
from tilescore.models.finetuning.classifier import FineTuner
from tilescore.models.finetuning.report import Figures

LEAST_FOUND: Final = 0.5
"""Fine-tuning changes the names of tiles only: it helps little where fewer of them are found (chosen)."""
_NOTHING_TO_GAIN: Final = 0.999
"""Tile F1 from which nothing is left to gain, if every labelled tile of every photo is right as well."""
_PROBED: Final = 3
"""Steps that are timed."""


def forecast_line(before: Figures, model: str) -> str:
    """What today's model reads of the held-out photos, in one sentence."""
    hands = "" if before.exact_hand_rate is None else f", {before.exact_hand_rate:.0%} of the hands read exactly"
    return (
        f"{model} reads {before.photos} held-out photos so: {before.found:.1%} of the tiles found, tile F1 "
        f"{before.tile_f1:.3f}, every labelled tile right in {before.whole:.0%} of the photos, {before.invented:.1f} "
        f"invented tiles a photo{hands}"
    )


def require_use(before: Figures, *, offer: str) -> None:
    """Raise InputError if fine-tuning cannot help; `offer` says how the detector would be tuned, and how long."""
    anyway = "--anyway trains all the same."
    if before.found < LEAST_FOUND:
        message = (
            f"the detector finds {before.found:.0%} of the labelled tiles, and fine-tuning changes their names only: "
            "see that the labels lie on the tiles; if they do, --detector tunes the detector too "
            f"({offer}; it is kept only if it finds more). {anyway}"
        )
        raise InputError("finds_too_few", message)
    if before.tile_f1 >= _NOTHING_TO_GAIN and before.whole >= _NOTHING_TO_GAIN:
        message = "the model reads every held-out photo exactly, so there is nothing to gain: use it as it is. "
        raise InputError("nothing_to_gain", message + anyway)


def require_found(before: Figures) -> None:
    """Raise InputError if the detector finds too few tiles, and tuning it has not helped."""
    if before.found < LEAST_FOUND:
        message = (
            f"the detector still finds {before.found:.0%} of the labelled tiles, so new names would help little, and "
            "nothing is kept: label more photos; --anyway goes on all the same."
        )
        raise InputError("finds_too_few", message)


def require_gain(before: Figures, after: Figures) -> None:
    """Raise InputError if the new model reads the held-out photos no better."""
    if (after.tile_f1, after.whole) > (before.tile_f1, before.whole):
        return
    message = (
        f"the new model is not kept, because it reads the held-out photos no better: tile F1 {before.tile_f1:.3f} "
        f"before and {after.tile_f1:.3f} after, every labelled tile right in {before.whole:.0%} and {after.whole:.0%} "
        "of the photos. Label more photos, above all of tiles that are misread; --anyway keeps such a model."
    )
    raise InputError("no_gain", message)


def minutes(tuners: Mapping[str, FineTuner], steps: Mapping[str, int]) -> float:
    """How long the training steps will take on this machine, from a few of them."""
    total_s = 0.0
    for part, tuner in tuners.items():
        times: list[float] = []
        tuner.learn(steps=_PROBED, progress=lambda _done, _all, times=times: times.append(time.monotonic()))  # type: ignore[misc]
        total_s += steps[part] * (times[-1] - times[0]) / (len(times) - 1)
    return total_s / 60
