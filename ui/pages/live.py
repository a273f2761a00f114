"""The live table: a hand that lies still and complete before the camera is read and scored; one tap books it."""

from dataclasses import dataclass, field
from datetime import UTC, datetime
from html import escape
from pathlib import Path

import streamlit as st

from tilescore.errors import InputError
from tilescore.files.paths import data_folder, private_folder
from tilescore.scoring.context import Context
from tilescore.scoring.game.waits import waits_of
from tilescore.ui.components.assets import tile_pictures
from tilescore.ui.components.camera import stale_page
from tilescore.ui.components.camera.camera_tap import camera_tap
from tilescore.ui.components.document.messages import show_error, show_notice
from tilescore.ui.components.game.button import button
from tilescore.ui.components.game.news import follow_bookings
from tilescore.ui.components.header import header
from tilescore.ui.components.score import booking
from tilescore.ui.components.score.circumstances import ask_ruleset, offer_house_rules
from tilescore.ui.components.score.result import show_lines, worth_of
from tilescore.ui.components.score.training_photo import offer_training_photo
from tilescore.ui.components.tiles.photo_questions import ask_about_photo
from tilescore.ui.components.tiles.tile_canvas import tile_canvas
from tilescore.ui.services.photo_reading import PHOTO_QUALITY, chosen_reader
from tilescore.ui.state import session, table_state
from tilescore.ui.state.fields import remembered
from tilescore.ui.state.hand import at_table, in_game
from tilescore.ui.state.hand.work import Picture, Work
from tilescore.ui.state.kept import table_draft
from tilescore.ui.state.route import go_to
from tilescore.ui.words.audience import is_guest
from tilescore.ui.words.doubts import count_words
from tilescore.ui.words.text import explained, plain, words
from tilescore.vision.image.jpeg import jpeg_of
from tilescore.vision.video.frame_reader import FrameReader
from tilescore.vision.video.recorder import SUFFIX, Recording
from tilescore.vision.video.watch import State, Watch, WatchedFrame


@dataclass(slots=True)
class _Live:
    """What is remembered: `is_news` if the whole page has not drawn it yet; `not_kept` says why nothing is recorded."""

    watch: Watch = field(default_factory=Watch)
    is_news: bool = False
    recording: Recording | None = None
    not_kept: str | None = None


def _live() -> _Live:
    return remembered("live", _Live)


def page() -> None:
    """Draw the page: the camera, the score, which is in sight with it, and the hand."""
    stale_page.begin()
    _live().is_news = False  # a whole drawing has come: the fragment need not ask again
    _draw()
    table_draft.keep()
    stale_page.end("camera_tap")


def _draw() -> None:
    header(words("live.tagline"))
    booking.arrive()
    follow_bookings()
    with st.container(key="ts_live"):
        camera, told = st.container(key="ts_camera"), st.container(key="ts_live_told")
        canvas = st.container(key="ts_live_hand")
    with camera:
        _watch()
    with told:
        total = st.container()
        booking.show_game()
        in_game.follow_game()
        work = session.history().now
        if not _live().watch.hand:
            if table_state.state().saved is None:
                offer_house_rules(ask_ruleset())
            st.html(f'<div class="ts-card ts-none"><p>{escape(words("live.explain"))}</p></div>')
            with canvas:
                _offer_recording()
            return
        booking.ask_what_is_unknown(work)
        worth = booking.scored(work)
        with total:
            booking.show_worth(work, worth)
            ask_about_photo(work, worth.rules, worth.context, key="live", on_edit=session.edit)
        show_lines(worth.result)
        booking.offer_booking(work, worth.result)
        if table_state.state().saved is None:
            st.caption(words("live.no_game"))
            button("page.table", go_to, "table", key="live.table", icon="table_restaurant")
        offer_training_photo(work)
    with canvas:
        _show_hand()
        _offer_recording()


@st.fragment
def _watch() -> None:
    """The camera and its state, a fragment that is drawn with every frame."""
    if _live().is_news or stale_page.is_stale():
        st.rerun()
    watch = _live().watch
    idle = watch.understood is not None or watch.state is State.DARK
    camera_tap(state=watch.state, line=_line(watch), idle=idle, on_frame=_take)
    if watch.state is State.INCOMPLETE:
        _show_waits(watch)


def _take(frame: WatchedFrame) -> None:
    """Take one more frame; a new hand goes into the session, where the Hand page shows it too."""
    _record(frame)
    rules = at_table.rules_of_next()
    watch = _live().watch.for_game(rules.shapes, rules.traits.aside).after(frame, FrameReader(chosen_reader()))
    _live().watch = watch
    if not watch.is_news or watch.reading is None:
        return
    picture = Picture(jpeg_of(frame.rgb, quality=PHOTO_QUALITY), watch.reading.size_wh)
    session.take(Work(reading=watch.reading, picture=picture))
    _live().is_news = True


def _offer_recording() -> None:
    """Draw the switch of the recording for the host, and start or end the recording."""
    if is_guest():
        return
    wanted = st.toggle(words("live.record"), key="live.recording", help=words("live.record_help"))
    live = _live()
    if not wanted and live.recording is not None:
        live.recording.close()
        live.recording = None
    elif wanted and live.recording is None and live.not_kept is None:
        name = f"{datetime.now(tz=UTC).astimezone():%Y-%m-%d %H.%M.%S.%f}"[:-3] + SUFFIX
        try:
            live.recording = Recording(_new_folder(data_folder() / "recordings") / name)
        except InputError as error:
            live.not_kept = explained(error)
    if live.recording is not None:
        st.caption(plain(words("live.recorded", path=str(live.recording.path))))
    if live.not_kept is not None:
        show_error(live.not_kept)
        if not wanted:
            live.not_kept = None


def _new_folder(folder: Path) -> Path:
    try:
        private_folder(folder)
    except OSError as error:
        message = f"nothing can be kept in '{folder}' ({error.strerror}): see that the folder can be written."
        raise InputError("cannot_write", message, path=str(folder)) from None
    return folder


def _record(frame: WatchedFrame) -> None:
    """Add the frame to the recording if there is one; a failure ends the recording and is shown."""
    live = _live()
    if live.recording is None:
        return
    try:
        live.recording.add(frame)
    except InputError as error:
        live.recording, live.not_kept, live.is_news = None, explained(error), True


def _line(watch: Watch) -> str:
    """The state of the table in one sentence, or what the hand lacks."""
    reading = watch.reading
    if reading is not None and watch.state is State.INCOMPLETE:
        return count_words(reading.size, at_table.rules_of_next().traits.size)
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
    waits = waits_of(at_table.rules_of_next(), hand, Context())
    if waits:
        items = "".join(f"<li>{tile_pictures((tile,))}{worth_of(result)}</li>" for tile, result in waits)
        st.html(f'<div class="ts-card"><p>{words("score.waits")}</p><ul class="ts-waiting">{items}</ul></div>')


def _show_hand() -> None:
    show_notice()
    tile_canvas(session.history(), rules=at_table.rules_of_next(), on_edit=session.edit)
