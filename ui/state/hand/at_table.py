"""The hands of a deal at the table: taken over from the Hand page or a photo, edited on the photo, typed."""

import time
from dataclasses import replace
from typing import Any

from tilescore.errors import InputError
from tilescore.scoring.game.ledger import Game
from tilescore.scoring.progression import Player
from tilescore.scoring.ruleset import Ruleset
from tilescore.ui.state import circumstances, house_rules, session, table_state
from tilescore.ui.state.deal_draft import WIN, Draft
from tilescore.ui.state.hand.edits import applied
from tilescore.ui.state.hand.history import History, with_changes
from tilescore.ui.state.hand.work import Work
from tilescore.ui.state.hand.written import hand_of, is_another, written
from tilescore.ui.words.text import telling


def rules_of_next() -> Ruleset:
    """The rules of the next hand: those of the open game, else those that the person chose."""
    saved = table_state.state().saved
    return house_rules.rules(session.ruleset_name()) if saved is None else saved.game.rules


def take_hand(player: Player) -> None:
    """Take over the hand of the Hand page, for a winner with its circumstances."""
    work, now = session.history().now, table_state.state()
    saved = now.saved
    put_hand(player, work, **(_circumstances(player, saved.game) if saved and player in now.draft.winners else {}))
    session.mine().given = (work.id, "" if saved is None else saved.id, player)


def draft_with_hand(player: Player, game: Game) -> Draft:
    """The draft of the next deal of that game once the hand of the Hand page is taken over for that winner."""
    draft = table_state.state().draft
    hands = {**draft.hands, player: session.history().now.notation}
    taken = replace(draft, ending=WIN, by_value=False, hands=hands, **_circumstances(player, game))
    return taken.tidied(table_state.position(game))


def _circumstances(player: Player, game: Game) -> dict[str, Any]:
    """The fields of the draft that say how that player won with the hand of the Hand page."""
    context, known = circumstances.context_for(game.rules, session.history().now), circumstances.known()
    return {
        "occasions": {**table_state.state().draft.occasions, player: context.occasions},
        "dora": known.dora_indicators,
        "ura": known.ura_dora_indicators,
    }


def edit_on_photo(player: Player, event: object) -> None:
    """Apply an event of the canvas to the hand that a photo of this player shows; an impossible one is explained."""
    seen = table_state.state().on_photo[player]
    changed = seen
    with telling(table_state.show_trouble):
        changed = applied(seen, event)
    if changed is not seen:
        draft, old, new = table_state.state().draft, seen.now.context, changed.now.context
        table_state.keep(on_photo={**table_state.state().on_photo, player: changed})
        put_hand(
            player, changed.now,
            dora=with_changes(draft.dora, old.dora_indicators, new.dora_indicators),
            ura=with_changes(draft.ura, old.ura_dora_indicators, new.ura_dora_indicators),
        )  # fmt: skip


def type_hand(player: Player, text: str) -> None:
    """Take the text as the hand of this player; the photo of it stays, if the text is a hand, and no other one."""
    now = table_state.state()
    seen = now.on_photo.get(player)
    table_state.keep(typed_s={**now.typed_s, player: time.monotonic()})
    table_state.edit(hands={**now.draft.hands, player: text})
    if seen is None:
        return
    try:
        hand = hand_of(text)
        changed = seen.then(seen.now.with_laid(hand) if is_another(seen.now, hand) else written(seen.now, hand))
    except InputError:  # the field shows the text, the page its error
        return
    jpeg = changed.now.picture.jpeg if changed.now.picture and changed.now.on_photo else None
    pictures = now.pictures if jpeg is None else {**now.pictures, text: jpeg}
    table_state.keep(on_photo={**now.on_photo, player: changed}, pictures=pictures)


def take_photo(player: Player, work: Work, *, chosen_s: float | None) -> None:
    """Put the hand of a photo into the draft, with the text that was typed since the person chose the photo.

    `chosen_s` is when its upload began, of `time.monotonic`; None if unknown.
    """
    now = table_state.state()
    put_hand(player, work)
    if chosen_s is not None and now.typed_s.get(player, chosen_s) > chosen_s:
        type_hand(player, now.draft.hands.get(player, ""))


def put_hand(player: Player, work: Work, **values: Any) -> None:
    """Put the hand with its photo, if there is one, into the draft; the hand of a loser has no winning tile.

    Undo leads to the hand that a photo showed before, also if no photo shows this one.
    """
    now, text = table_state.state(), work.notation
    seen = now.on_photo.get(player)
    if seen is not None or work.picture is not None:
        table_state.keep(on_photo={**now.on_photo, player: (seen or History(work)).then(work)})
    if player not in now.draft.winners:
        try:
            text = str(replace(work.hand, winning_tile=None))
        except ValueError:
            text = work.notation  # the page shows the error
    picture = {} if work.picture is None else {text: work.picture.jpeg}
    table_state.keep(revision=now.revision + 1, pictures={**now.pictures, **picture})
    table_state.edit(hands={**now.draft.hands, player: text}, **values)


def has_hand() -> bool:
    """Whether the Hand page shows a hand worth taking over."""
    return len(session.history().now.order) >= 13
