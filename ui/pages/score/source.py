"""The source of the hand: first of all a photo; else the camera, a sample, or the keyboard."""

import json
from dataclasses import dataclass
from html import escape
from typing import Final

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from tilescore.datasets.sample import SAMPLES
from tilescore.errors import InputError
from tilescore.models.registry import DEFAULT, models, used
from tilescore.scoring.context import Context
from tilescore.ui.components.document.messages import show_error, show_warning
from tilescore.ui.components.game.button import button
from tilescore.ui.components.header import variables
from tilescore.ui.pages.score import share
from tilescore.ui.services.photo_reading import MODEL_KEY, TYPES, chosen_model, read_photo
from tilescore.ui.state import arrivals, session
from tilescore.ui.state.fields import follow, remembered, show_value
from tilescore.ui.state.hand import at_table, in_game
from tilescore.ui.state.hand.work import Work
from tilescore.ui.state.kept import past_hands
from tilescore.ui.state.undisturbed import undisturbed
from tilescore.ui.words.audience import is_guest
from tilescore.ui.words.text import explained, telling, words
from tilescore.vision.image.config import PHOTO_LIMITS
from tilescore.vision.layout.layout import Role

_FIRST: Final = "riichi_closed"
"""The sample that comes first, which has a score in five rulesets."""


@dataclass(slots=True)
class _Source:
    """What the session remembers of the source."""

    begun: bool = False  # whether the hand of the address was opened
    taken: str | None = None  # the upload that was read last, so that an edit does not read it again
    # the `id` of the empty hand that a photo left that could not be read, and a sentence about the photo
    failed: tuple[str, str] = ("", "")
    # The sample to read. It is cleared only after the reading, as an upload is: a tap during the reading starts the
    # page anew, which then reads the sample.
    wanted: str | None = None
    camera: bool = False  # whether the camera of this device shows its picture


def _source() -> _Source:
    return remembered("source", _Source)


def choose_source() -> None:
    """Draw the button for a photo and read what is chosen; as long as there is no hand, say where to start."""
    _begin()
    with st.container(key=None if session.has_hand() else "ts_begin"):
        start = st.empty()
    _ask_photo()
    below = st.empty()
    source = _source()
    if source.wanted is not None:
        _take_sample(source.wanted)
    if not session.has_hand():
        start.html(f'<p class="ts-start">{escape(words("source.start"))}</p>')
        with below.container():
            offer_others()
            ask_notation(session.history().now)
        return
    start.html(f"<style>:root {{ {variables({'photograph': words('source.again')})} }}</style>")
    below.empty()
    hand, why = source.failed
    work = session.history().now
    if why and hand == work.id and not work.order:
        with st.container(key="ts_failed"):
            show_error(why)


@undisturbed()
def _begin() -> None:
    """Open the hand of the address at the start of a session."""
    if not _source().begun:
        share.arrive()
        _source().begun = True


def _ask_photo() -> None:
    """Draw the button for a photo and read what it brings."""
    file = st.file_uploader(
        words("source.file"), TYPES, key="upload", label_visibility="collapsed",
        max_upload_size=PHOTO_LIMITS.max_bytes // 1_000_000,
    )  # fmt: skip
    if file is not None and _source().taken != file.file_id:
        _take_photo(file, file.name)


def offer_others() -> None:
    """Draw the buttons for a hand without a photo of one's own, and what the pressed one opens."""
    st.html(f'<p class="ts-label">{words("source.others")}</p>')
    with st.container(horizontal=True, gap="small"):
        for name, icon in (("sample", "image"), ("typed", "keyboard"), ("camera", "photo_camera")):
            button(f"source.{name}", _choose, name, icon=icon)
    if _source().camera:
        shot = st.camera_input(words("source.shot"), key="shot", label_visibility="collapsed")
        if shot is not None and _source().taken != shot.file_id:
            _take_photo(shot, words("source.shot"))
            st.rerun(scope="fragment")
    if session.shows_sample():
        _sample_choice()
    _choose_model()


def ask_notation(work: Work) -> None:
    """Draw the text field of the hand."""

    def take(typed: str, _before: str) -> None:
        session.type_notation(typed, anew=in_game.is_finished(), kept=past_hands.holds(work))

    text, wrong = session.mine().mistyped
    field = follow(session.hand_key("notation"), text or work.notation, take)
    st.text_input(
        words("notation"), help=words("notation.help"), placeholder="123m456p77z (789s) +3m &1f", autocomplete="off",
        **field.value,
    )  # fmt: skip
    if wrong:
        show_error(wrong)


def _choose_model() -> None:
    """Draw the choice of the model if there are several; the host reads that the chosen one cannot be used."""
    if not is_guest():
        with telling(show_warning):
            used()
    names = [model.name for model in models()]
    if len(names) < 2:
        return
    show_value(MODEL_KEY, chosen_model())
    st.selectbox(
        words("model.choose"), names, index=names.index(chosen_model()), key=MODEL_KEY, on_change=_model_chosen,
        help=words("model.help"),
        format_func=lambda name: words("model.shipped", name=name) if name == DEFAULT else name,
        persist_state="session",
    )  # fmt: skip


def _model_chosen() -> None:
    """Read the photo that is shown again."""
    _source().taken = None
    if session.shows_sample():
        _sample_chosen()


def _sample_choice() -> None:
    names = sorted((path.stem for path in SAMPLES.glob("*.jpg")), key=lambda name: (name != _FIRST, name))
    if not names:
        st.info(words("source.no_samples"))
        return
    st.pills(
        words("source.samples"), names, default=names[0], key="sample", on_change=_sample_chosen,
        format_func=lambda name: words(f"sample.{name}"), label_visibility="collapsed", persist_state="session",
    )  # fmt: skip


def _sample_chosen() -> None:
    _source().wanted = st.session_state.get("sample") or _FIRST


def _choose(name: str) -> None:
    """Read the sample, start an empty hand from which undo brings the one before back, or open or close the camera."""
    source = _source()
    source.wanted = None
    source.camera = name == "camera" and not source.camera
    if name == "sample":
        _sample_chosen()
    elif name == "typed":
        session.take(Work())


def _take_sample(name: str) -> None:
    path = SAMPLES / f"{name}.jpg"
    if not path.is_file():
        _source().wanted = None
        return
    truth = path.with_suffix(".json")
    known = json.loads(truth.read_text(encoding="utf-8")) if truth.is_file() else {"win_by": "self_draw"}
    work = _read(path.read_bytes(), path.name)
    with undisturbed():
        if work is not None:
            session.show_sample(_won(work, known.get("winning_tile")), Context.from_json(known))
        _source().wanted = None


def _won(work: Work, tile: str | None) -> Work:
    """The hand with the winning tile that is known of a sample, so that a first look shows a score."""
    if tile is None or any(work.role(at) is Role.WINNING for at in work.order):
        return work
    places = [at for at in work.order if work.role(at) is Role.CONCEALED and str(work.tile(at)) == tile]
    return work.with_role(places[-1], Role.WINNING) if places else work


def _take_photo(file: UploadedFile, name: str) -> None:
    work = _read(file.getvalue(), name)
    with undisturbed():
        if work is not None:
            session.take_photo(work, chosen_s=arrivals.chosen_s(file.file_id))
        _source().taken = file.file_id


def _read(data: bytes, name: str) -> Work | None:
    """The hand in a photo; None for a bad photo, which leaves an empty table and its error until the next hand."""
    try:
        return read_photo(data, name, rules=at_table.rules_of_next())
    except InputError as error:
        with undisturbed():
            session.take(Work())
            _source().failed = (session.history().now.id, explained(error))
        return None
