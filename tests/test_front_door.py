"""`import tilescore`: quick, with a few public names that lead from a photo to points."""

import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from html import escape
from multiprocessing import get_context
from os.path import samestat
from pathlib import Path
from random import Random
from threading import Event

import numpy as np
import pytest
from PIL import Image

import tilescore
from tests.scoring.random_hands import random_hand
from tilescore.errors import InputError
from tilescore.models import registry
from tilescore.models.registry import WEIGHTS_FOLDER, load_reader
from tilescore.scoring.context import Seat
from tilescore.scoring.hand import Hand, Meld
from tilescore.scoring.tiles import BONUS_TILES, PLAYING_TILES, Tile
from tilescore.vision.decoding.reading import Reading
from tilescore.vision.image.photo import PhotoError, load_photo
from tilescore.vision.image.quiet import quiet_stderr

PHOTO = Path("datasets/sample/winning_hand.jpg")
WEIGHTS = WEIGHTS_FOLDER / "tiles46.onnx"
NAMES = ("Context", "Hand", "InputError", "Meld", "NotAWin", "Occasion", "Score", "Seat", "Tile", "WinBy", "read",
         "ruleset", "score", "__version__")  # fmt: skip


def test_the_import_loads_nothing_heavy_and_names_everything() -> None:
    code = (
        "import sys, tilescore; before = set(sys.modules); assert set(sys.argv[1:]) <= set(dir(tilescore)); "
        "[getattr(tilescore, name) for name in sys.argv[1:]]; print(*sorted(before & {'numpy', 'cv2', 'onnxruntime'}))"
    )
    done = subprocess.run([sys.executable, "-c", code, *NAMES], check=True, capture_output=True, text=True)  # noqa: S603
    assert done.stdout.strip() == ""


def test_rules_without_docstrings_say_why_they_have_no_text() -> None:
    code = "import tilescore; print(*[rule.text for rule in tilescore.ruleset('mcr').rules()], sep='\\n')"
    done = subprocess.run([sys.executable, "-OO", "-c", code], check=True, capture_output=True, text=True)  # noqa: S603
    assert set(done.stdout.splitlines()) == {"Python with -OO has no texts of rules: start it without -OO."}


def test_a_star_brings_the_public_names() -> None:
    names: dict[str, object] = {}
    exec("from tilescore import *", names)  # noqa: S102
    assert {*NAMES} - {"__version__"} <= names.keys()
    assert "switch_off" not in names


@pytest.mark.parametrize("photo", [None, 5, np.zeros((10, 10), np.uint8), np.zeros((10, 10, 3)), [[1]]])
def test_what_is_no_photo_is_named(photo: object) -> None:
    with pytest.raises(InputError, match="is no photo: give a file name"):
        tilescore.read(photo)  # type: ignore[arg-type]


def test_pixels_of_another_kind_are_named() -> None:
    with pytest.raises(InputError, match=r"^ndarray float64 \(10, 10, 3\) is no photo"):
        tilescore.read(np.zeros((10, 10, 3)))  # type: ignore[arg-type]


@pytest.mark.parametrize("shape", [(3, 6000, 3), (2000, 1, 3), (0, 9, 3), (40, 6000, 3)])
def test_pixels_that_are_no_photo_are_refused_as_a_file_is(shape: tuple[int, ...]) -> None:
    with pytest.raises(PhotoError, match=r"a photo needs at least|a strip"):
        tilescore.read(np.zeros(shape, np.uint8))
    with pytest.raises(PhotoError):
        tilescore.score(np.zeros(shape, np.uint8), "mcr")


def test_a_model_is_a_name_or_a_path() -> None:
    assert tilescore.read(PHOTO, model=WEIGHTS).model == tilescore.read(PHOTO, model=str(WEIGHTS)).model
    with pytest.raises(InputError, match="'none' is no model here: choose"):
        tilescore.read(PHOTO, model=Path("none"))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
def test_a_fork_reads_after_its_parent() -> None:
    first = tilescore.read(PHOTO).hand
    with get_context("fork").Pool(1) as pool:
        assert pool.map_async(_hand, [PHOTO]).get(60) == [str(first)]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
