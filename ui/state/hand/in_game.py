"""The hand of the Hand page as one of the open game, which knows its rules, winds, counters and players."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace

from tilescore.errors import InputError
from tilescore.scoring.context import NO_OCCASION, Context, Occasion, Seat, WinBy
from tilescore.scoring.game.ledger import Entry, Game
from tilescore.scoring.progression import Player, Position
from tilescore.scoring.ruleset import Ruleset, ruleset
from tilescore.ui.state import circumstances, house_rules, session, table_game, table_state
from tilescore.ui.state.deal_draft import WIN, Gap
from tilescore.ui.state.hand import at_table
from tilescore.ui.state.route import go_to
from tilescore.ui.state.undisturbed import undisturbed
from tilescore.ui.words.text import telling


def open_game() -> Game | None:
    """The open game if the hand may be one of it: a hand of the person's own, in a game that goes on."""
    now, work = table_state.state(), session.history().now
    if now.saved is None or not work.id or work.linked or (now.saved.game.over and now.correcting is None):
        return None
    return now.saved.game


def game() -> Game | None:
    """The open game if the hand counts in it."""
    return None if session.mine().aside == session.history().now.id else open_game()


def set_aside(hand: str) -> None:
    """Score the hand of that `id` outside of the game; an empty one counts every hand in the game."""
    session.mine().aside = hand


def rules() -> Ruleset:
    """The rules by which the hand is scored: those of its game, else those that the person chose."""
    played = game()
    return rules_of(session.ruleset_name()) if played is None else played.rules


def rules_of(name: str) -> Ruleset:
    """The ruleset of that name as the game or the link of the hand plays it, else as the house does."""
    played, link = game(), session.history().now.linked
    if played is not None and played.rules.name == name:
        return played.rules
    if link is not None and link.ruleset == name:
        return ruleset(name, link.options)
    return house_rules.rules(name)


def winner() -> Player | None:
    """The player whose hand it is; of several winners the first whose hand is not known yet.

    A hand that was put into the deal stays its player's. Once all hands are known, another hand takes the place of it.
    """
    (hand, _, given), draft, now = session.mine().given, table_state.state().draft, session.history().now
    held = [player for player in draft.winners if draft.hands.get(player) == now.notation]
    mine = [player for player in draft.winners if player == given]
    first = (*held, *mine, *_lacking()) if hand == now.id else (*held, *_lacking(), *mine)
    return next(iter((*first, *draft.winners)), None)


def _lacking() -> tuple[Player, ...]:
    """The winners whose hand is not known yet."""
    draft = table_state.state().draft
    return tuple(player for player in draft.winners if not draft.hands.get(player))


def is_finished() -> bool:
    """Whether the hand lies in a deal that is booked or waits for another winner: what is typed next is a new hand."""
    hand, name, given = session.mine().given
    if not hand or hand != session.history().now.id:
        return False
    now, lacking = table_state.state(), _lacking()
    if now.saved is None or now.saved.id != name:  # the game was left
        return True
    return _booking(now.saved.game) is not None or (bool(lacking) and given not in lacking)


def booked(played: Game) -> int | None:
    """The number of the deal in which the hand is booked; None before that."""
    found = _booking(played)
    return None if found is None else found[0]


def _booking(played: Game) -> tuple[int, Context] | None:
    """The number of the deal in which the hand is booked, and how it was won there."""
    hand, deals = session.history().now.notation, enumerate((entry.deal for entry in played.entries), start=1)
    held = ((number, won) for number, deal in deals for one, won in deal.hands.values() if str(one) == hand)
    return next(held, None)


def position(played: Game) -> Position:
    """The position of the game in which the hand is played."""
    number = booked(played)
    return table_state.position(played) if number is None else played.entries[number - 1].position


def names() -> Mapping[Seat, str] | None:
    """The players of the hand's game by their seats; None without a game or as long as it is unknown who won."""
    played = game()
    if played is None or (winner() is None and booked(played) is None):
        return None
    place = position(played)
    return {place.seat(player): name for player, name in zip(place.players, played.players, strict=True)}


