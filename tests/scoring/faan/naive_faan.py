"""The lines of Hong Kong and Taiwan counted a second way: plain tile names, every split by search, rules as conditions.

Nothing of `scoring/faan` or `scoring/shapes` is used. A reading is a list of groups `(kind, tile, concealed)` with the
kinds `chow`, `pung`, `kong` and `pair`, and the place of the group that the winning tile ended.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from tilescore.scoring.context import Occasion

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tilescore.scoring.context import Context
    from tilescore.scoring.hand import Hand

Group = tuple[str, str, bool]
Lines = dict[int, int]
WINDS, DRAGONS = ("1z", "2z", "3z", "4z"), ("5z", "6z", "7z")
ORPHANS = ("1m", "9m", "1p", "9p", "1s", "9s", *WINDS, *DRAGONS)
VALUES = {
    "hongkong": (0, 1, 3, 3, 7, 1, 1, 5, 8, 1, 1, 6, 8, 1, 1, 1, 1, 8, 1, 1, 1, 2, 3, 8, 4, 10, 10, 10, 13, 13, 13,
                 13, 13, 13),
    "taiwan": (1, 2, 1, 1, 3, 1, 1, 1, 1, 2, 1, 1, 2, 1, 1, 1, 1, 2, 2, 5, 8, 4, 4, 8, 16, 4, 8, 8, 16, 4, 8, 8, 8, 8,
               16, 24, 8, 1, 1),
}  # fmt: skip


def counted(name: str, hand: Hand, context: Context, options: Mapping[str, Any]) -> tuple[int, Lines] | None:
    """The sum before the limit, and the lines by number; None for tiles that make no win."""
    values = {number: value for number, value in enumerate(VALUES[name], 1)}  # noqa: C416  (numbers from 1)
    if name == "hongkong":
        values[25] = options["seven_pairs"]
    else:
        values[36] = options["heavenly"]
    bonus = [str(tile) for tile in hand.bonus] if options["flowers"] else []
    facts = _facts(hand, context)
    if options["flowers"] and context.has(Occasion.FLOWER_WIN):
        found = [_by_flowers(name, bonus, facts)]
    else:
        one = _hongkong if name == "hongkong" else _taiwan
        sets = 4 if name == "hongkong" else 5
        found = [one(reading, bonus, facts, options) for reading in _readings(hand, sets, context, options)]
    sums = [(sum(values[number] * count for number, count in lines.items()), -len(lines), lines) for lines in found]
    best = max(sums, key=lambda entry: entry[:2], default=None)
    return None if best is None else (best[0], best[2])


def _facts(hand: Hand, context: Context) -> dict[str, Any]:
    tiles = [str(tile.plain) for tile in hand.tiles]
    return {
        "won": str(hand.winning_tile.plain) if hand.winning_tile is not None else "",
        "tiles": tiles,
        "suits": {tile[1] for tile in tiles if tile[1] != "z"},
        "honors": any(tile[1] == "z" for tile in tiles),
        "melds": len(hand.melds),
        "claimed": sum(not meld.concealed for meld in hand.melds),
        "kongs": sum(len(meld.tiles) == 4 for meld in hand.melds),
        "drawn": context.self_drawn,
        "seat": str(context.seat),
        "round": str(context.round),
        "by": "" if context.discarder is None else str(context.discarder),
        "dealer": str(context.dealer),
        "repeats": context.dealer_repeats,
        "occasions": set(context.occasions.names),
    }


def _by_flowers(name: str, bonus: list[str], facts: dict[str, Any]) -> Lines:
    if name == "hongkong":
        return {23: 1} if len(bonus) == 7 else {24: 1}
    lines = {33: 1} if facts["drawn"] else {32: 1}
    return lines | _of_dealer(facts)


def _of_dealer(facts: dict[str, Any]) -> Lines:
    if facts["dealer"] not in (facts["seat"], facts["by"]):
        return {}
    return {1: 1} | ({2: facts["repeats"]} if facts["repeats"] else {})


def _readings(
    hand: Hand, sets: int, context: Context, options: Mapping[str, Any]
) -> Iterator[tuple[str, list[Group], int, list[str]]]:
    """Form, groups with melds last, the place of the winning tile, and the kinds that could have completed the hand."""
    concealed = sorted(str(tile.plain) for tile in hand.concealed)
    won = str(hand.winning_tile.plain)  # type: ignore[union-attr]  # only hands that name it
    melds: list[Group] = [(str(meld.kind), str(meld.tiles[0].plain), meld.concealed) for meld in hand.melds]
    melds = [(kind, min(str(tile.plain) for tile in meld.tiles), shut)
             for (kind, _, shut), meld in zip(melds, hand.melds, strict=True)]  # fmt: skip
    rest = list(concealed)
    rest.remove(won)
    held = Counter([*rest, *(str(tile.plain) for meld in hand.melds for tile in meld.tiles)])
    kinds = [f"{rank}{suit}" for suit in "mpsz" for rank in range(1, 10 if suit != "z" else 8)]
    waits = [
        kind for kind in kinds
        if held[kind] < 4 and any(_forms(sorted([*rest, kind]), sets - len(melds), sets, options))
    ]  # fmt: skip
    for form, groups in _forms(concealed, sets - len(melds), sets, options):
        for place, (kind, tile, _) in enumerate(groups):
            if won in _members(kind, tile) or form == "orphans":
                opened = [
                    (k, t, shut and (context.self_drawn or at != place)) for at, (k, t, shut) in enumerate(groups)
                ]
                yield form, [*opened, *melds], place, waits


def _members(kind: str, tile: str) -> list[str]:
    if kind == "chow":
        return [f"{int(tile[0]) + step}{tile[1]}" for step in range(3)]
    return [tile]


def _forms(tiles: list[str], missing: int, sets: int, options: Mapping[str, Any]) -> Iterator[tuple[str, list[Group]]]:
    counts = Counter(tiles)
    if missing == sets == 4:
        if set(counts) == set(ORPHANS) and len(tiles) == 14:
            yield "orphans", [("pair", next(tile for tile in counts if counts[tile] == 2), True)]
        if options["seven_pairs"] and len(tiles) == 14 and all(count in (2, 4) for count in counts.values()):
            yield "pairs", [("pair", tile, True) for tile in tiles[::2]]
    if missing == sets == 5 and options["li_gu"] and len(tiles) == 17:
        odd = [tile for tile, count in counts.items() if count % 2]
        if len(odd) == 1 and counts[odd[0]] == 3:
            pairs = sorted((counts - Counter(odd * 3)).elements())[::2]
            yield "li_gu", [("pung", odd[0], True), *[("pair", tile, True) for tile in pairs]]
    for groups in _split(tuple(tiles)):
        if len(groups) == missing + 1 and sum(kind == "pair" for kind, _, _ in groups) == 1:
            yield "sets", groups


def _split(tiles: tuple[str, ...]) -> Iterator[list[Group]]:
    """Every way to take the lowest tile in a pung, a pair or a chow, and so on with the rest."""
    if not tiles:
        yield []
        return
    low = min(tiles, key=lambda tile: (tile[1], tile[0]))
    for kind, members in (("pung", [low] * 3), ("pair", [low] * 2), ("chow", _members("chow", low))):
        if kind == "chow" and (low[1] == "z" or int(low[0]) > 7):
            continue
        rest = Counter(tiles)
        rest.subtract(members)
        if min(rest.values()) >= 0:
            for groups in _split(tuple(rest.elements())):
                if kind != "pair" or all(other != "pair" for other, _, _ in groups):
                    yield [(kind, low, True), *groups]


def _shapes(groups: list[Group], form: str) -> tuple[list[str], list[str], str, int]:
    """Tiles of the pungs, tiles of the chows, the pair, and the number of concealed pungs."""
    pungs = [tile for kind, tile, _ in groups if kind in ("pung", "kong")]
    chows = [tile for kind, tile, _ in groups if kind == "chow"]
    pair = next((tile for kind, tile, _ in groups if kind == "pair"), "") if form == "sets" else ""
    return pungs, chows, pair, sum(kind in ("pung", "kong") and shut for kind, _, shut in groups)


def _flowers(bonus: list[str], seat: str) -> tuple[int, int, int, int]:
    """Complete sets, tiles outside them, own tiles outside them, own tiles in them."""
    own = str("ESWN".index(seat) + 1)
    full = [suit for suit in "fq" if sum(tile[1] == suit for tile in bonus) == 4]
    loose = [tile for tile in bonus if tile[1] not in full]
    mine = sum(tile[0] == own for tile in loose)
    return len(full), len(loose), mine, sum(tile[0] == own for tile in bonus) - mine


def _hongkong(reading: Any, bonus: list[str], facts: dict[str, Any], options: Mapping[str, Any]) -> Lines:
    form, groups, _, _ = reading
    pungs, chows, pair, shut = _shapes(groups, form)
    tiles, occasions, drawn = facts["tiles"], facts["occasions"], facts["drawn"]
    winds, dragons = [tile for tile in pungs if tile in WINDS], [tile for tile in pungs if tile in DRAGONS]
    lines: Lines = {}
    all_pungs = form == "sets" and len(pungs) == 4
    outer = all(tile[1] == "z" or tile[0] in "19" for tile in tiles)
    if shut == 4:
        lines[13] = 1
    elif all_pungs:
        lines[3] = 1
    lines[2] = len(chows) == 4
    lines[4] = len(facts["suits"]) == 1 and facts["honors"]
    lines[5] = len(facts["suits"]) == 1 and not facts["honors"]
    lines[6] = all_pungs and outer and bool(facts["suits"]) and facts["honors"]
    lines[8] = len(dragons) == 2 and pair in DRAGONS
    lines[9] = len(dragons) == 3
    lines[7] = 0 if lines[8] or lines[9] else len(dragons)
    lines[12] = len(winds) == 3 and pair in WINDS
    for number, key in ((10, "seat"), (11, "round")):
        lines[number] = not lines[12] and f"{'ESWN'.index(facts[key]) + 1}z" in winds
    lines[25] = form == "pairs"
    ranks = Counter(tile[0] for tile in tiles)
    gates = not facts["melds"] and lines[5] and all(ranks[rank] >= (3 if rank in "19" else 1) for rank in "123456789")
    first, dealer = "first_turn" in occasions, facts["seat"] == "E"
    heavenly = first and dealer and drawn and not facts["melds"]
    earthly = first and not dealer and not drawn and facts["by"] in ("", "E") and not facts["melds"]
    whole = {
        29: form == "orphans", 30: len(winds) == 4, 31: facts["kongs"] == 4, 32: heavenly, 33: earthly,
        34: first and not dealer and not earthly, 26: not facts["suits"],
        27: all_pungs and all(tile[0] in "19" and tile[1] != "z" for tile in tiles), 28: gates,
    }  # fmt: skip
    best = next((number for number, holds in whole.items() if holds), 0)
    if best:
        lines = {best: 1}
    shut_hand = not facts["claimed"] if options["kong_keeps_concealed"] else not facts["melds"]
    lines[14] = shut_hand and not lines.get(13) and not lines.get(25) and best not in (28, 29, 32, 33, 34)
    twice = "kong_on_kong" in occasions
    lines[15] = drawn and not twice and best not in (32, 34)
    lines[16] = bool(occasions & {"robbing_kong", "robbing_concealed_kong"})
    lines[17] = "kong_replacement" in occasions and not twice
    lines[18] = twice
    lines[19] = "last_tile" in occasions
    if options["flowers"]:
        full, _, mine, _ = _flowers(bonus, facts["seat"])
        lines |= {20: not bonus, 21: mine, 22: full}
    return {number: int(count) for number, count in lines.items() if count} or {1: 1}


def _taiwan(reading: Any, bonus: list[str], facts: dict[str, Any], options: Mapping[str, Any]) -> Lines:
    form, groups, place, waits = reading
    pungs, chows, pair, shut = _shapes(groups, form)
    occasions, drawn, closed = facts["occasions"], facts["drawn"], facts["claimed"] == 0
    winds, dragons = [tile for tile in pungs if tile in WINDS], [tile for tile in pungs if tile in DRAGONS]
    lines: Lines = dict(_of_dealer(facts))
    all_pungs, honors_only = form == "sets" and len(pungs) == 5, not facts["suits"]
    alone = shut == 5 and options["five_concealed_alone"]
    begging = facts["claimed"] == 5
    first, dealer = "first_turn" in occasions, facts["seat"] == facts["dealer"]
    lines[36] = first and dealer and drawn and closed
    lines[35] = first and not dealer and drawn and closed
    lines[34] = first and not dealer and not drawn
    at_once = bool(lines[34] or lines[35] or lines[36])
    lines[37] = form == "li_gu"
    lines[31] = "ready_as_dealt" in occasions and closed and not at_once
    lines[30] = "ready_from_start" in occasions and closed and not lines[31] and not at_once
    kept = not (alone or lines[37] or lines[30] or lines[31] or at_once)
    lines[4] = closed and not drawn and kept
    lines[5] = closed and drawn and kept
    lines[3] = drawn and not lines[5] and not at_once
    lines[12] = begging and drawn and not at_once
    lines[13] = begging and not drawn and not at_once
    lines[11] = len(waits) == 1 and not at_once and not lines[37] and (not begging or options["begging_with_wait"])
    lines[14] = "kong_replacement" in occasions and not at_once
    lines[15] = "robbing_kong" in occasions
    lines[16] = "last_tile" in occasions and drawn
    lines[17] = "last_tile" in occasions and not drawn
    won, (kind, low, _) = facts["won"], groups[place]
    two_sided = kind == "chow" and (
        (won == low and low[0] != "7") or (won[0] == str(int(low[0]) + 2) and low[0] != "1")
    )
    lines[18] = len(chows) == 5 and not facts["honors"] and not bonus and not drawn and two_sided and len(waits) > 1
    lines |= {19: shut == 3, 20: shut == 4, 21: shut == 5}
    lines[22] = all_pungs and not honors_only and not alone
    lines[23] = len(facts["suits"]) == 1 and facts["honors"]
    lines[24] = len(facts["suits"]) == 1 and not facts["honors"]
    lines[25] = honors_only
    lines[26] = len(dragons) == 2 and pair in DRAGONS
    lines[27] = len(dragons) == 3
    lines[8] = 0 if lines[26] or lines[27] else len(dragons)
    lines[28] = len(winds) == 3 and pair in WINDS
    lines[29] = len(winds) == 4
    lines[39] = len(winds) if options["see_all"] and not lines[29] else 0
    for number, key in ((6, "seat"), (7, "round")):
        own = f"{'ESWN'.index(facts[key]) + 1}z" in winds
        lines[number] = own and not lines[29] and not lines[39]
    if options["flowers"]:
        full, loose, mine, inside = _flowers(bonus, facts["seat"])
        lines |= {10: full, 38: loose if options["see_all"] else 0}
        lines[9] = (0 if lines[38] else mine) + (inside if options["flower_set_adds"] else 0)
    return {number: int(count) for number, count in lines.items() if count}
