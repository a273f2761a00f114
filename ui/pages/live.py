"""The live table: a hand that lies still and complete before the camera is read and scored; one tap books it."""

from __future__ import annotations

from datetime import UTC, datetime
from html import escape
from typing import TYPE_CHECKING, Final

import cv2
import streamlit as st

from tilescore.base.errors import InputError
from tilescore.base.paths import data_folder, private_folder
from tilescore.scoring.context import Context
from tilescore.scoring.game.progression import Player
from tilescore.scoring.hand import Hand
from tilescore.scoring.score import Score
from tilescore.ui.components.assets import deck
from tilescore.ui.components.camera.camera_tap import camera_tap
from tilescore.ui.components.header import header
from tilescore.ui.components.tiles.tile_canvas import tile_canvas
from tilescore.ui.pages.score.circumstances import ask_circumstances, ask_ruleset, offer_house_rules
from tilescore.ui.pages.score.page import ask_winning_tile, possible_wins
from tilescore.ui.pages.score.result import result_of, show_lines, show_total, worth_of
from tilescore.ui.pages.score.training_photo import offer_training_photo
from tilescore.ui.pages.table.page import show_messages
from tilescore.ui.state import house_rules, session, stale_page, table_state
from tilescore.ui.state.hand.one_tile_off import waits_of
from tilescore.ui.state.hand.work import Picture, Work
from tilescore.ui.state.photo_reading import chosen_reader
from tilescore.ui.state.route import go_to
from tilescore.ui.words.audience import is_guest
from tilescore.ui.words.doubts import count_words, hint
from tilescore.ui.words.game import name_of
from tilescore.ui.words.text import explained, plain, sentence, words
from tilescore.vision.video.frame_reader import FrameReader
from tilescore.vision.video.recorder import SUFFIX, Recording
from tilescore.vision.video.watch import Frame, State, Watch

if TYPE_CHECKING:
    from pathlib import Path

    from tilescore.scoring.game.ledger import Game
    from tilescore.scoring.score import NotAWin

_KEPT: Final = "live.watch"
_BOOKED: Final = "live.booked"
_FRESH: Final = "live.fresh"
_BY: Final = "live.by"
_RECORDING: Final = "live.recording_now"
_NOT_KEPT: Final = "live.not_kept"
_SELF_DRAW: Final = "self_draw"
_JPEG: Final = 86


def page() -> None:
    """Draw the page: the camera and the hand; beside them, on a phone below, the score."""
    stale_page.begin()
    st.session_state.pop(_FRESH, None)  # a whole drawing has come: the fragment need not ask again
    _draw()
    stale_page.end("camera_tap", _FRESH)


def _draw() -> None:
    header(words("live.tagline"))
    table_state.arrive()
    show_messages()
    left, right = st.columns([12, 9], gap="medium")
    with left:
        _watch()
        _offer_recording()
        canvas = st.container()
    saved = table_state.state().saved
    with right:
        name = ask_ruleset() if saved is None else saved.game.ruleset_name
        if saved is None:
            offer_house_rules(name)
        if not _watched().hand:
            st.html(f'<div class="ts-card ts-none"><p>{escape(words("live.explain"))}</p></div>')
            return
        work = session.history().now
        rules = house_rules.rules(name) if saved is None else saved.game.rules
        context = ask_circumstances(rules, work)
        result = result_of(rules, work, context)
        wins = possible_wins(rules, work, context)
        show_total(result, context, work, possible=[won for _, won in wins])
        if wins:
            ask_winning_tile(work)
        show_lines(result)
        _offer_booking(None if saved is None else saved.game, result)
        offer_training_photo(work)
    with canvas:
        _show_hand(work)


def _watched() -> Watch:
    kept: Watch = st.session_state.setdefault(_KEPT, Watch())
    return kept


@st.fragment
def _watch() -> None:
    """The camera and its state, a fragment that is drawn with every frame."""
    if _FRESH in st.session_state or stale_page.is_stale():
        st.rerun()
    watch = _watched()
    idle = watch.understood is not None or watch.state is State.DARK
    camera_tap(state=watch.state, line=_line(watch), idle=idle, on_frame=_take)
    if watch.state is State.INCOMPLETE:
        _show_waits(watch)


def _take(frame: Frame) -> None:
    """Take one more frame; a new hand goes into the session, where the Hand page shows it too."""
    _record(frame)
    watch = _watched().after(frame, FrameReader(chosen_reader()))
    st.session_state[_KEPT] = watch
    if not watch.is_news or watch.reading is None:
        return
    bgr = cv2.cvtColor(frame.rgb, cv2.COLOR_RGB2BGR)
    jpeg = cv2.imencode(".jpg", bgr, [cv2.IMWRITE_JPEG_QUALITY, _JPEG])[1].tobytes()
    session.take(Work(reading=watch.reading, picture=Picture(jpeg, watch.reading.size_wh)))
    st.session_state[_FRESH] = True
    st.session_state[_BY] = _SELF_DRAW


