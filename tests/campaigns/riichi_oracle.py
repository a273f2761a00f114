"""Compare riichi of four and of three players with the `mahjong` package on random hands.

    python -m tests.campaigns.riichi_oracle --hands 200000
    python -m tests.campaigns.riichi_oracle --only 17

The hands are rich in yaku: open and closed, with quads, all ways to win, dora, and options of the ruleset
(`tests.harness.riichi_hands`). Every second hand has the usual options, every fourth three players. Where
../shared has cases of riichi, their hands are compared too. Both sides must have the same yaku and dora, each with the
same han, the same fu and the same price. Differences are listed by kind; `KINDS` says for each who is right. The exit
status is 1 if there is a difference of no such kind. A hand depends only on its number, which `--only` shows alone.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
from collections import Counter
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from tests.harness.direct_mahjong import arguments, call, whole_config, yaku_of
from tests.harness.riichi_hands import random_win, some_options
from tilescore.scoring.context import Context
from tilescore.scoring.hand import Hand
from tilescore.scoring.riichi.situation import PREFIX
from tilescore.scoring.riichi3.table import PREFIX as PREFIX3
from tilescore.scoring.riichi3.table import rows
from tilescore.scoring.ruleset import ruleset
from tilescore.scoring.score import Score

if TYPE_CHECKING:
    from collections.abc import Iterator

CASES: Final = Path(__file__).resolve().parents[3] / "shared" / "cases"
FU_OF_KOKUSHI: Final = "fu of kokushi musou of three players"
OTHER_READING: Final = "another reading of the same han, fu and price"
KINDS: Final = {
    FU_OF_KOKUSHI: "ours: every won hand has fu (S-SAN-7, scoring/sources.md); the package has none",
    OTHER_READING: "both: nothing in the rules prefers one",
}
"""Kinds of differences, and who is right."""


class Given(NamedTuple):
    """A hand, its circumstances and the options of the ruleset, which is that of three players or of four."""

    hand: Hand
    context: Context
    options: dict[str, Any]
    three_players: bool


def main() -> None:
    """Compare all hands and print the tables."""
    parser = argparse.ArgumentParser(description="Compare riichi with the mahjong package.")
    parser.add_argument("--hands", type=int, default=20_000, help="number of random hands")
    parser.add_argument("--only", type=int, help="show the hand of this number")
    wanted = parser.parse_args()
    if wanted.only is not None:
        _show(wanted.only)
        return
    tally = Tally()
    for number in range(wanted.hands):
        tally.add(f"--only {number}", random_given(number))
    for name, given in shared_hands():
        tally.add(name, given)
    tally.show()
    sys.exit(bool(tally.unexplained))


class Tally:
    """What was compared, and what differed."""

    def __init__(self) -> None:
        """Nothing yet."""
        self.outcomes: Counter[tuple[str, str]] = Counter()
        self.lines: Counter[str] = Counter()
        self.differences: dict[str, list[str]] = {}

    @property
    def unexplained(self) -> set[str]:
        """Kinds of differences of which nobody has said who is right."""
        return self.differences.keys() - KINDS.keys()

    def add(self, name: str, given: Given) -> None:
        """Compare a hand."""
        ours, theirs = told(given), told_by_the_package(given)
        self.outcomes[("three" if given.three_players else "four", "won" if "han" in ours else "no yaku")] += 1
        self.lines.update(ours.get("yaku", {}).keys())
        kind = difference(ours, theirs, three_players=given.three_players)
        if kind:
            self.differences.setdefault(kind, []).append(name)

    def show(self) -> None:
        """Print the tables."""
        for (players, outcome), count in sorted(self.outcomes.items()):
            print(f"{count:8}  {players} players, {outcome}")
        print("\nhands with each yaku and dora:")
        print(", ".join(f"{key} {count}" for key, count in self.lines.most_common()))
        found = sum(map(len, self.differences.values()))
        print(f"\n{found} of {self.outcomes.total()} hands differ")
        for kind, names in self.differences.items():
            print(f"{len(names):8}  {kind}, such as {names[0]}; right: {KINDS.get(kind, 'NOT KNOWN')}")


def random_given(number: int) -> Given:
    """The random hand of that number, with its options, and whether it has three players."""
    dice, three_players = Random(f"riichi {number}"), number % 4 == 3
    hand, context = random_win(dice, three_players=three_players)
    return Given(hand, context, some_options(dice) if number % 8 >= 4 else {}, three_players)


def shared_hands() -> Iterator[tuple[str, Given]]:
    """The complete hands of the cases of riichi in ../shared, with the usual options."""
    for name in ("riichi_tenhou.jsonl.gz", "sanma.jsonl"):
        path = CASES / name
        packed = path.read_bytes() if path.is_file() else b""
        for line in (gzip.decompress(packed) if name.endswith("gz") else packed).decode().splitlines():
            case = json.loads(line)
            given = case.get("hand", {})
            if case["expected"].get("win") and not given.get("options") and case["expected"].get("fu"):
                context = Context.from_json(given)
                yield case["id"], Given(Hand.from_json(given), context, {}, case["ruleset"] == "riichi3")


def told(given: Given) -> dict[str, Any]:
    """Our yaku, han, fu and price; nothing for a hand without yaku."""
    result = ruleset("riichi3" if given.three_players else "riichi", given.options).score(given.hand, given.context)
    if not isinstance(result, Score):
        return {}
    fours = {PREFIX3 + row.key: key for key, row in rows().items()}
    lines = [(fours.get(line.key, line.key.removeprefix(PREFIX)), line.value * line.count) for line in result.lines]
    yaku = Counter[str]()
    for key, han in lines:
        yaku["dora" if key == "nuki_dora" else key] += han
    return {"yaku": dict(yaku), "han": result.han, "fu": result.fu, "total": result.total}


def told_by_the_package(given: Given) -> dict[str, Any]:
    """The same of the package, in which the norths set aside are dora."""
    hand, context, options, three_players = given
    answer = call(arguments(hand, context, whole_config(hand, context, options, three_players=three_players)))
    if answer.error:
        return {} if answer.error == "no_yaku" else {"error": answer.error}
    return {"yaku": yaku_of(answer), "han": answer.han, "fu": answer.fu, "total": answer.cost["total"]}


def difference(ours: dict[str, Any], theirs: dict[str, Any], *, three_players: bool) -> str:
    """The kind of difference between two counts; empty where they are equal."""
    if ours == theirs:
        return ""
    if ours.keys() != theirs.keys():
        return f"one has a yaku, the other not: {theirs.get('error', 'no error')}"
    apart = [key for key in ours if ours[key] != theirs[key]]
    if apart == ["fu"] and three_players and "kokushi_musou" in ours["yaku"]:
        return FU_OF_KOKUSHI
    if apart == ["yaku"]:
        return OTHER_READING
    return "other " + ", ".join(apart)


def _show(number: int) -> None:
    given = random_given(number)
    hand, context, options, three_players = given
    print(hand, context.to_json(), options, "three players" if three_players else "four players", sep="\n")
    print("ours  ", told(given))
    print("theirs", told_by_the_package(given))


if __name__ == "__main__":
    main()
