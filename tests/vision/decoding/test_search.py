"""The likeliest legal names, compared with all combinations of small hands."""

import math
import random
import time
from collections import Counter
from collections.abc import Sequence
from itertools import islice, product

import pytest

from tests.vision.table import candidates
from tilescore.scoring.shapes.winning import ALL_SHAPES, Shape, completes
from tilescore.scoring.tiles import PLAYING_TILES, Tile, parse_tiles
from tilescore.vision.decoding import search
from tilescore.vision.decoding.config import SearchConfig
from tilescore.vision.decoding.search import likeliest
from tilescore.vision.detections import Detection
from tilescore.vision.hand_prior.complete_hands import complete_readings
from tilescore.vision.hand_prior.melds import readings_as_set
from tilescore.vision.image.boxes import Box

ANYWHERE = Box(0, 0, 30, 40)


def seen(*names: str) -> list[Detection]:
    """One detection for each word: `5p` is clear, `5p=.6|6p=.4` is not."""
    found = [candidates(word) for word in names]
    return [Detection(ANYWHERE, 1.0, words) for words in found]


def text(tiles: Sequence[Tile]) -> str:
    return " ".join(map(str, tiles))


def best(detections: list[Detection], **options: object) -> str:
    legal = likeliest(detections, **options)  # type: ignore[arg-type]
    return "" if legal is None else text(legal.solutions[0].tiles)


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        pytest.param("5p=.6|6p=.4", "5p", id="the likelier name"),
        pytest.param("1m 1m 1m 1m 1m=.9|2m=.1", "1m 1m 1m 1m 2m", id="no fifth copy"),
        pytest.param("1m 1m 1m 1m=.7|2m=.3 1m=.9|3m=.1", "1m 1m 1m 2m 1m", id="the cheaper of two moves"),
        pytest.param("5s 5s 5s 5s 0s=.9|4s=.1", "5s 5s 5s 5s 4s", id="a red five counts as a five"),
        pytest.param("0p 0p=.8|5p=.2", "0p 5p", id="one red five of a suit"),
        pytest.param("1f 1f=.9|2f=.05|3f=.05 2f", "1f 3f 2f", id="one of each flower"),
        pytest.param("1m 1m 1m 1m 1m", "1m 1m 1m 1m 1m", id="what a person fixed stays, even five times"),
        pytest.param("back back back back back", "back back back back back", id="any number of backs"),
    ],
)
def test_a_set_of_tiles_holds_four(names: str, expected: str) -> None:
    assert best(seen(*names.split())) == expected


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        pytest.param("1s 2s=.4|3s=.6 3s", "1s 2s 3s", id="chow"),
        pytest.param("5z=.3|6z=.7 5z 5z", "5z 5z 5z", id="pung"),
        pytest.param("5m 0m=.6|8m=.4 5m=.2|6m=.8 5m", "5m 0m 5m 5m", id="kong"),
        pytest.param("back 7p=.4|8p=.6 7p back", "back 7p 7p back", id="kong with its ends face down"),
        pytest.param("1s 5z 9m", "1s 5z 9m", id="no set at all: read tile by tile"),
    ],
)
def test_melds_are_sets(names: str, expected: str) -> None:
    detections = seen(*names.split())
    assert best(detections, melds=[range(len(detections))]) == expected


def test_a_hidden_kong_uses_up_all_four() -> None:
    detections = seen("back", "7p", "7p", "back", "7p=.9|8p=.1")
    assert best(detections, melds=[(0, 1, 2, 3)]) == "back 7p 7p back 8p"


@pytest.mark.parametrize(
    ("names", "shape"),
    [
        pytest.param("123m456p789s11222z", Shape.STANDARD, id="four sets and a pair"),
        pytest.param("1133557799m1133z", Shape.SEVEN_PAIRS, id="seven pairs"),
        pytest.param("19m19p19s12345677z", Shape.THIRTEEN_ORPHANS, id="thirteen orphans"),
        pytest.param("147m258p369s12345z", Shape.LESSER_KNITTED, id="honours and knitted tiles"),
        pytest.param("147m258p369s11122z", Shape.KNITTED_STRAIGHT, id="knitted straight"),
    ],
)
def test_every_shape_is_restored(names: str, shape: Shape) -> None:
    true = parse_tiles(names)
    words = [str(tile) for tile in true]
    words[3] = f"{words[3]}=.3|5s=.7"
    words[9] = f"4m=.6|{words[9]}=.4"
    assert best(seen(*words), concealed=range(14), shapes=frozenset({shape})) == text(true)