def deal() -> Entry | Gap | None:
    """The deal of the hand as it is booked, or as booking the hand makes it; what that deal lacks.

    None without a game, as long as nobody is named as the winner, and for a deal that cannot be booked.
    """
    played, player = game(), winner()
    number = None if played is None else booked(played)
    if played is not None and number is not None:
        return played.entries[number - 1]
    if played is None or player is None:
        return None
    draft, correcting = at_table.draft_with_hand(player, played), table_state.state().correcting
    with suppress(InputError):  # the answer to the press that books it says what is wrong
        return draft.gap(played) or draft.played(played, correcting).entries[(correcting or 0) - 1]
    return None


def context(played: Game, player: Player | None) -> Context:
    """The circumstances of the hand if that player won with it; without a player those that hold for all."""
    draft, place, kept = table_state.state().draft, table_state.position(played), circumstances.known()
    laid = {*draft.sticks, *([player] if player is not None and Occasion.DOUBLE_RIICHI in kept.occasions else [])}
    seat = kept.seat if player is None else place.seat(player)
    discarder = None if draft.discarder is None else place.seat(draft.discarder)
    plain = Context(
        win_by=WinBy.SELF_DRAW if discarder is None else WinBy.DISCARD,
        discarder=None if discarder is seat else discarder,
        seat=seat,
        round=place.round,
    )
    riichi = Occasion.RIICHI if player in draft.sticks else NO_OCCASION
    declared = (kept.occasions & ~Occasion.RIICHI) | riichi
    wanted = [occasion for occasion in (Occasion.DOUBLE_RIICHI, *Occasion) if occasion in declared]
    return replace(
        plain,
        occasions=circumstances.compatible(plain, wanted),
        dora_indicators=kept.dora_indicators,
        ura_dora_indicators=kept.ura_dora_indicators,
        discards=kept.discards,
        honba=place.honba,
        riichi_deposits=place.deposits + len(laid),
        dealer_repeats=place.repeats,
    )


@undisturbed()
def follow_game() -> None:
    """Give the hand what its rules, and its game, know of it; of a booked one, how it was won."""
    session.play(rules())
    played, saved, hand = game(), table_state.state().saved, session.history().now.id
    if played is None or saved is None:
        return
    found = _booking(played)
    if found is not None or session.mine().taken_for[:2] != (hand, saved.id):  # what follows a booked hand is the next
        session.mine().taken_for = (hand, saved.id, len(played.records) + 1)
    known = context(played, winner()) if found is None else found[1]
    if known != circumstances.known():
        session.won(known)


def taken_for(played: Game) -> int | None:
    """The number of the deal for which the hand was taken, if another deal is the next one by now."""
    number = session.mine().taken_for[2]
    return None if table_state.state().correcting is not None or number == len(played.records) + 1 else number


def take_for(number: int) -> None:
    """Take the hand, and what is entered with it, for the deal of that number."""
    hand, name, _ = session.mine().taken_for
    session.mine().taken_for = (hand, name, number)
    table_state.begun_for(number)


def drop() -> None:
    """Count the hand no more in the game, nor what is entered with it."""
    set_aside(session.history().now.id)
    table_state.fresh_draft()


def is_last_change(played: Game, number: int) -> bool:
    """Whether the last change of the game was about that deal (from 1)."""
    before = played.past[-1].records if played.past else ()
    return number > len(before) or before[number - 1] != played.records[number - 1]


def book() -> None:
    """Book the hand as the winner's; where the rules need more than it, the draft goes on at the table."""
    player, played = winner(), game()
    if player is None or played is None:
        return
    table_state.edit(ending=WIN, by_value=False)
    at_table.take_hand(player)
    with telling(table_state.show_trouble):
        if table_state.state().draft.gap(played) is None:
            table_game.book()
        else:
            go_to("table")
