"""Where the hand comes from: a photo, the camera, a sample, or the keyboard."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

import cv2
import streamlit as st

from models.registry import load_eye
from scoring.context import Context
from scoring.errors import InputError
from ui import session
from ui.pages import circumstances, share
from ui.text import explained, plain, sentence, words
from ui.work import Picture, Work
from vision.photo import MOST_BYTES, decode_photo

if TYPE_CHECKING:
    from vision.photo import Photo
    from vision.reading import Reading

SAMPLES: Final = Path(__file__).parents[2] / "datasets" / "sample"
_FIRST: Final = "riichi_closed"
"""The sample at the start: worth something in all four rulesets."""
_TYPES: Final = ("jpg", "jpeg", "png", "webp", "heic", "heif")
_SOURCES: Final = ("upload", "camera", "sample", "typed")
_SHOWN_LONG_SIDE: Final = 1600
_TAKEN: Final = "taken"
"""Key of the upload that was read last: an edit must not read it again."""


def choose_source() -> None:
    """Draw the choice and take what is chosen."""
    if _TAKEN not in st.session_state:
        st.session_state[_TAKEN] = None
        if not share.arrive() and not session.history().now.order:
            _take_sample(_FIRST)
    st.session_state.setdefault("source", "sample")
    source = st.segmented_control(
        words("source"), _SOURCES, required=True, key="source", width="stretch", persist_state="session",
        format_func=lambda name: words(f"source.{name}"), label_visibility="collapsed", on_change=_source_chosen,
    )  # fmt: skip
    if source == "upload":
        file = st.file_uploader(
            words("source.file"), _TYPES, key="upload", label_visibility="collapsed",
            max_upload_size=MOST_BYTES // 1_000_000,
        )  # fmt: skip
        if file is not None and st.session_state[_TAKEN] != file.file_id:
            st.session_state[_TAKEN] = file.file_id
            _take_photo(file.getvalue(), file.name)
    elif source == "camera":
        shot = st.camera_input(words("source.shot"), key="shot", label_visibility="collapsed")
        if shot is not None and st.session_state[_TAKEN] != shot.file_id:
            st.session_state[_TAKEN] = shot.file_id
            _take_photo(shot.getvalue(), words("source.shot"))
    elif source == "sample":
        _sample_choice()


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
    name = st.session_state["sample"]
    if name is not None:
        _take_sample(name)


def _source_chosen() -> None:
    """The keyboard starts with an empty table, from which undo brings the photo back; a sample is ready at once."""
    source = st.session_state["source"]
    if source == "typed":
        session.take(Work())
    elif source == "sample":
        _take_sample(st.session_state.get("sample") or _FIRST)


def _take_sample(name: str) -> None:
    path = SAMPLES / f"{name}.jpg"
    if not path.is_file():
        return
    _take_photo(path.read_bytes(), path.name)
    truth = path.with_suffix(".json")
    if truth.is_file():
        circumstances.preset(Context.from_json(json.loads(truth.read_text(encoding="utf-8"))))


def _take_photo(data: bytes, name: str) -> None:
    """Read a photo and put its hand on the table; what is wrong with it is said, and nothing is lost."""
    try:
        with st.spinner(words("source.reading")):
            reading, picture = _read(hashlib.sha256(data).hexdigest(), data, name)
    except InputError as error:
        st.error(plain(sentence(explained(error))))
        return
    session.take(Work(reading=reading, picture=picture))


@st.cache_resource(max_entries=48, show_spinner=False)
def _read(digest: str, _data: bytes, _name: str) -> tuple[Reading, Picture]:
    """What a photo says, remembered by its content; names of files are not remembered."""
    photo = decode_photo(_data, name=_name)
    reading = load_eye().read(replace(photo, name=digest[:12]))
    return reading, _shown(photo)


def _shown(photo: Photo) -> Picture:
    """The photo as the page shows it."""
    height, width = photo.rgb.shape[:2]
    factor = min(1.0, _SHOWN_LONG_SIDE / max(width, height))
    small = cv2.resize(photo.rgb, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA) if factor < 1 else photo.rgb
    _, jpeg = cv2.imencode(".jpg", cv2.cvtColor(small, cv2.COLOR_RGB2BGR), [cv2.IMWRITE_JPEG_QUALITY, 86])
    return Picture(jpeg.tobytes(), photo.size_wh)
