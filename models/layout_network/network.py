"""Train a network for the part of each tile of a photo with torch (extra `train`), and ask it.

The network is a set transformer: attention between the tiles of one photo, guided by numbers of each pair of tiles. It
learns from simulated tables first, and then from these and from photos whose roles people judged.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from tilescore.models.layout_network.hypotheses import BONUS, CONCEALED, MELD, OTHER, WINNING
from tilescore.models.layout_network.tokens import PAIR_NUMBERS, PARTS, TILE_NUMBERS, Tokens, tokens_of
from tilescore.models.training.trainer import Schedule, Training, averaged, hash_of
from tilescore.vision.image.boxes import Box
from tilescore.vision.inference.session import load_onnxruntime
from tilescore.vision.layout.scene import Scene

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from tilescore.datasets.layouts.judged import JudgedPhoto

_WIDTH, _LAYERS, _HEADS, _HIDDEN, _PAIR = 64, 4, 4, 128, 24
"""Numbers a tile, layers, heads, numbers inside a layer, numbers a pair. Chosen."""
_MEETING: Final = 16
_WEIGHTS: Final = (1.0, 1.0, 1.5, 1.2, 1.2)
"""How much each part counts in the loss: the rare ones a little more. Chosen."""
_UNKNOWN: Final = -1
_HINTED: Final = 0.3
"""The share of photos of which the network sees some parts, as if a person had fixed them. Chosen."""
_HINTS: Final = (0.03, 0.1, 0.3)
"""The share of the tiles that it then sees the part of. Chosen."""
_FAR: Final = 1e4
_ROUND: Final = 8
"""Batches that are drawn together and then parted by the number of tiles, which saves most of the padding."""
_MOST_TILES: Final = 120
"""Photos with more tiles are left out of the training: they would take most of its time. Chosen."""
_REAL: Final = 0.5
"""The share of judged photos in a batch of the second phase. Chosen."""
PHASES: Final = (
    Schedule(steps=6500, rate=2.5e-3, batch=32, warmup=650),
    Schedule(steps=1500, rate=8e-4, batch=24, warmup=150),
)
"""Simulated tables alone, then with judged photos."""


@dataclass(frozen=True, eq=False)
class Lesson:
    """One photo to learn from.

    Attributes:
        photo: the photo with the truth.
        scene: its tiles.
        parts: the true part (N,) of each tile; -1 where it is unknown.
        sets: the number (N,) of the declared set of each tile; -1 outside such sets.
        weight: how often it is drawn.
    """

    photo: JudgedPhoto
    scene: Scene
    parts: NDArray[np.int64]
    sets: NDArray[np.int64]
    weight: float = 1.0

    @cached_property
    def tokens(self) -> Tokens:
        """The inputs of the network without hints; they are used many times, so that pairs have half the precision."""
        tokens = tokens_of(self.scene)
        return Tokens(tokens.tiles, tokens.pairs.astype(np.float16))


def lesson_of(photo: JudgedPhoto) -> Lesson | None:
    """The lesson of a judged photo; None if it has fewer than two tiles or too many."""
    if not 1 < len(photo.detections) <= _MOST_TILES:
        return None
    parts = np.full(len(photo.detections), OTHER, np.int64)
    sets = np.full(len(photo.detections), _UNKNOWN, np.int64)
    parts[sorted(photo.concealed)] = CONCEALED
    parts[sorted(photo.bonus)] = BONUS
    if photo.winning is not None:
        parts[photo.winning] = WINNING
    for number, members in enumerate([*photo.melds, *photo.optional]):
        parts[sorted(members)] = MELD if members in photo.melds else _UNKNOWN
        sets[sorted(members)] = number
    return Lesson(photo, Scene.of(photo.detections, photo.size_wh), parts, sets)


def weighed(lessons: Sequence[Lesson]) -> list[Lesson]:
    """The lessons, each source and each scene drawn as often as the root of the number of its photos."""
    sources = [lesson.photo.source for lesson in lessons]
    scenes = [lesson.photo.scene for lesson in lessons]
    return [
        replace(lesson, weight=(sources.count(lesson.photo.source) * scenes.count(lesson.photo.scene)) ** -0.5)
        for lesson in lessons
    ]


def build_network() -> Any:
    """The network: tiles (B, N, 25), pairs (B, N, N, 14), mask (B, N) to parts (B, N, 5), together (B, N, N), none (B).

    About 167,000 weights.
    """
    import torch
    from torch import nn

    class Layer(nn.Module):  # type: ignore[misc]  # torch is not installed where types are checked
        """Attention between tiles, biased by their pairs, which it also hands on; then a small perceptron."""

        def __init__(self) -> None:
            super().__init__()
            self.before, self.after = nn.LayerNorm(_WIDTH), nn.LayerNorm(_WIDTH)
            self.ask, self.bias = nn.Linear(_WIDTH, 3 * _WIDTH), nn.Linear(_PAIR, _HEADS)
            self.tell, self.pairs = nn.Linear(_WIDTH, _WIDTH), nn.Linear(_HEADS * _PAIR, _WIDTH)
            self.think = nn.Sequential(nn.Linear(_WIDTH, _HIDDEN), nn.GELU(), nn.Linear(_HIDDEN, _WIDTH))

        def forward(self, x: Any, pairs: Any, hidden: Any) -> Any:
            count = x.shape[1]
            asked = self.ask(self.before(x)).view(-1, count, 3, _HEADS, _WIDTH // _HEADS)
            query, key, value = asked.unbind(2)
            scores = torch.einsum("bihd,bjhd->bhij", query, key) / math.sqrt(_WIDTH // _HEADS)
            shares = (scores + self.bias(pairs).permute(0, 3, 1, 2) + hidden).softmax(-1)
            heard = torch.einsum("bhij,bjhd->bihd", shares, value).reshape(-1, count, _WIDTH)
            around = torch.einsum("bhij,bijc->bihc", shares, pairs).reshape(-1, count, _HEADS * _PAIR)
            x = x + self.tell(heard) + self.pairs(around)
            return x + self.think(self.after(x))

    class Network(nn.Module):  # type: ignore[misc]
        """Layers over the tiles of one photo."""

        def __init__(self) -> None:
            super().__init__()
            self.enter = nn.Linear(TILE_NUMBERS, _WIDTH)
            self.pair = nn.Sequential(nn.Linear(PAIR_NUMBERS, _PAIR), nn.GELU(), nn.Linear(_PAIR, _PAIR), nn.GELU())
            self.layers = nn.ModuleList([Layer() for _ in range(_LAYERS)])
            self.last = nn.LayerNorm(_WIDTH)
            self.part, self.meet, self.same = (
                nn.Linear(_WIDTH, len(PARTS)), nn.Linear(_WIDTH, _MEETING), nn.Linear(_PAIR, 1),
            )  # fmt: skip
            self.none = nn.Sequential(nn.Linear(2 * _WIDTH, 32), nn.GELU(), nn.Linear(32, 1))

        def forward(self, tiles: Any, pairs: Any, mask: Any) -> Any:
            shown = mask[..., None].float()
            x, pairs = self.enter(tiles), self.pair(pairs)
            for layer in self.layers:
                x = layer(x, pairs, (mask.float()[:, None, None] - 1) * _FAR)
            x = self.last(x)
            mean, most = (x * shown).sum(1) / shown.sum(1), (x + (shown - 1) * _FAR).max(1).values
            met = self.meet(x)
            together = torch.einsum("bid,bjd->bij", met, met) / math.sqrt(_MEETING)
            together = together + self.same(pairs + pairs.transpose(1, 2))[..., 0]
            return self.part(x), together, self.none(torch.cat([mean, most], 1))[:, 0]

    return Network()


def train_layout(
    tables: Sequence[Lesson], judged: Sequence[Lesson], out: Path, *, phases: Sequence[Schedule] = PHASES
) -> Path:
    """Train the network; a second run resumes from the checkpoints.

    Args:
        tables: simulated tables.
        judged: photos that people judged.
        out: checkpoint file (.pt) of the second phase; that of the first phase lies beside it and depends on the tables
            alone, so that several trainings share it.
        phases: how long and how fast each phase is trained.
    """
    first, second = phases
    before = out.with_name("layout-tables.pt")
    _train(build_network, tables, [], before, first)
    _train(lambda: averaged(build_network(), before), tables, weighed(judged), out, second)
    return out


def _train(begin: Any, tables: Sequence[Lesson], judged: Sequence[Lesson], out: Path, schedule: Schedule) -> None:
    import torch

    shares = np.array([lesson.weight for lesson in judged])
    queue: dict[int, list[Any]] = {}

    def drawn(start: int) -> list[Any]:
        """The batches of some steps, each of photos with about as many tiles; they depend on the steps alone."""
        rng = np.random.default_rng((schedule.seed, start, 1))
        real = round(schedule.batch * _ROUND * _REAL) if judged else 0
        pool = [tables[at] for at in rng.choice(len(tables), schedule.batch * _ROUND - real).tolist()]
        chosen = rng.choice(len(judged), real, p=shares / shares.sum()).tolist() if real else []
        pool += [varied(judged[at], rng) for at in chosen]
        pool.sort(key=lambda lesson: len(lesson.parts))
        parts = [pool[at : at + schedule.batch] for at in range(0, len(pool), schedule.batch)]
        return [_batch(parts[at], rng) for at in rng.permutation(len(parts)).tolist()]

    def loss_of(network: Any, rng: np.random.Generator) -> Any:
        del rng  # batches of several steps are drawn together
        start, place = training.step // _ROUND, training.step % _ROUND
        if start not in queue:
            queue.clear()
            queue[start] = drawn(start)
        tiles, pairs, mask, *truths = (torch.from_numpy(part) for part in queue[start][place])
        return _loss(network(tiles, pairs, mask), *truths)

    names = np.array([ord(letter) for lesson in chain(tables, judged) for letter in lesson.photo.name])
    counts = np.array([len(lesson.parts) for lesson in chain(tables, judged)])
    training = Training(begin, schedule, data_hash=hash_of(names, counts))
    training.run(loss_of, checkpoint=out)


def _batch(lessons: Sequence[Lesson], rng: np.random.Generator) -> tuple[NDArray[Any], ...]:
    """Inputs and truths of some photos, padded to the largest."""
    most, count = max(len(lesson.parts) for lesson in lessons), len(lessons)
    tiles = np.zeros((count, most, TILE_NUMBERS), np.float32)
    pairs = np.zeros((count, most, most, PAIR_NUMBERS), np.float32)
    mask = np.zeros((count, most), bool)
    parts, sets = (np.full((count, most), _UNKNOWN, np.int64) for _ in range(2))
    for at, lesson in enumerate(lessons):
        size = len(lesson.parts)
        tiles[at, :size], pairs[at, :size, :size], mask[at, :size] = lesson.tokens.tiles, lesson.tokens.pairs, True
        for place, part in _hints(lesson, rng):
            tiles[at, place, part - len(PARTS)] = 1.0
        parts[at, :size], sets[at, :size] = lesson.parts, lesson.sets
    none = np.array([lesson.photo.kind == "no_hand" for lesson in lessons], np.float32)
    return tiles, pairs, mask, parts, sets, none


def _hints(lesson: Lesson, rng: np.random.Generator) -> Iterator[tuple[int, int]]:
    """Some tiles and their parts, as if a person had fixed them."""
    if rng.random() < _HINTED:
        seen = (rng.random(len(lesson.parts)) < rng.choice(_HINTS)) & (lesson.parts >= 0)
        yield from ((at, int(lesson.parts[at])) for at in np.flatnonzero(seen).tolist())


def _loss(outputs: Any, parts: Any, sets: Any, none: Any) -> Any:
    """The loss: mean and sum over the tiles of the parts, over the pairs of declared tiles, and of no hand."""
    import torch
    from torch.nn import functional

    found, together, no_hand = outputs
    known = parts >= 0
    weight = torch.tensor(_WEIGHTS)
    wrong = functional.cross_entropy(found.transpose(1, 2), parts.clamp(min=0), weight=weight, reduction="none") * known
    of_parts = 2 * wrong.sum(1) / known.sum(1).clamp(min=1) + 0.06 * wrong.sum(1)
    both = (sets[:, :, None] >= 0) & (sets[:, None] >= 0) & ~torch.eye(sets.shape[1], dtype=torch.bool)[None]
    same = (sets[:, :, None] == sets[:, None]).float()
    of_pairs = functional.binary_cross_entropy_with_logits(together, same, reduction="none") * both
    of_pairs = of_pairs.sum((1, 2)) / both.sum((1, 2)).clamp(min=1)
    of_none = functional.binary_cross_entropy_with_logits(no_hand, none, reduction="none")
    return (of_parts + of_pairs / 2 + of_none / 2).mean()


def varied(lesson: Lesson, rng: np.random.Generator) -> Lesson:
    """The photo as it may be as well: mirrored, seldom turned, boxes shaken, suits exchanged, tiles missed."""
    photo, (width, height) = lesson.photo, lesson.photo.size_wh
    xyxy = np.array([seen.box.xyxy for seen in photo.detections])
    if rng.random() < 0.5:
        xyxy[:, [0, 2]] = width - xyxy[:, [2, 0]]
    if rng.random() < 0.06:
        xyxy, (width, height) = xyxy[:, [1, 2, 3, 0]], (height, width)
        xyxy[:, [1, 3]] = height - xyxy[:, [1, 3]]
    sides = np.tile(xyxy[:, 2:] - xyxy[:, :2], 2)
    stretch = float(np.exp(rng.normal(0, 0.1)))
    xyxy = (xyxy + sides * rng.normal(0, 0.015, xyxy.shape)) * (stretch, 1.0, stretch, 1.0)
    suits = dict(zip("mps", rng.permutation(list("mps")).tolist(), strict=True)) if rng.random() < 0.6 else {}
    kept = rng.random(len(xyxy)) >= 0.02 if rng.random() < 0.25 and len(xyxy) > 4 else np.ones(len(xyxy), bool)
    if kept.sum() < 2:
        kept[:] = True
    detections = [
        replace(
            seen,
            box=Box(*box),
            names=tuple(
                replace(name, tile=replace(name.tile, suit=suits.get(name.tile.suit, name.tile.suit)))
                for name in seen.names
            ),
        )
        for seen, box, stays in zip(photo.detections, xyxy.tolist(), kept.tolist(), strict=True)
        if stays
    ]
    scene = Scene.of(detections, (round(width * stretch), height))
    return replace(lesson, scene=scene, parts=lesson.parts[kept], sets=lesson.sets[kept])


def export_layout(checkpoint: Path, out: Path) -> float:
    """Write the ONNX file, which reads one photo; returns the largest difference to torch."""
    import torch
    from torch import nn

    class OnePhoto(nn.Module):  # type: ignore[misc]
        """The network without a batch and without a mask; its parts are probabilities."""

        def __init__(self, network: Any) -> None:
            super().__init__()
            self.network = network

        def forward(self, tiles: Any, pairs: Any) -> Any:
            mask = torch.ones(1, tiles.shape[0], dtype=torch.bool)
            parts, together, none = self.network(tiles[None], pairs[None], mask)
            return parts[0].softmax(-1), together[0], none

    network = OnePhoto(averaged(build_network(), checkpoint)).eval()
    generator = torch.Generator().manual_seed(0)
    sample = tuple(torch.rand(*shape, generator=generator) for shape in ((9, TILE_NUMBERS), (9, 9, PAIR_NUMBERS)))
    torch.onnx.export(
        network, sample, str(out), input_names=["tiles", "pairs"], output_names=["parts", "together", "no_hand"],
        dynamic_axes={"tiles": {0: "n"}, "pairs": {0: "n", 1: "n"}, "parts": {0: "n"}, "together": {0: "n", 1: "n"}},
        opset_version=17, dynamo=False,
    )  # fmt: skip
    session = load_onnxruntime().InferenceSession(str(out), providers=["CPUExecutionProvider"])
    got = session.run(None, dict(zip(("tiles", "pairs"), (part.numpy() for part in sample), strict=True)))
    return max(float(np.abs(one - two.detach().numpy()).max()) for one, two in zip(got, network(*sample), strict=True))


class Judgement(NamedTuple):
    """What the network says of N tiles.

    Attributes:
        parts: probabilities (N, 5) of the parts, in the order of `tokens.PARTS`.
        together: log-odds (N, N) that two tiles are one declared set.
        no_hand: log-odds that the photo shows no hand.
    """

    parts: NDArray[np.float64]
    together: NDArray[np.float64]
    no_hand: float


def judge(session: Any, scene: Scene, given: Mapping[int, int] | None = None) -> Judgement:
    """What the network says of a scene with at least one tile.

    Args:
        session: the onnxruntime session of its file.
        scene: all tiles.
        given: parts that a person has fixed, as places in `tokens.PARTS`, by index.
    """
    tokens = tokens_of(scene, given)
    parts, together, no_hand = session.run(None, {"tiles": tokens.tiles, "pairs": tokens.pairs})
    return Judgement(parts.astype(np.float64), together.astype(np.float64), float(no_hand[0]))
