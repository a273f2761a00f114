"""The game table driven through Streamlit's AppTest: what its tests share."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
from streamlit.testing.v1 import AppTest

from tests.harness.app_process import PATIENCE
from tilescore.scoring.game.ledger import Game
from tilescore.scoring.progression import Player
from tilescore.scoring.ruleset import ruleset as rules_of
from tilescore.ui.storage.ledger_store import LedgerStore

if TYPE_CHECKING:
    from collections.abc import Iterable

A, B, C, D = Player
NAMES = ("Ann", "Ben", "Cleo", "Dan")
RIICHI = "234m345678p66s678s +8s"
MCR = "123456789m234s55p +4s"
CLASSICAL = "66s678p (333p) (123m) (456s) +8p"
LOSERS = ("2358m258p258s147z", "369m3689p368s111z", "147m1479p1479s27z")
LIMIT_S = 60 * PATIENCE
ROOT = Path(__file__).parents[3]
PHOTO = ROOT / "datasets" / "sample" / "discard_pond.jpg"


def checked(app: AppTest) -> AppTest:
    assert not app.exception, app.exception
    return app


def press(app: AppTest, key: str) -> AppTest:
    return checked(keyed(app.button, key).click().run())


def choose(app: AppTest, key: str, value: object) -> AppTest:
    return checked(keyed(app.button_group, key).set_value(value).run())


def keyed(elements: Iterable[Any], key: str) -> Any:
    """The one called that; fields bear numbers too, and buttons the version of the game."""
    return next(one for one in elements if re.fullmatch(rf"{re.escape(key)}(\.\d+)*", one.key or ""))


def gray(shade: int) -> bytes:
    """A very small photo."""
    return bytes(cv2.imencode(".jpg", np.full((36, 48), shade, np.uint8))[1])


def hand_field(app: AppTest, player: Player) -> Any:
    return keyed(app.text_input, f"deal.hand.{player}")


def photograph(app: AppTest, player: Player, data: bytes) -> AppTest:
    return checked(keyed(app.file_uploader, f"deal.photo.{player}").set_value(("hand.jpg", data, "image/jpeg")).run())


def type_hand(app: AppTest, player: Player, text: str) -> AppTest:
    return checked(hand_field(app, player).set_value(text).run())


def begin(app: AppTest, ruleset: str) -> AppTest:
    if not [one for one in app.text_input if one.key == "new.name.E"]:
        press(app, "games.new")
    choose(app, "new.ruleset", ruleset)
    seats = rules_of(ruleset).traits.seats
    for seat, name in zip(seats, NAMES, strict=False):
        app.text_input(key=f"new.name.{seat}").set_value(name)
    return press(checked(app.run()), "new.begin")


def markup(app: AppTest, key: str) -> str:
    """What the drawing under that key shows, tags taken out."""
    for element in app.get("bidi_component"):
        if element.proto.id.endswith(key):
            data: dict[str, Any] = json.loads(element.proto.json)[0]
            return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", data["markup"].replace("\u202f", "")))
    return ""


def said(app: AppTest) -> str:
    """Every text outside of the drawings."""
    return "\n".join(
        [
            *(one.proto.body for one in app.get("html")),
            *(one.value for one in app.warning),
            *(one.value for one in app.caption),
        ]
    )


def game() -> Game:
    """The game that was changed last, as it lies on the disk."""
    store = LedgerStore()
    return store.load(store.games()[0].id).game


def book_win(app: AppTest, winner: Player, discarder: Player | None, text: str) -> AppTest:
    several = game().rules.traits.most_winners > 1
    choose(app, "deal.winners", [winner] if several else winner)
    choose(app, "deal.discarder", discarder or "self_draw")
    type_hand(app, winner, text)
    return press(app, "deal.book")
