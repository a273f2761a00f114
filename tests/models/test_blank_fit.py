"""The fit of blank white dragons: photos give crops with their truth, and a fit separates them."""

import numpy as np

from tilescore.models.blank_fit import Crop, fit, judged


def examples(count: int = 60) -> list[Crop]:
    """Dragons with little texture beside a clear face, and backs with more, of two sources."""
    rng = np.random.default_rng(1)
    found = []
    for number in range(count):
        is_blank = number % 3 == 0
        texture = rng.normal(-3.3 if is_blank else -1.5, 0.2)
        measures = (rng.normal(-3, 0.3), texture, abs(rng.normal(0, 0.1)), float(is_blank), 0.0)
        source = "one" if number % 2 else "two"
        found.append(Crop(f"{number}.jpg", source, measures, rng.normal(-2, 0.5), is_blank, is_unclear=True))
    return found


def test_dragons_are_separated_from_backs() -> None:
    some = examples()
    bias, weights = fit(some)
    odds = [crop.prior + bias + float(np.array(crop.measures) @ weights) for crop in some]
    assert [value > 0 for value in odds] == [crop.is_blank for crop in some]
    assert weights[1] < 0 < weights[3]


def test_a_source_is_judged_by_a_fit_without_it() -> None:
    some = examples()
    text = judged([c for c in some if c.source == "one"], [c for c in some if c.source == "two"])
    assert text.startswith("white dragons 10 of 10 (")
    assert "others 0 of 20 (" in text