@pytest.mark.parametrize("place", ["the stream", "the model"])
def test_a_fork_beside_a_busy_thread_goes_on(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    busy, here = Event(), os.getpid()

    def linger(*_: object) -> None:
        busy.set()
        time.sleep(0.5 if os.getpid() == here else 0)

    def work() -> bool:
        if place == "the model":
            load_reader()
        else:
            with quiet_stderr():
                linger()
        return samestat(os.fstat(2), stream)

    monkeypatch.setattr(registry, "_loaded", linger)
    stream = os.fstat(2)
    with ThreadPoolExecutor(1) as threads:
        threads.submit(work)
        busy.wait()
        child = get_context("fork").Process(target=lambda: sys.exit(not work()))
        child.start()
    child.join(20)
    child.kill()
    assert child.exitcode == 0


def _hand(photo: Path) -> str:
    return str(tilescore.read(photo).hand)


def test_the_guard_of_pillow_stays() -> None:
    tilescore.read(PHOTO)
    assert Image.MAX_IMAGE_PIXELS == 2**28 // 3


def test_threads_load_a_model_once() -> None:
    with ThreadPoolExecutor(4) as threads:
        assert len(set(threads.map(id, threads.map(load_reader, [str(WEIGHTS)] * 4)))) == 1


@pytest.mark.parametrize("tile", ["4s", Tile.parse("4s")])
def test_the_winning_tile_of_a_text(tile: Tile | str) -> None:
    result = tilescore.score("123456789m234s55p", "mcr", winning_tile=tile)
    assert result.total == 22
    assert result.payments is not None
    assert result.payments["E"] == result.payments[Seat.EAST] == 90
    with pytest.raises(InputError, match=r"no concealed tile of .* is 9p"):
        tilescore.score("123456789m234s55p", "mcr", winning_tile="9p")


@pytest.mark.parametrize("hand", ["123456789m234s55p +4s", "123456789m24s557p +7p"])
def test_both_results_have_what_their_json_has(hand: str) -> None:
    result = tilescore.score(hand, "mcr")
    values = result.win, result.han, result.fu, result.limit, result.payments and result.payments.to_json()
    assert dict(zip(("win", "han", "fu", "limit", "payments"), values, strict=True)).items() <= result.to_json().items()


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'reed'"):
        tilescore.reed  # type: ignore[attr-defined]  # noqa: B018


@pytest.mark.parametrize("photo", [PHOTO, str(PHOTO), PHOTO.read_bytes(), load_photo(PHOTO).rgb])
def test_a_photo_in_any_form_has_the_same_hand(photo: object) -> None:
    reading = tilescore.read(photo)  # type: ignore[arg-type]
    assert str(reading.hand) == "234m45633p678s (555z<5z) +8s"
    assert getattr(tilescore.score(reading, "riichi"), "total", None) == 1500


def test_a_photo_a_text_and_a_hand_score_alike() -> None:
    text = "234m45633p678s (555z<5z) +8s"
    found = {str(tilescore.score(hand, "mcr").to_json()) for hand in (PHOTO, str(PHOTO), text, Hand.parse(text))}
    assert len(found) == 1


def test_options_context_and_winning_tile_count() -> None:
    won = tilescore.Context(win_by=tilescore.WinBy.DISCARD, discarder=tilescore.Seat.WEST, seat=tilescore.Seat.SOUTH)
    result = tilescore.score(PHOTO, "riichi", context=won, options={"profile": "ema"}, winning_tile="6s")
    data = result.to_json()
    assert (data["han"], data["total"], data["payments"]["W"]) == (1, 1000, -1000)


@pytest.mark.parametrize(
    ("hand", "options", "code"),
    [
        ("nothing.jpg", {}, "no_such_file"),
        (b"no picture", {}, None),
        ("123x", {}, None),
        (PHOTO, {"winning_tile": "9s"}, "winning_tile_not_seen"),
        (Path("datasets/sample/discard_pond.jpg"), {"options": {"no_such": 1}}, None),
        ("123m", {"context": {"win_by": "discard"}}, "not_a_context"),
        ("123m", {"winning_tile": 5}, "unknown_tile"),
    ],
)
def test_bad_input_is_one_sentence(hand: object, options: dict[str, object], code: str | None) -> None:
    with pytest.raises(InputError) as raised:
        tilescore.score(hand, "mcr", **options)  # type: ignore[arg-type]
    assert code is None or raised.value.code == code
    assert "\n" not in str(raised.value)


def again(value: object) -> object:
    """What the representation of the value makes."""
    return eval(repr(value), {"Tile": Tile, "Meld": Meld, "Hand": Hand})  # noqa: S307  # our own text


def test_repr_is_code_that_makes_the_value_again() -> None:
    assert all(again(tile) is tile for tile in (*PLAYING_TILES, *BONUS_TILES))
    draw = Random(0)
    for _ in range(300):
        data = random_hand(draw, won=True)
        hand = Hand.from_json({key: data[key] for key in ("concealed", "melds", "winning_tile", "bonus")})
        assert again(hand) == hand
        assert all(again(meld) == meld for meld in hand.melds)


def test_a_notebook_shows_the_photo_and_a_table_of_the_tiles() -> None:
    reading = tilescore.read(PHOTO)
    page = reading._repr_html_()
    assert "data:image/jpeg;base64,/9j/" in page
    assert page.count("<rect") == len(reading.detections)
    assert page.count("<tr>") == 1 + len(reading.layout.order)
    assert "<td>8s</td><td>winning</td>" in page
    assert "data:image/jpeg" in reading.with_win()._repr_html_()
    assert "data:image/jpeg" not in Reading.of(reading.seen, size_wh=reading.size_wh)._repr_html_()


def test_a_notebook_shows_the_questions() -> None:
    reading = Reading.of((), size_wh=(10, 10))
    assert all(escape(doubt.message) in reading._repr_html_() for doubt in reading.doubts)
    assert reading.doubts
