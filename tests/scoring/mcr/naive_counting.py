"""A second, plain implementation of documents 000 and 001 as an oracle, independent of `scoring`.

Tiles are 0-33 (three suits of nine, four winds, three dragons). A hand is a JSON object of the line format.
"""

from itertools import product
from typing import Any

LETTERS = {"m": 0, "p": 9, "s": 18, "z": 27}
ORPHANS = {0, 8, 9, 17, 18, 26, *range(27, 34)}
GREEN = {19, 20, 21, 23, 25, 32}
ADDED = {"classical": (2, 2), "simplified": (4, 2)}


def numbers(text: str) -> list[int]:
    tiles, ranks = [], []
    for sign in text:
        if sign.isdigit():
            ranks.append(int(sign) or 5)
        else:
            tiles += [LETTERS[sign] + rank - 1 for rank in ranks]
            ranks = []
    return tiles


def bonus_of(text: str) -> set[tuple[str, int]]:
    found, ranks = set(), []
    for sign in text:
        if sign.isdigit():
            ranks.append(int(sign))
        else:
            found |= {(sign, rank) for rank in ranks}
            ranks = []
    return found


def splits(tiles: list[int], sets: int) -> list[list[tuple[int, ...]]]:
    """All splits into a pair and that many sets: choose the pair, then remove sets from the highest tile down."""

    def peel(count: list[int], left: int) -> list[list[tuple[int, ...]]]:
        if left == 0:
            return [[]]
        top = max(index for index in range(34) if count[index])
        out = []
        for group in ((top,) * 3, (top - 2, top - 1, top)):
            if group[0] != top and (top >= 27 or top % 9 < 2):
                continue
            less = count[:]
            for tile in group:
                less[tile] -= 1
            if min(less) >= 0:
                out += [[group, *rest] for rest in peel(less, left - 1)]
        return out

    ways = []
    held = [tiles.count(tile) for tile in range(34)]
    for pair in range(34):
        count = held[:]
        count[pair] -= 2
        if count[pair] >= 0 and sum(count) == 3 * sets:
            ways += [[(pair, pair), *rest] for rest in peel(count, sets)]
    return ways