def test_not_a_win_says_so() -> None:
    words = [str(tile) for tile in parse_tiles("1357m2468p13579s4z")]
    assert likeliest(seen(*words), concealed=range(14)) is None


def test_tiles_elsewhere_forbid_a_hand() -> None:
    """The likelier pair would be a fifth copy of the east wind, of which four lie in a kong."""
    hand = [str(tile) for tile in parse_tiles("123m456p789s")]
    detections = seen(*hand, "1z=.9|2z=.1", "1z=.9|2z=.1", "1z", "1z", "1z", "1z")
    assert best(detections, melds=[(11, 12, 13, 14)], concealed=range(11)).split()[9:11] == ["2z", "2z"]


def small_hand(seed: int, tiles: int) -> list[Detection]:
    """Detections with four random candidates each, of the low characters: many are wins."""
    draw = random.Random(seed)
    pool = [str(Tile("m", rank)) for rank in range(8)]
    words = []
    for _ in range(tiles):
        chances = sorted((draw.random() for _ in range(4)), reverse=True)
        words.append("|".join(f"{name}={chance}" for name, chance in zip(draw.sample(pool, 4), chances, strict=True)))
    return seen(*words)


@pytest.mark.parametrize("seed", range(40))
def test_complete_hands_come_exactly_in_order(seed: int) -> None:
    n_melds = 3 + seed % 2 if seed % 4 else 2
    detections = small_hand(seed, 14 - 3 * n_melds)
    every = sorted(
        -sum(math.log(candidate.probability) for candidate in chosen)
        for chosen in product(*(detection.names for detection in detections))
        if completes([candidate.tile for candidate in chosen], n_melds)
    )
    found = complete_readings([detection.names for detection in detections], n_melds, ALL_SHAPES)
    assert [cost for cost, _ in islice(found, 12)] == pytest.approx(every[:12])


@pytest.mark.parametrize("seed", range(40))
def test_no_combination_within_the_counts_is_likelier(seed: int) -> None:
    detections = [*small_hand(seed, 6), *seen("1m", "1m", "1m", "2m", "2m", "2m")]
    legal = likeliest(detections)
    assert legal is not None

    def allowed(tiles: Sequence[Tile]) -> bool:
        counts = Counter(tile.plain for tile in tiles)
        return max(counts.values()) <= 4 and sum(tile.is_red for tile in tiles) <= 1

    every = sorted(
        -sum(math.log(candidate.probability) for candidate in chosen)
        for chosen in product(*(detection.names for detection in detections))
        if allowed([candidate.tile for candidate in chosen])
    )
    assert [solution.cost for solution in legal.solutions] == pytest.approx(every[: len(legal.solutions)])
    assert sum(solution.probability for solution in legal.solutions) == pytest.approx(1)


def test_chances_weigh_each_tile_with_the_others_kept() -> None:
    legal = likeliest(seen("5p=.6|6p=.4", *["1m=.8|2m=.2"] * 5))
    assert legal is not None
    assert [(str(name.tile), round(name.probability, 2)) for name in legal.marginals[0]] == [("5p", 0.6), ("6p", 0.4)]
    moved = next(index for index, tile in enumerate(legal.solutions[0].tiles) if str(tile) == "2m")
    assert [str(name.tile) for name in legal.marginals[moved]] == ["2m"]


def test_sets_are_ranked() -> None:
    ranked = readings_as_set([detection.names for detection in seen("1s=.9|5s=.1", "2s=.6|5s=.4", "3s=.5|0s=.5")])
    assert [text(tiles) for _, tiles in ranked] == ["1s 2s 3s", "5s 5s 0s"]


