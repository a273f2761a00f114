"""How the visitor's hand was won: what the session knows of it, and what each ruleset takes from that."""

from collections.abc import Iterable
from dataclasses import replace
from functools import reduce
from operator import or_
from typing import Final

from tilescore.errors import ContextError
from tilescore.scoring.context import NO_OCCASION, SEATS, Context, Occasion, WinBy
from tilescore.scoring.ruleset import Ruleset
from tilescore.scoring.tiles import TERMINALS_AND_HONORS
from tilescore.ui.state import session
from tilescore.ui.state.hand.work import Work

_OF_READY_HANDS: Final = Occasion.READY_FROM_START | Occasion.READY_AS_DEALT | Occasion.NAGASHI_MANGAN
"""What can be true of a hand that did not win."""


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


def compatible(context: Context, wanted: Iterable[Occasion]) -> Occasion:
    """These occasions, without those that contradict the way of winning or an earlier one of them."""
    flags = NO_OCCASION
    for occasion in wanted:
        try:
            flags = replace(context, occasions=flags | occasion).occasions
        except ContextError:
            continue
    return flags


def context_for(rules: Ruleset, work: Work, *, given: Context | None = None) -> Context:
    """The part of the given circumstances, else of the known ones, that these rules ask for and that can be true."""
    kept, traits = asked(known() if given is None else given, rules, work), rules.traits
    possible = reduce(or_, possible_occasions(rules, kept, work), NO_OCCASION)
    shown = replace(_plain(kept), occasions=kept.occasions & possible)
    if traits.repeats:
        shown = replace(shown, dealer_repeats=kept.dealer_repeats)
    if not traits.stick:
        return shown
    return replace(
        shown,
        dora_indicators=kept.dora_indicators,
        ura_dora_indicators=kept.ura_dora_indicators if declares_riichi(shown) else (),
        honba=kept.honba,
        riichi_deposits=kept.riichi_deposits,
    )


def asked(context: Context, rules: Ruleset, work: Work) -> Context:
    """The circumstances as these rules ask for them: with seats of theirs, and won unless the hand may not have."""
    kept = seated(context, rules)
    return kept if kept.win_by or may_not_win(rules, work) else changed(kept, win_by=WinBy.SELF_DRAW)


def seated(context: Context, rules: Ruleset) -> Context:
    """The circumstances with seats of these rules: what names a seat that nobody has begins anew."""
    seats = rules.traits.seats
    moved: dict[str, object] = {name: seats[0] for name in ("seat", "round") if getattr(context, name) not in seats}
    taken = (moved.get("seat", context.seat), *(seat for seat in SEATS if seat not in seats))
    if context.discarder is not None and context.discarder in taken:
        moved |= {"discarder": None, "win_by": WinBy.SELF_DRAW, "occasions": NO_OCCASION}
    return changed(context, **moved) if moved else context


def may_not_win(rules: Ruleset, work: Work) -> bool:
    """Whether a hand that did not win can be worth something: one tile is missing, in riichi by nagashi mangan."""
    traits = rules.traits
    return traits.values_losing_hands and work.size == traits.size - 1


def declares_riichi(context: Context) -> bool:
    """Whether the winner declared riichi, single or double."""
    return bool(context.occasions & (Occasion.RIICHI | Occasion.DOUBLE_RIICHI))


def possible_occasions(rules: Ruleset, context: Context, work: Work) -> list[Occasion]:
    """The occasions that these rules ask about and that can be true of a hand won like this."""
    return [
        occasion
        for occasion in rules.traits.occasions
        if _possible(rules, occasion, context, work) and not _refused(rules, occasion, context, work)
    ]


def _refused(rules: Ruleset, occasion: Occasion, context: Context, work: Work) -> bool:
    """Whether the ruleset says that the tiles or the way of winning contradict this occasion."""
    try:
        rules.score(work.hand, replace(_plain(context), occasions=occasion))
    except ContextError:
        return True
    except ValueError:
        pass  # something is wrong with the tiles themselves, which the page shows
    return False


def _counts(rules: Ruleset, occasion: Occasion, context: Context, work: Work) -> bool:
    """Whether this occasion adds a line to the hand."""
    try:
        before, after = (
            rules.score(work.hand, replace(_plain(context), occasions=given)) for given in (NO_OCCASION, occasion)
        )
    except ValueError:  # of the tiles, or of the occasion, `_refused` and the page say more
        return False
    return before.lines != after.lines


def _possible(rules: Ruleset, occasion: Occasion, context: Context, work: Work) -> bool:
    if context.win_by is None:
        return occasion in _OF_READY_HANDS
    faces = [work.tile(at).plain for at in work.order]
    orphans = sum(face in TERMINALS_AND_HONORS for face in faces) >= 13 and len(set(faces)) >= 12
    opened = any(group.role == "meld" and not group.hidden for group in work.groups)
    if occasion is Occasion.FIRST_TURN:  # few games know one with a claimed set
        return not opened or _counts(rules, occasion, context, work)
    possible = {
        Occasion.ROBBING_CONCEALED_KONG: orphans,
        Occasion.IPPATSU: not opened and declares_riichi(context),
        Occasion.NAGASHI_MANGAN: False,
    }
    return possible.get(occasion, True)


def _plain(context: Context) -> Context:
    """How the hand was won and the winds, nothing else."""
    return Context(win_by=context.win_by, discarder=context.discarder, seat=context.seat, round=context.round)