def seven(tiles: list[int]) -> bool:
    counts = {tile: tiles.count(tile) for tile in tiles}
    if len(tiles) != 14 or any(count % 2 for count in counts.values()):
        return False
    suits = {tile // 9 for tile in tiles}
    return (suits == {3} and len(counts) == 7) or (len(suits) == 1 and suits != {3})


def wonders(tiles: list[int]) -> bool:
    return len(tiles) == 14 and set(tiles) == ORPHANS


def complete(tiles: list[int]) -> bool:
    return bool(seven(tiles) or wonders(tiles) or splits(tiles, (len(tiles) - 2) // 3))


def set_points(tile: int, *, four: bool, shown: bool) -> int:
    return (2 if tile not in ORPHANS else 4) * (4 if four else 1) * (1 if shown else 2)


def waits_of(hand: dict[str, Any]) -> set[int]:
    tiles = numbers(hand["concealed"])
    if hand["winning_tile"]:
        tiles.remove(numbers(hand["winning_tile"])[0])
    held = tiles + [tile for meld in hand["melds"] for tile in numbers(meld["tiles"])]
    if len(tiles) % 3 != 1:
        return set()
    return {tile for tile in range(34) if held.count(tile) < 4 and complete([*tiles, tile])}


def naive_total(hand: dict[str, Any], rules: str) -> int | None:
    """The value of a hand with default options; None if it claims a win without having one."""
    melds = [(numbers(meld["tiles"]), not meld["concealed"]) for meld in hand["melds"]]
    tiles = numbers(hand["concealed"])
    if hand["win_by"] is None:
        concealed = [[tile] * 3 for tile in set(tiles) if tiles.count(tile) >= 3]
        pairs = [tile for tile in set(tiles) if tiles.count(tile) == 2]
        groups = [*melds, *((group, False) for group in concealed)]
        return cut(value(hand, rules, groups, pairs, None), rules)
    if not complete(tiles):
        return None
    last = numbers(hand["winning_tile"])[0]
    totals = []
    if seven(tiles) or wonders(tiles):
        totals.append(LIMIT[rules])
    for pair, *sets in splits(tiles, 4 - len(melds)):
        for ended in [pair, *sets]:
            if last in ended:
                thrown = hand["win_by"] == "discard"
                place = sets.index(ended) if ended in sets else None
                groups = melds + [(list(group), thrown and index == place) for index, group in enumerate(sets)]
                if is_limit(hand, rules, groups, pair[0], last):
                    totals.append(LIMIT[rules])
                else:
                    totals.append(cut(value(hand, rules, groups, [pair[0]], ended), rules))
    return max(totals)


LIMIT = {"classical": 2000, "simplified": 500}


def cut(total: int, rules: str) -> int:
    return min(total, LIMIT[rules])


def everything(hand: dict[str, Any]) -> list[int]:
    return numbers(hand["concealed"]) + [tile for meld in hand["melds"] for tile in numbers(meld["tiles"])]


def is_limit(hand: dict[str, Any], rules: str, groups: list[Any], pair: int, last: int) -> bool:
    tiles = set(everything(hand))
    said = hand["occasions"]
    drawn = hand["win_by"] == "self_draw"
    chows = [group for group, _ in groups if group[0] != group[1]]
    heads = [group[0] for group, _ in groups if group[0] == group[1]]
    one_suit = len({tile // 9 for tile in tiles}) == 1 and max(tiles) < 27
    claimed = any(not meld["concealed"] for meld in hand["melds"])
    small = [tile % 9 + 1 for tile in (pair, *heads)]
    first = "first_turn" in said and not hand["melds"] and rules == "classical"
    rest = sorted(tile % 9 + 1 for chow in chows for tile in chow)
    scholars = {31, 32, 33} <= set(heads) and len(heads) == 4
    return any(
        [
            first and hand["seat"] == "E" and drawn,
            first
            and hand["seat"] != "E"
            and not drawn
            and "ready_from_start" in said
            and hand["discarder"] in (None, "E"),
            not chows and one_suit and not claimed and (drawn or rules == "simplified"),
            min(tiles) >= 27,
            not chows and tiles <= ORPHANS and max(tiles) < 27,
            not chows and tiles <= GREEN,
            scholars and pair < 27 and {head // 9 for head in heads if head < 31} == {pair // 9},
            {27, 28, 29, 30} <= set(heads),
            sum(len(group) == 4 for group, _ in groups) == 4,
            rules == "classical"
            and one_suit
            and sorted(small[1:]) == [1, 9]
            and small[0] in (2, 5, 8)
            and rest == [rank for rank in range(2, 9) if rank != small[0]],
            "last_tile" in said and drawn and last == 9,
            "kong_replacement" in said and last == 13,
        ]
    )


def value(hand: dict[str, Any], rules: str, groups: list[Any], pairs: list[int], ended: tuple[int, ...] | None) -> int:
    """Points times doublings of one split; `ended` is None for a losing hand."""
    own, round_wind = 27 + "ESWN".index(hand["seat"]), 27 + "ESWN".index(hand["round"])
    tiles = set(everything(hand))
    pungs = [(group[0], len(group) == 4, shown) for group, shown in groups if group[0] == group[1]]
    laid = sum(set_points(head, four=four, shown=shown) for head, four, shown in pungs)
    laid += sum(2 * ((pair == own) + (pair == round_wind) + (pair >= 31)) for pair in pairs)
    bonus = bonus_of(hand["bonus"])
    points = laid + 4 * len(bonus)
    times = 2 ** sum((head >= 31) + (head == own) + (head == round_wind) for head, _, _ in pungs)
    times *= composition(tiles, 8 if rules == "classical" else 3)
    if rules == "classical":
        times *= 2 ** sum((suit, own - 26) in bonus for suit in "fq")
        times *= 4 ** sum(all((suit, rank) in bonus for rank in range(1, 5)) for suit in "fq")
    else:
        times *= 2 ** sum((suit, rank) in bonus for suit, rank in product("fq", {own - 26, round_wind - 26}))
    if ended is None:
        return int(points * times)
    points += 20 + 2 * (hand["win_by"] == "self_draw") + 2 * only(hand, ended)
    heads = [head for head, _, _ in pungs]
    winds, dragons = [h for h in heads if 27 <= h < 31], [h for h in heads if h >= 31]
    said = set(hand["occasions"])
    times *= 2 ** ((len(heads) == 4) + (laid == 0 and not heads))
    times *= 2 ** len(said & {"kong_replacement", "last_tile", "robbing_kong", "ready_from_start"})
    three, two = ADDED[rules]
    times *= three if len(winds) == 3 and 27 <= pairs[0] < 31 else 1
    times *= two if len(dragons) == 2 and pairs[0] >= 31 else 1
    if rules == "simplified":
        touched = all(set(group) & ORPHANS for group, _ in groups) and pairs[0] in ORPHANS
        kongs = sum(len(group) == 4 for group, _ in groups)
        closed = all(meld["concealed"] for meld in hand["melds"])
        times *= 2 ** (touched + closed + (kongs in (2, 3)) + last_of_its_kind(hand))
    return int(points * times)


def last_of_its_kind(hand: dict[str, Any]) -> bool:
    shown = [tile for meld in hand["melds"] if not meld["concealed"] for tile in numbers(meld["tiles"])]
    return "last_of_its_kind" in hand["occasions"] or shown.count(numbers(hand["winning_tile"])[0]) == 3


def composition(tiles: set[int], pure: int) -> int:
    suits = {tile // 9 for tile in tiles} - {3}
    honors = max(tiles) >= 27
    if not suits:
        return pure
    times = 2 if tiles <= ORPHANS else 1
    if len(suits) == 1:
        times *= 2 if honors else pure
    return times


def only(hand: dict[str, Any], ended: tuple[int, ...]) -> bool:
    if "only_possible_tile" in hand["occasions"]:
        return True
    last = numbers(hand["winning_tile"])[0]
    if waits_of(hand) != {last}:
        return False
    if len(ended) == 2:
        return True
    if ended[0] == ended[1]:
        return False
    rank = last % 9 + 1
    place = sorted(ended).index(last)
    return place == 1 or (place == 2 and rank == 3) or (place == 0 and rank == 7)