def _offer_recording() -> None:
    """Draw the switch of the recording for the host, and start or end the recording."""
    if is_guest():
        return
    wanted = st.toggle(words("live.record"), key="live.recording", help=words("live.record_help"))
    recording: Recording | None = st.session_state.get(_RECORDING)
    if not wanted and recording is not None:
        recording.close()
        del st.session_state[_RECORDING]
        recording = None
    elif wanted and recording is None and _NOT_KEPT not in st.session_state:
        name = f"{datetime.now(tz=UTC).astimezone():%Y-%m-%d %H.%M.%S.%f}"[:-3] + SUFFIX
        try:
            recording = Recording(_new_folder(data_folder() / "recordings") / name)
        except InputError as error:
            st.session_state[_NOT_KEPT] = explained(error)
        else:
            st.session_state[_RECORDING] = recording
    if recording is not None:
        st.caption(plain(words("live.recorded", path=str(recording.path))))
    if _NOT_KEPT in st.session_state:
        st.error(plain(sentence(st.session_state[_NOT_KEPT])))
        if not wanted:
            del st.session_state[_NOT_KEPT]


def _new_folder(folder: Path) -> Path:
    try:
        private_folder(folder)
    except OSError as error:
        message = f"nothing can be kept in '{folder}' ({error.strerror}): see that the folder can be written."
        raise InputError("cannot_write", message, path=str(folder)) from None
    return folder


def _record(frame: Frame) -> None:
    """Add the frame to the recording if there is one; a failure ends the recording and is shown."""
    recording: Recording | None = st.session_state.get(_RECORDING)
    if recording is None:
        return
    try:
        recording.add(frame)
    except InputError as error:
        del st.session_state[_RECORDING]
        st.session_state[_NOT_KEPT] = explained(error)
        st.session_state[_FRESH] = True


def _line(watch: Watch) -> str:
    """The state of the table in one sentence, or what the hand lacks."""
    reading = watch.reading
    if reading is not None and watch.state is State.INCOMPLETE:
        return count_words(reading.size, Hand.SIZE)
    if reading is not None and watch.state is State.COMPLETE:
        doubtful = len({doubt.detection for doubt in reading.doubts} - {None})
        return words("canvas.check", n=doubtful) if doubtful else words("live.complete")
    return words(f"live.{watch.state}")


def _show_waits(watch: Watch) -> None:
    """Draw the tiles for which thirteen tiles wait, with the score of each."""
    if watch.reading is None:
        return
    try:
        hand = watch.reading.hand
    except ValueError:  # five of a kind: the next frame may mend the misreading
        return
    saved = table_state.state().saved
    rules = house_rules.rules(session.ruleset_name()) if saved is None else saved.game.rules
    waits = waits_of(rules, hand, Context())
    if waits:
        faces, names = deck()["faces"], deck()["names"]
        items = "".join(
            f'<li><img src="{faces[str(tile)]}" alt="{escape(names[str(tile)])}">{worth_of(result)}</li>'
            for tile, result in waits
        )
        st.html(f'<div class="ts-card"><p>{words("score.waits")}</p><ul class="ts-waiting">{items}</ul></div>')


def _show_hand(work: Work) -> None:
    notice = session.notice()
    if notice:
        st.warning(plain(sentence(notice)))
    tile_canvas(session.history(), lit=(), hint=hint(work.reading, work.size), on_edit=session.edit)


def _offer_booking(game: Game | None, result: Score | NotAWin | str) -> None:
    """Draw a button for each player: one tap books the hand as theirs."""
    number = _watched().hand, _watched().revision
    if game is None:
        st.caption(words("live.no_game"))
        st.button(
            words("page.table"), key="live.table", icon=":material/table_restaurant:", on_click=go_to, args=("table",)
        )
        return
    if st.session_state.get(_BOOKED) == number:
        st.html(f'<div class="ts-card ts-none" role="status"><p>{escape(words("live.booked"))}</p></div>')
        return
    if not isinstance(result, Score) or not result.win or game.over:
        return
    names = {player: plain(name_of(game, player)) for player in game.position.players}
    by = st.pills(
        words("deal.by"), [_SELF_DRAW, *names], default=_SELF_DRAW, required=True, key=_BY,
        format_func=lambda key: words("deal.self_draw") if key == _SELF_DRAW else names[key],
    )  # fmt: skip
    st.html(f'<p class="ts-label">{words("live.book")}</p>')
    st.checkbox(words("deal.keep_photos"), value=True, key=table_state.KEEP_PHOTOS, help=words("deal.keep_photos_help"))
    with st.container(horizontal=True, key="ts_live_book"):
        for player, name in names.items():
            st.button(
                name, type="primary", disabled=by == player, width="stretch",
                **table_state.changing(f"live.book.{player}", _book, game, player),
            )  # fmt: skip


def _book(game: Game, winner: Player) -> None:
    """Book the hand; if the rules need more than this page asks for, open the draft on the table page."""
    by = st.session_state.get(_BY, _SELF_DRAW)
    table_state.fresh_draft()
    table_state.edit(winners=(winner,), discarder=None if by == _SELF_DRAW else Player(by))
    table_state.take_hand(winner)
    if table_state.state().draft.gap(game) is not None:
        go_to("table")
        return
    before = len(game.records)
    table_state.book()
    saved = table_state.state().saved
    if saved is not None and len(saved.game.records) > before:
        st.session_state[_BOOKED] = _watched().hand, _watched().revision
