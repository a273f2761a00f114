"""Questions about the draft of a deal, above all about its players by name."""

from collections.abc import Callable, Sequence
from typing import Any, Final

import streamlit as st

from tilescore.scoring.game.ledger import Game
from tilescore.scoring.progression import Player
from tilescore.ui.state import table_state
from tilescore.ui.state.deal_draft import Draft
from tilescore.ui.words.game import name_of
from tilescore.ui.words.text import plain, words

_NOBODY: Final = "self_draw"
"""The choice of no player."""


def ask_players(game: Game, draft: Draft, *, winner: Player | None = None, one_hand: bool = False) -> None:
    """Ask for the winners, the discarder and the riichi sticks by name, as the seats do.

    `winner` is whose hand it is. With `one_hand` the question is about its winner, though several players may win the
    deal.
    """
    traits, players = game.rules.traits, game.position.players
    others = [player for player in players if player not in draft.winners]
    if traits.most_winners > 1 and not one_hand:
        ask_several(game, "winners", draft.winners, label=words("deal.winners"))
    else:
        ask_winner(game, winner or next(iter(draft.winners), None), label=words("deal.winner"))
    if not draft.winners:
        return
    alone = words("deal.self_draw") if len(draft.winners) == 1 else ""
    ask_player(game, "discarder", others, draft.discarder, label=words("deal.by"), nobody=alone)
    if traits.stick:
        ask_several(game, "riichi", draft.sticks, label=words("deal.riichi"))


def ask_winner(game: Game, chosen: Player | None, *, label: str) -> None:
    """Ask for the one winner."""
    ask_one(
        "winners", game.position.players, chosen, label=label, show=_names_of(game), pills=True,
        take=lambda player: () if player is None else (player,),
    )  # fmt: skip


def ask_player(
    game: Game,
    field: str,
    players: Sequence[Player],
    chosen: Player | None,
    *,
    label: str,
    nobody: str = "",
    of: Player | None = None,
) -> None:
    """Ask for one of these players, or for `nobody`, if that has a name, and put the answer into that field.

    `of` is the winner whose answer it is, where the field holds one answer by winner.
    """

    def take(key: str | None) -> object:
        player = None if key in (_NOBODY, None) else Player(key)
        if of is None:
            return player
        given = {**getattr(table_state.state().draft, field), of: player}
        return {winner: answer for winner, answer in given.items() if answer is not None}

    ask_one(
        field, [*([_NOBODY] if nobody else []), *players], chosen or _NOBODY, label=label, pills=True, take=take,
        show=lambda key: nobody if key == _NOBODY else _names_of(game)(key), of=of,
    )  # fmt: skip


def ask_one(
    field: str,
    choices: Sequence[Any],
    value: object,
    *,
    label: str,
    show: Callable[[Any], str],
    take: Callable[[Any], Any] | None = None,
    pills: bool = False,
    hide: bool = False,
    of: Player | None = None,
) -> None:
    """Ask for one of the choices and put it into that field of the draft; `of` as in `ask_player`."""

    def pressed(chosen: Any) -> None:
        if take is not None:
            table_state.edit(**{field: take(chosen)})
        elif chosen is not None:
            table_state.edit(**{field: chosen})

    name = field if of is None else f"{field}.{of}"
    asked = table_state.follow(name, value if value in choices else None, pressed)
    if pills:
        st.pills(label, format_func=show, wrap=True, **asked.choice(choices))
    else:
        st.segmented_control(
            label, format_func=show, width="stretch", required=True,
            label_visibility="collapsed" if hide else "visible", **asked.choice(choices),
        )  # fmt: skip


def ask_several(game: Game, field: str, value: tuple[Player, ...], *, label: str) -> None:
    """Ask for any number of players and put them into that field of the draft."""

    def pressed(chosen: list[Player]) -> None:
        table_state.edit(**{field: tuple(player for player in game.position.players if player in chosen)})

    asked = table_state.follow(field, list(value), pressed)
    st.pills(
        label, selection_mode="multi", format_func=_names_of(game), wrap=True, **asked.choice(game.position.players)
    )


def _names_of(game: Game) -> Callable[[Player], str]:
    return lambda player: plain(name_of(game, player))
