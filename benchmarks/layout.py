"""Measure the reading of hands from boxes alone: `python -m benchmarks.layout --count 1000 --seed 900000`.

Every scene shows a whole hand with a known record. `Reading` gets the labelled boxes in five ways:

- boxes: true boxes with true names;
- shaken: shaken boxes with true names;
- names: the likeliest names of corrupted candidates, without alternatives;
- rules: corrupted candidates, from which the rules restore the hand;
- win: corrupted candidates of a hand that is a win, and `Reading` knows that it is one.

The measurement expects no fact that is invisible on the table. A set apart without a turned or face-down tile may be
read as declared or as concealed. A winning tile that lies less than half a tile apart may be found or not.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations, pairwise
from typing import TYPE_CHECKING, Final

import numpy as np

from tests.harness.figures import Figure, at_least, at_most
from tests.harness.laid_scenes import LaidScene, lay_scene
from tilescore.datasets.layouts.tables import corrupted
from tilescore.datasets.synthesis.scenes import game_scene, hand_scene
from tilescore.processes.parallel import Pool, work_in_order
from tilescore.scoring.hand import MeldKind
from tilescore.scoring.shapes.winning import completes
from tilescore.scoring.tiles import BACK, PLAYING_TILES, Tile, format_tiles
from tilescore.vision.decoding.reading import Reading
from tilescore.vision.decoding.search import likeliest
from tilescore.vision.detections import Candidate, Detection
from tilescore.vision.image.boxes import Box
from tilescore.vision.layout.layout import Role

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from tilescore.datasets.synthesis.arrangements import Placement

_GAMES: Final = 0.2
"""The share of scenes that show a table in play."""
_FLUSH: Final = 1.15
"""The distance of two tile centres, in tile widths, below which the tiles lie flush."""
_HALF_APART: Final = 1.5
"""A winning tile is named if its centre is this far from the nearest one, in tile widths: half a tile of space."""
_SIDE_DEG: Final = 25
"""The camera angle beside the owner of the hand from which the camera sees the hand from the side."""
_JITTER: Final = 0.03
"""The standard deviation of position and size of a shaken box, in its side lengths."""
_HAND: Final = ("concealed", "winning", "meld", "bonus")


@dataclass(frozen=True, slots=True)
class Structure:
    """The facts of a hand that a layout can show; all of them sorted."""

    concealed: tuple[str, ...]
    melds: tuple[tuple[str, ...], ...]
    bonus: tuple[str, ...]
    winning: str | None


@dataclass(frozen=True, slots=True)
class SceneOutcome:
    """The result of one scene."""

    index: int  # the number of the scene
    tags: tuple[str, ...]  # the kinds of arrangement in the scene
    right: frozenset[str]  # the ways that gave the exact structure
    asked: frozenset[str]  # the ways that were tried
    # the number of tiles of the hand with a wrong name, for each way with corrupted candidates
    wrong: Mapping[str, int]
    doubtful: Mapping[str, int]  # the number of these tiles that were among the doubts
    doubts: int  # the number of doubts about tiles in the reading of true boxes
    seconds: float  # the time of the reading of true boxes


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.layout", description=__doc__)
    parser.add_argument("--count", type=int, default=1000, help="number of scenes")
    parser.add_argument("--seed", type=int, default=900_000, help="seed of the scenes")
    parser.add_argument("--workers", type=int, default=2, help="number of processes")
    parser.add_argument("--wrong", default="", metavar="WAY", help="list the scenes that this way reads wrongly")
    options = parser.parse_args(arguments)
    outcomes = measure(options.count, options.seed, options.workers)
    show_report(outcomes)
    if options.wrong:
        lost = [o for o in outcomes if options.wrong in o.asked - o.right]
        print("\n".join(f"{outcome.index}: {', '.join(outcome.tags)}" for outcome in lost))


def measure(count: int, seed: int, workers: int = 2) -> list[SceneOutcome]:
    """The results of `count` scenes."""
    results = work_in_order(partial(read_scene, seed), range(count), Pool(workers), batch_size=10)
    return [outcome for _, outcome in results]


def layout_figures(count: int = 1000, seed: int = 900_000) -> list[Figure]:
    """The figures of reading hands from boxes."""
    outcomes = measure(count, seed)
    won = [outcome for outcome in outcomes if "win" in outcome.asked]
    wrong, doubtful = (sum(getattr(o, kind).get("win", 0) for o in outcomes) for kind in ("wrong", "doubtful"))
    sure = [outcome.doubts for outcome in outcomes if "boxes" in outcome.right]
    return [
        Figure(f"structure exact, {count} scenes", _rate(outcomes, "boxes")),
        Figure(f"exact hands, {len(won)} wins with 10 % wrong names, no rules", _rate(won, "names")),
        Figure(f"exact hands, {len(won)} wins with 10 % wrong names, rules", _rate(won, "rules")),
        Figure(f"exact hands, {len(won)} wins with 10 % wrong names, rules, known win", _rate(won, "win")),
        at_least("share of the wrong tiles among the doubts", doubtful / max(1, wrong), 0.9),
        at_most("doubts about tiles in an exact reading", float(np.mean(sure or [0])), 0.3),
        at_most("14 tiles with five equally likely names each, slowest of 60, ms", solver_ms(), 15),
    ]


def solver_ms(count: int = 60, seed: int = 0) -> float:
    """The longest CPU time, in ms, of the likeliest complete hands of 14 tiles with five equally likely names each.

    The best of three times counts for each hand, because other work may slow the machine.
    """
    rng, slowest = np.random.default_rng(seed), 0.0
    for _ in range(count):
        names = [rng.choice(len(PLAYING_TILES), 5, replace=False) for _ in range(14)]
        hand = [
            Detection(Box(0, 0, 30, 40), 1.0, tuple(Candidate(PLAYING_TILES[name], 0.2) for name in five))
            for five in names
        ]
        times = []
        for _ in range(3):
            start = time.process_time()
            likeliest(hand, concealed=range(14))
            times.append(time.process_time() - start)
        slowest = max(slowest, min(times))
    return 1000 * slowest


def _rate(outcomes: Sequence[SceneOutcome], way: str) -> float:
    return sum(way in outcome.right for outcome in outcomes) / max(1, len(outcomes))


def show_report(outcomes: Sequence[SceneOutcome]) -> None:
    """Print a table by kind of arrangement, then the figures."""
    ways = ("boxes", "shaken", "names", "rules", "win")
    print(f"{'arrangement':<28} {'scenes':>6}  " + "  ".join(f"{way:>6}" for way in ways))
    tags = Counter(tag for outcome in outcomes for tag in outcome.tags)
    for tag, _ in sorted(tags.items(), key=lambda item: (item[0] != "all", item[0])):
        chosen = [outcome for outcome in outcomes if tag in outcome.tags]
        cells = "  ".join(f"{_share(chosen, way):>6}" for way in ways)
        print(f"{tag:<28} {len(chosen):>6}  {cells}")
    for way in ("rules", "win"):
        wrong, doubtful = (sum(getattr(o, kind).get(way, 0) for o in outcomes) for kind in ("wrong", "doubtful"))
        print(
            f"wrong names with corrupted candidates ({way}): {wrong}, among the doubts {doubtful / max(1, wrong):.3f}"
        )
    sure = [outcome.doubts for outcome in outcomes if "boxes" in outcome.right]
    times = sorted(1000 * outcome.seconds for outcome in outcomes)
    print(f"doubts about tiles in exact readings: {np.mean(sure or [0]):.3f}")
    print(f"milliseconds for 14 tiles with five equally likely names each, slowest of 60: {solver_ms():.1f}")
    print(f"milliseconds a reading: median {times[len(times) // 2]:.1f}, 99 % {times[len(times) * 99 // 100]:.1f}")


def _share(outcomes: Iterable[SceneOutcome], way: str) -> str:
    asked = [outcome for outcome in outcomes if way in outcome.asked]
    return f"{sum(way in o.right for o in asked) / len(asked):.3f}" if asked else "-"


def whole_scene(seed: int, index: int) -> LaidScene:
    """Scene number `index`; it shows a whole hand."""
    make = game_scene if (index % 100) < 100 * _GAMES else hand_scene
    for attempt in range(1000):
        scene = lay_scene(seed + attempt, index, scene=make)
        if scene.whole:
            return scene
    msg = f"scene {index} of seed {seed} shows no whole hand"
    raise ValueError(msg)


def read_scene(seed: int, index: int) -> SceneOutcome:
    """Read one scene in every way and compare with its record."""
    scene = whole_scene(seed, index)
    rng = np.random.default_rng([seed, index, 1])
    truths = accepted(scene)
    plain = [Detection(Box(*seen.box_xyxy), 1.0, (Candidate(Tile.parse(seen.tile), 0.97),)) for seen in scene.tiles]
    start = time.perf_counter()
    first = Reading.of(plain, size_wh=scene.size_wh)
    seconds = time.perf_counter() - start
    confused = corrupted(rng, plain)
    named = [found.named(found.tile) for found in confused]
    wins = completes([Tile.parse(tile) for tile in truths[0].concealed], len(truths[0].melds))
    readings = {
        "boxes": first,
        "shaken": Reading.of(shaken(rng, plain), size_wh=scene.size_wh),
        "names": Reading.of(named, size_wh=scene.size_wh),
        "rules": Reading.of(confused, size_wh=scene.size_wh),
    }
    if wins:
        readings["win"] = Reading.of(confused, size_wh=scene.size_wh, is_win=True)
    right = frozenset(way for way, reading in readings.items() if structure(reading) in truths)
    mistakes: dict[str, set[int | None]] = {
        way: _mistakes(readings[way], plain) for way in ("rules", "win") if way in readings
    }
    asked = {way: {doubt.detection for doubt in readings[way].doubts} for way in mistakes}
    wrong = {way: len(found) for way, found in mistakes.items()}
    doubtful = {way: len(found & asked[way]) for way, found in mistakes.items()}
    doubts = sum(doubt.detection is not None for doubt in first.doubts)
    return SceneOutcome(index, tags_of(scene), right, frozenset(readings), wrong, doubtful, doubts, seconds)


def _mistakes(reading: Reading, plain: Sequence[Detection]) -> set[int | None]:
    """The indices of the tiles of the hand that have a wrong name."""
    return {index for index in reading.layout.order if reading.detections[index].tile != plain[index].tile}


def structure(reading: Reading) -> Structure | None:
    """The structure of the reading."""
    names = [str(detection.tile) for detection in reading.detections]
    melds = []
    for place in reading.layout.melds:
        try:
            data = reading.meld(place).to_json()
        except ValueError:
            data = {"kind": "kong", "tiles": "", "concealed": place.concealed, "called": None, "from": None}
        melds.append(tuple(str(data[key]) for key in ("kind", "tiles", "concealed", "called", "from")))
    return Structure(
        tuple(sorted(names[index] for index in reading.concealed)),
        tuple(sorted(melds)),
        tuple(sorted(names[index] for index in reading.indices(Role.BONUS))),
        None if reading.winning is None else names[reading.winning],
    )


def shaken(rng: np.random.Generator, plain: Sequence[Detection]) -> list[Detection]:
    """The detections with slightly moved and resized boxes."""
    found = []
    for detection in plain:
        box = detection.box
        dx, dy = rng.normal(0, _JITTER, 2) * (box.width, box.height)
        grow = 1 + rng.normal(0, _JITTER, 2)
        half = np.array([box.width, box.height]) / 2 * grow
        x, y = box.center
        moved = Box(x + dx - half[0], y + dy - half[1], x + dx + half[0], y + dy + half[1])
        found.append(replace(detection, box=moved))
    return found


def accepted(scene: LaidScene) -> tuple[Structure, ...]:
    """The structures that agree with the record and the visible table, the likeliest first."""
    if scene.hand is None:
        return ()
    concealed = [s.tile for s in scene.tiles if s.role in ("concealed", "winning")]
    declared, plain = [], []
    hand = scene.hand.to_hand()
    for spec, meld, group in zip(scene.hand.melds, hand.melds, _meld_groups(scene), strict=True):
        data = meld.to_json()
        if meld.concealed:
            data["tiles"] = _shown([s.tile for s in scene.tiles if s.role == "meld" and s.group == group])
        shown = tuple(str(data[key]) for key in ("kind", "tiles", "concealed", "called", "from"))
        if meld.kind is not MeldKind.KONG and meld.called is None:
            plain.append((spec.tiles, shown))
        else:
            declared.append(shown)
    bonus = tuple(sorted(s.tile for s in scene.tiles if s.role == "bonus"))
    return tuple(
        Structure(
            tuple(
                sorted([*concealed, *(tile for at, (tiles, _) in enumerate(plain) if at not in some for tile in tiles)])
            ),
            tuple(sorted([*declared, *(shown for at, (_, shown) in enumerate(plain) if at in some)])),
            bonus,
            winning,
        )
        for count in range(len(plain) + 1)
        for some in combinations(range(len(plain)), count)
        for winning in _winning(scene)
    )


def _shown(tiles: Sequence[str]) -> str:
    """The visible name of a concealed kong; a face-down red five is invisible."""
    faces = [Tile.parse(tile) for tile in tiles if tile != str(BACK)]
    return format_tiles(sorted([*faces, *[faces[0].plain] * (len(tiles) - len(faces))])) if faces else ""


def _meld_groups(scene: LaidScene) -> list[int]:
    """The group numbers of the melds, in the order of the record."""
    return list(dict.fromkeys(p.group for p in scene.placements if p.role == "meld"))


def _winning(scene: LaidScene) -> tuple[str | None, ...]:
    """The names of the accepted winning tiles; None where naming none is right.

    The table shows a winning tile that is turned or lies half a tile apart. Any other winning tile may be called so or
    not, and so may each tile that lies alone at the end of its row.
    """
    rows, ends = ([p for p in scene.placements if p.role == role] for role in ("concealed", "winning"))
    for placed in ends:
        if placed.turned or _nearest(placed, rows) >= _HALF_APART:
            return (placed.tile,)
    last = {round(placed.centre[1]): placed for placed in sorted(rows, key=lambda one: one.centre[0])}
    alone = [placed for placed in last.values() if _nearest(placed, [*rows, *ends]) > _FLUSH]
    return (None, *(placed.tile for placed in (*ends, *alone)))


def _nearest(placed: Placement, others: Iterable[Placement]) -> float:
    """The distance from a tile to the nearest other one, in tile widths; infinite without others."""
    return min((_apart(placed, other) for other in others if other is not placed), default=float("inf"))


def _apart(first: Placement, second: Placement) -> float:
    return float(np.hypot(first.centre[0] - second.centre[0], first.centre[1] - second.centre[1]))


def tags_of(scene: LaidScene) -> tuple[str, ...]:
    """The kinds of arrangement in the scene."""
    roles = {role: [p for p in scene.placements if p.role == role] for role in (*_HAND, "other", "dora_indicator")}
    row, melds, winning = roles["concealed"], roles["meld"], roles["winning"]
    tags = ["all", scene.name.removesuffix("_scene"), f"photo turned {90 * scene.quarters:3d}"]
    tags.append("seen from the side" if abs(scene.azimuth_deg) > _SIDE_DEG else "seen from the owner")
    if roles["other"]:
        tags.append("other tiles around")
    if row and row[0].pose == "standing":
        tags.append("standing")
    if len({round(p.centre[1]) for p in row}) > 1 and max(p.centre[1] for p in row) - min(p.centre[1] for p in row) > 1:
        tags.append("two rows")
    if max((_apart(a, b) for a, b in pairwise(row)), default=0) > _FLUSH:
        tags.append("row with gaps")
    tags.append(f"melds: {len({p.group for p in melds})}")
    for group in {p.group for p in melds}:
        inside = [p for p in melds if p.group == group]
        backs = [p.pose == "down" for p in inside]
        if any(backs):
            tags.append("concealed kong " + "".join("#" if back else "o" for back in backs))
        elif len(inside) == 4 and any(p.turned for p in inside):
            tags.append("added kong" if sum(p.turned for p in inside) > 1 else "claimed kong")
    if melds and min(p.centre[1] for p in melds) > max(p.centre[1] for p in row) + 1:
        tags.append("melds in front")
    if winning:
        flush = min((_apart(winning[0], p) for p in row), default=9) < _FLUSH
        tags.append("winning " + ("turned" if winning[0].turned else "flush" if flush else "apart"))
    tags += ["bonus"] * bool(roles["bonus"]) + ["dora indicator"] * bool(roles["dora_indicator"])
    return tuple(dict.fromkeys(tags))


if __name__ == "__main__":
    main()
