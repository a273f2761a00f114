"""A hand of a file from outside: every odd value in it is refused, or gives a hand that pages can draw."""

import json
from dataclasses import replace

from tests.ui.state.hand.test_work import CLOSED, seen
from tests.ui.storage.test_odd_backups import ODD_VALUES, places
from tilescore.errors import InputError
from tilescore.scoring.ruleset import ruleset
from tilescore.ui.components.tiles import tile_canvas
from tilescore.ui.state.hand import stored
from tilescore.ui.state.hand.offers import offers_for

JPEG = b"\xff\xd8 a photo"


def test_any_odd_value_is_refused_in_words_or_can_be_drawn() -> None:
    work = replace(seen(CLOSED).now, id="abc")
    whole = json.loads(json.dumps(stored.to_json(work)))
    wanted = [place for place in places(whole)[1:] if all(not isinstance(key, int) or key < 2 for key in place)]
    taken = 0
    for place in wanted:
        for odd in (*ODD_VALUES, float("inf"), float("nan"), -1e300):
            changed = json.loads(json.dumps(whole))
            inner = changed
            for key in place[:-1]:
                inner = inner[key]
            inner[place[-1]] = odd
            try:
                hand = stored.from_json(changed, JPEG)
            except InputError:
                continue
            taken += 1
            assert json.dumps(stored.to_json(hand), allow_nan=False).encode()
            assert all(tile_canvas._tile(hand, at, ruleset("mcr")) for at in hand.order)
            assert hand.notation is not None
            assert offers_for(hand, whole=14) is not None
    assert 0 < taken < len(wanted) * len(ODD_VALUES) / 4
