"""Riichi hands that are worth nothing, each with the reason. Decisions: scoring/sources.md."""

from tilescore.scoring.context import Context, WinBy
from tilescore.scoring.hand import Hand
from tilescore.scoring.names import names_of
from tilescore.scoring.riichi.count import dora_lines
from tilescore.scoring.riichi.exclusions import missed
from tilescore.scoring.riichi.situation import RIICHI, Situation, excluded, warnings_of
from tilescore.scoring.riichi.view import SHAPES, View
from tilescore.scoring.score import FURITEN, NO_YAKU, NOT_A_WIN, NotAWin
from tilescore.scoring.shapes.waiting import waits
from tilescore.scoring.tiles import Tile


def waits_of(hand: Hand) -> tuple[Tile, ...]:
    """The tiles that complete a hand."""
    return waits(hand, SHAPES)


def not_complete(hand: Hand, context: Context) -> NotAWin:
    """A hand one tile short, or of tiles that do not fit together."""
    if hand.size < Hand.SIZE:
        return _not_a_win(hand, context, f"{hand.size} tiles: one is missing to a complete hand.")
    return _not_a_win(
        hand, context, "These tiles are not four sets and a pair, seven different pairs or thirteen orphans."
    )


def not_won(hand: Hand, context: Context) -> NotAWin:
    """A complete hand without a `win_by`."""
    return _not_a_win(hand, context, "The hand is complete, but win_by is null: say self_draw or discard.")


def not_robbed(hand: Hand, context: Context, *, agreed: bool) -> NotAWin:
    """A hand that robs a concealed quad and may not, whether kokushi musou may or not (S-RII-25)."""
    off = "A concealed kong may not be robbed: the option kokushi_robs_concealed_kong is off."
    return _not_a_win(hand, context, "Only kokushi musou may rob a concealed kong." if agreed else off)


def furiten(hand: Hand, context: Context) -> NotAWin | None:
    """A win on a discard by a hand with a wait among its discards (S-RII-15); None for any other hand."""
    if context.win_by is not WinBy.DISCARD or not context.discards:
        return None
    thrown = {tile.plain for tile in context.discards}
    barred = [tile for tile in waits_of(hand) if tile in thrown]
    if not barred:
        return None
    message = f"Furiten: the hand waits for {barred[0]}, which lies among the discards: it wins by self-draw only."
    return _not_a_win(hand, context, message, FURITEN)


def no_nagashi(hand: Hand, context: Context) -> NotAWin:
    """Nagashi mangan where the option is off."""
    return NotAWin(
        ruleset=RIICHI,
        code=NOT_A_WIN,
        message="Nagashi mangan is not agreed: the option nagashi_mangan is off.",
        unit="han",
        excluded=(excluded("nagashi_mangan", "because.option_off"),),
        warnings=warnings_of(hand, context),
    )


def no_yaku(hand: Hand, context: Context, situation: Situation, views: list[View]) -> NotAWin:
    """A complete hand without a yaku; `lines` has its dora, `excluded` the yaku that it just missed."""
    chances = [missed(view, context) for view in views]
    lost = max(chances, key=len)
    dora = dora_lines(hand, context, situation)
    names = names_of(RIICHI)
    parts = [f"The hand is complete but has no yaku, and needs one: {_remedy(situation)}."]
    if dora:
        parts.append("Dora are not yaku.")
    parts += [f"{names[entry.key]['en']} does not count: {names[entry.because]['en']}." for entry in lost]
    return NotAWin(
        ruleset=RIICHI,
        code=NO_YAKU,
        message=" ".join(parts),
        waits=waits_of(hand),
        unit="han",
        lines=dora,
        excluded=lost,
        groups=views[chances.index(lost)].tiles,
        warnings=situation.warnings,
    )


def _remedy(situation: Situation) -> str:
    if situation.closed:
        return "riichi, a self-draw or any yaku of the table would do"
    return (
        "an open hand wins with a set of dragons or of its winds, only tiles from 2 to 8 where open tanyao counts, or "
        "another open yaku"
    )


def _not_a_win(hand: Hand, context: Context, message: str, code: str = NOT_A_WIN) -> NotAWin:
    return NotAWin(
        ruleset=RIICHI,
        code=code,
        message=message,
        waits=waits_of(hand),
        unit="han",
        warnings=warnings_of(hand, context),
    )
