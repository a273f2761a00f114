"""What is likely about complete hands and declared sets before anything is seen."""

import pytest

from tilescore.scoring.tiles import Tile, parse_tiles
from tilescore.vision.detections import Candidate
from tilescore.vision.hand_prior.melds import laid_cost
from tilescore.vision.hand_prior.order import order_evidence
from tilescore.vision.hand_prior.prior import hand_cost


def cost(hand: str, order: tuple[int, ...] | None = None) -> float:
    """Of a hand that the reader thinks nothing of."""
    named = parse_tiles(hand)
    candidates = [tuple(Candidate(Tile.parse(text), 0.1) for text in ("1m", str(tile))) for tile in named]
    return hand_cost(candidates, range(len(named)) if order is None else order, named)


@pytest.mark.parametrize(
    ("likelier", "than"),
    [
        ("234m456p22z", "333m456p22z"),  # a chow rather than a pung
        ("234m456p22z", "234m555p22z"),
        ("111222333m44z", "111m222m555m44z"),  # parted into as many chows as can be
    ],
)
def test_sets_are_rather_chows(likelier: str, than: str) -> None:
    assert cost(likelier, ()) < cost(than, ())


def test_a_sorted_hand_is_likelier() -> None:
    mixed = (3, 0, 5, 1, 7, 2, 6, 4)
    assert cost("234m456p22z") < cost("234m456p22z", mixed)


def test_order_is_told_by_rows_of_some_length_only() -> None:
    assert order_evidence(parse_tiles("123m")) == 0
    assert order_evidence(parse_tiles("1123456789m")) > 2
    assert order_evidence(parse_tiles("7m2p4z9s3m1p8s")) < 0


@pytest.mark.parametrize(
    ("likelier", "than"),
    [
        (("345m", 0), ("345m", 1)),  # a chow is claimed from the left
        (("435m", 0), ("453m", 0)),  # what was not claimed lies in order
        (("345m", None), ("543m", None)),
        (("345m", 0), ("444m", 0)),
        (("444m", 2), ("345m", 2)),
    ],
)
def test_how_sets_are_laid(likelier: tuple[str, int | None], than: tuple[str, int | None]) -> None:
    first, second = (laid_cost([Tile.parse(rank + "m") for rank in text[:-1]], at) for text, at in (likelier, than))
    assert first < second