@pytest.mark.parametrize("equal", [False, True])
def test_fourteen_tiles_with_five_names_are_solved_at_once(equal: bool) -> None:  # noqa: FBT001  # a case
    """The promise is 15 ms; the test allows several times as long for a busy machine."""
    draw = random.Random(7)
    times = []
    for _ in range(20):
        words = []
        for _ in range(14):
            chances = [0.2] * 5 if equal else sorted((draw.random() for _ in range(5)), reverse=True)
            names = draw.sample(PLAYING_TILES, 5)
            words.append("|".join(f"{name}={chance}" for name, chance in zip(names, chances, strict=True)))
        detections = seen(*words)
        start = time.process_time()
        likeliest(detections, concealed=range(14))
        times.append(time.process_time() - start)
    assert sorted(times)[len(times) // 2] < 0.06


def pair(names: str) -> list[Detection]:
    """Two tiles beside four pungs: the hand is complete if they are equal."""
    return [*seen(*names.split()), *seen(*(f"{rank}z" for rank in (1, 2, 3, 4) for _ in range(3)))]


PUNGS = [range(at, at + 3) for at in range(2, 14, 3)]
TWO_NAMES = pair("1m=.6|2m=.4 1m=.3|2m=.7")


@pytest.mark.parametrize("nats", [0.5, 2.0])
def test_favoured_names_weigh_more_by_so_many_nats(nats: float) -> None:
    whole, free = likeliest(TWO_NAMES, melds=PUNGS, concealed=[0, 1]), likeliest(TWO_NAMES, melds=PUNGS)
    assert whole is not None
    assert free is not None
    more = math.exp(nats)
    weights = {"2m 2m": 0.28 * more, "1m 1m": 0.18 * more, "1m 2m": 0.42, "2m 1m": 0.12}
    both, found = sum(weights.values()), whole.favoured(nats, free)
    told = {text(one.tiles[:2]): one.probability for one in found.solutions}
    assert told == pytest.approx({name: weight / both for name, weight in weights.items()})
    first = {str(name.tile): name.probability for name in found.marginals[0]}
    assert first["1m"] == pytest.approx((0.18 * more + 0.42) / both)
    assert found.evidence - free.evidence == pytest.approx(math.log(both))


def test_a_cost_function_ranks_complete_hands(monkeypatch: pytest.MonkeyPatch) -> None:
    """The likeliest hand by the cost function has the cost of the likeliest hand by the names."""
    legal = likeliest(TWO_NAMES, melds=PUNGS, concealed=[0, 1], cost_of=lambda tiles: float(tiles[0].rank))
    assert legal is not None
    rest = likeliest(TWO_NAMES, melds=PUNGS)
    assert rest is not None
    shared = rest.solutions[0].cost + math.log(0.42)  # of the four pungs
    assert [text(one.tiles[:2]) for one in legal.solutions] == ["1m 1m", "2m 2m"]
    costs = [one.cost - shared for one in legal.solutions]
    assert costs == pytest.approx([-math.log(0.28), 1 - math.log(0.28)])
    monkeypatch.setattr(search, "_CONFIG", SearchConfig(max_costed_hands=1))
    few = likeliest(TWO_NAMES, melds=PUNGS, concealed=[0, 1], cost_of=lambda tiles: tiles[0].rank)
    assert few is not None
    assert [text(one.tiles[:2]) for one in few.solutions] == ["2m 2m"]


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        pytest.param("1m 1m 1m 1m=.5|2m=.4 1m=.99|3m=.3", "1m 1m 1m 2m 1m", id="the cheaper move"),
        pytest.param(
            "1m 1m 1m 1m=.5|2m=.4 1m=.9|3m=.1 1m=.6|3m=.3 2m 2m 2m 2m=.8|5m=.1",
            "1m 1m 1m 1m 3m 3m 2m 2m 2m 2m",
            id="a move that makes too many of another face does not help",
        ),
        pytest.param("1m 1m 1m 1m 1m=.5|1f=.4 1f", "1m 1m 1m 1m 1m 1f", id="no move helps"),
        pytest.param("1m=.6|2m=.4", "1m", id="nothing to repair"),
    ],
)
def test_a_search_that_ends_too_early_repairs_tile_by_tile(
    names: str, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search, "_CONFIG", SearchConfig(max_steps=0))
    assert best(seen(*names.split())) == expected
