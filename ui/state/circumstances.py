"""How the visitor's hand was won: what the session knows of it, and what each ruleset takes from that."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tilescore.base.errors import ContextError
from tilescore.scoring.context import NO_OCCASION, Context, Occasion, WinBy
from tilescore.scoring.hand import Hand
from tilescore.scoring.ruleset import ruleset
from tilescore.scoring.tiles import TERMINALS_AND_HONORS
from tilescore.ui.state import session

if TYPE_CHECKING:
    from tilescore.ui.state.hand.work import Work

LOSERS_COUNT: Final = ("classical", "simplified")
"""Rulesets in which a hand that did not win has a value."""
_WITHOUT_WIN: Final = (*LOSERS_COUNT, "riichi")
"""Rulesets in which a hand that did not win can have a value."""
_RIICHI: Final = (Occasion.RIICHI, Occasion.DOUBLE_RIICHI, Occasion.IPPATSU)
_COMMON: Final = (Occasion.LAST_TILE, Occasion.KONG_REPLACEMENT, Occasion.ROBBING_KONG)
_ASKED: Final = {
    "mcr": (*_COMMON, Occasion.LAST_OF_ITS_KIND),
    "riichi": (*_RIICHI, *_COMMON, Occasion.ROBBING_CONCEALED_KONG, Occasion.FIRST_TURN, Occasion.NAGASHI_MANGAN),
    "classical": (*_COMMON, Occasion.ROBBING_CONCEALED_KONG, Occasion.FIRST_TURN, Occasion.READY_FROM_START),
    "simplified": (*_COMMON, Occasion.ROBBING_CONCEALED_KONG, Occasion.LAST_OF_ITS_KIND, Occasion.READY_FROM_START),
}


def known() -> Context:
    """The circumstances that the session knows, for whichever ruleset."""
    return session.history().now.context


def changed(before: Context, **fields: object) -> Context:
    """These circumstances with changed fields.

    A change drops the occasions that contradict it. A change that contradicts itself changes nothing.
    """
    for ground in (before, replace(before, occasions=NO_OCCASION, discarder=None, win_by=WinBy.SELF_DRAW)):
        try:
            return replace(ground, **fields)  # type: ignore[arg-type]  # names and types are those of Context
        except ContextError:
            continue
    return before


def context_for(name: str, work: Work) -> Context:
    """The part of the known circumstances that ruleset `name` asks for and that can be true of this hand."""
    kept = known()
    if kept.win_by is None and not may_not_win(name, work):
        kept = replace(kept, win_by=WinBy.SELF_DRAW)
    occasions = _joined([one for one in possible_occasions(name, kept, work) if one in kept.occasions])
    shown = replace(_plain(kept), occasions=occasions)
    if name != "riichi":
        return shown
    return replace(
        shown,
        dora_indicators=kept.dora_indicators,
        ura_dora_indicators=kept.ura_dora_indicators if declares_riichi(shown) else (),
        honba=kept.honba,
        riichi_deposits=kept.riichi_deposits,
    )


def may_not_win(name: str, work: Work) -> bool:
    """Whether a hand that did not win can be worth something: thirteen tiles, in riichi by nagashi mangan."""
    return name in _WITHOUT_WIN and work.size == Hand.SIZE - 1


def declares_riichi(context: Context) -> bool:
    """Whether the winner declared riichi, single or double."""
    return bool(context.occasions & (Occasion.RIICHI | Occasion.DOUBLE_RIICHI))


def possible_occasions(name: str, context: Context, work: Work) -> list[Occasion]:
    """The occasions that ruleset `name` asks about and that can be true of a hand won like this."""
    return [
        occasion
        for occasion in _ASKED[name]
        if _possible(occasion, context, work) and not _refused(name, occasion, context, work)
    ]


def _refused(name: str, occasion: Occasion, context: Context, work: Work) -> bool:
    """Whether the ruleset says that the tiles or the way of winning contradict this occasion."""
    try:
        ruleset(name).score(work.hand, replace(_plain(context), occasions=occasion))
    except ContextError:
        return True
    except ValueError:
        pass  # something is wrong with the tiles themselves, which the page shows
    return False


def _possible(occasion: Occasion, context: Context, work: Work) -> bool:
    if context.win_by is None:
        return occasion in (Occasion.READY_FROM_START, Occasion.NAGASHI_MANGAN)
    faces = [work.tile(at).plain for at in work.order]
    orphans = sum(face in TERMINALS_AND_HONORS for face in faces) >= 13 and len(set(faces)) >= 12
    opened = any(group.role == "meld" and not group.hidden for group in work.groups)
    rules = {
        Occasion.ROBBING_CONCEALED_KONG: orphans,
        Occasion.IPPATSU: not opened and declares_riichi(context),
        Occasion.FIRST_TURN: not opened,
        Occasion.NAGASHI_MANGAN: False,
    }
    return rules.get(occasion, True)


def _plain(context: Context) -> Context:
    """How the hand was won and the winds, nothing else."""
    return Context(win_by=context.win_by, discarder=context.discarder, seat=context.seat, round=context.round)


def _joined(occasions: list[Occasion]) -> Occasion:
    flags = NO_OCCASION
    for occasion in occasions:
        flags |= occasion
    return flags
