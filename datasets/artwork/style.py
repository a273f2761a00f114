"""The style of one procedural tile set: everything in which two real sets may differ."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Colour = tuple[int, int, int]
Rng = np.random.Generator
PAPER: Colour = (255, 255, 255)
"""The paper (RGB)."""


@dataclass(frozen=True, slots=True)
class TileStyle:
    """Colours, fonts, dots and sticks of one procedural tile set; `sample_style` draws it at random."""

    seed: int
    dark: Colour
    accent: Colour
    red: Colour
    green: Colour
    dot_style: int
    dot_size: float
    stick_style: int
    stick_width: float
    font: int
    bold: float
    myriad: str
    five: str
    green_dragon: str
    white_dragon: str
    captions: bool
    red_five: str
    plain_numerals: bool


def any_colour(rng: Rng, low: int, high: int) -> Colour:
    """A random colour; each channel is at least `low` and less than `high`."""
    r, g, b = rng.integers(low, high, 3).tolist()
    return r, g, b


def varied(rng: Rng, colour: Colour, spread: int = 28) -> Colour:
    """The colour with each channel changed by up to `spread`."""
    r, g, b = (int(np.clip(c + rng.integers(-spread, spread + 1), 0, 255)) for c in colour)
    return r, g, b


def sample_style(rng: Rng) -> TileStyle:
    """Sample the style of one set."""
    inks: list[Colour] = [(25, 28, 40), (30, 45, 130), (20, 20, 22), (15, 70, 60), (40, 60, 95)]
    greens: list[Colour] = [(20, 110, 60), (10, 80, 55), (40, 140, 70), (20, 100, 95)]
    dark = varied(rng, inks[rng.integers(len(inks))])
    green = varied(rng, greens[rng.integers(len(greens))])
    accent = green if rng.random() < 0.5 else varied(rng, inks[rng.integers(len(inks))])
    return TileStyle(
        seed=int(rng.integers(1 << 30)),
        dark=dark,
        accent=accent,
        red=varied(rng, (190, 30, 35)),
        green=green,
        dot_style=int(rng.integers(7)),
        dot_size=float(rng.uniform(0.8, 1.12)),
        stick_style=int(rng.integers(5)),
        stick_width=float(rng.uniform(0.75, 1.3)),
        font=int(rng.integers(1000)),
        bold=float(rng.uniform(0, 0.1)),
        myriad="万" if rng.random() < 0.2 else "萬",
        five="伍" if rng.random() < 0.45 else "五",
        green_dragon=str(rng.choice(["發", "発", "發", "发"])),
        white_dragon=str(rng.choice(["blank", "frame", "frame", "frame", "白", "letter"])),
        captions=bool(rng.random() < 0.35),
        red_five=str(rng.choice(["all", "all", "part", "marked"])),
        plain_numerals=bool(rng.random() < 0.5),
    )
