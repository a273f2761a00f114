"""The reading of a photo by the visitor's model: once for all who show the same photo, few photos at a time."""

import hashlib
import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from threading import BoundedSemaphore
from typing import Final

import streamlit as st

from tilescore.models.registry import DEFAULT, Model, chosen, find, load_reader, models
from tilescore.scoring.ruleset import Ruleset
from tilescore.scoring.tiles import ALL_FACES
from tilescore.ui.state.hand.edits import box_of
from tilescore.ui.state.hand.work import Picture, Work
from tilescore.ui.words.text import words
from tilescore.vision.decoding.reading import Reading
from tilescore.vision.detections import Candidate
from tilescore.vision.image.jpeg import jpeg_of
from tilescore.vision.image.photo import decode_photo
from tilescore.vision.reader import TileReader

MODEL_KEY: Final = "model"
"""Key of the visitor's choice of a model."""
TYPES: Final = ("image/*", "jpg", "jpeg", "png", "webp", "heic", "heif", "avif", "jxl", "tif", "tiff", "bmp", "gif")
"""What a browser offers as a photo: pictures of any kind, on a phone its camera, and the endings of file names."""
_LOOKED: Final = "looked"
_MOST_NAMES: Final = 4
_LEAST_SHARE: Final = 0.02
"""Names for a box that a person drew: at most so many, each at least so probable."""
_SHOWN_LONG_SIDE: Final = 1600
PHOTO_QUALITY: Final = 86
"""Photos on a page: the length of the long side, in pixels, and the quality."""
_SLOTS: Final = BoundedSemaphore(max(1, (os.cpu_count() or 2) // 2))
"""Photos read at a time: a reading keeps two cores busy, and more readings at once would delay all of them."""


def chosen_model() -> str:
    """The name of the visitor's model: the shipped one, unless another is chosen and still there."""
    name = st.session_state.get(MODEL_KEY) or chosen()
    return name if name == DEFAULT or name in {model.name for model in models()} else DEFAULT


def chosen_reader() -> TileReader:
    """The reader with the visitor's model; raises ModelError when its files are damaged."""
    return load_reader(chosen_model())


@dataclass(frozen=True, slots=True)
class Look:
    """What the networks see in a box that a person drew."""

    corners: tuple[float, ...]  # the box as the browser sent it
    names: tuple[Candidate, ...]  # the likeliest tiles; empty if the networks see none


def answer(work: Work, corners: object) -> None:
    """Answer a canvas that asks what may be in that box of the photo; raises InputError for a malformed box."""
    box = box_of(work, corners)
    names: tuple[Candidate, ...] = ()
    reader = chosen_reader()
    if work.picture is not None and reader.classifier is not None:
        rgb = decode_photo(work.picture.jpeg, name="photo").rgb
        shares = reader.probabilities(rgb, [box.scaled(rgb.shape[1] / work.picture.size_wh[0])])[0]
        best = sorted(zip(shares.tolist(), ALL_FACES, strict=False), key=lambda pair: -pair[0])[:_MOST_NAMES]
        names = tuple(Candidate(tile, share) for share, tile in best if share >= _LEAST_SHARE)
    st.session_state[_LOOKED] = Look(tuple(corners) if isinstance(corners, list) else (), names)


def last_look() -> Look | None:
    """The last answer to a canvas."""
    seen: Look | None = st.session_state.get(_LOOKED)
    return seen


def read_photo(data: bytes, name: str, *, rules: Ruleset) -> Work:
    """The hand in a photo; raises InputError. The page shows a spinner meanwhile.

    Where the rules set tiles aside, those that lie beside the hand are found.
    """
    with _slot(), st.spinner(words("source.reading")):
        reading, picture = _read(hashlib.sha256(data).hexdigest(), find(chosen_model()), data, name)
        if rules.traits.aside:
            reading = reading.in_game(rules.shapes, aside=rules.traits.aside, is_win=reading.is_win)
    return Work(reading=reading, picture=picture)


@contextmanager
def _slot() -> Iterator[None]:
    """One of the slots for readings at the same time; the page shows a message while all are taken."""
    with ExitStack() as taken:
        if _SLOTS.acquire(blocking=False):
            taken.callback(_SLOTS.release)
        else:
            with st.spinner(words("source.busy")):
                _SLOTS.acquire()
                taken.callback(_SLOTS.release)
        yield


@st.cache_resource(max_entries=48, show_spinner=False, hash_funcs={Model: lambda model: (model.name, model.digest)})
def _read(digest: str, model: Model, _data: bytes, _name: str) -> tuple[Reading, Picture]:
    """The reading of a photo by that model, cached by the content of the photo; file names are not kept."""
    photo = decode_photo(_data, name=_name)
    reading = load_reader(model.name).read(replace(photo, name=digest[:12]))
    return reading, Picture(jpeg_of(photo.rgb, quality=PHOTO_QUALITY, long_side_px=_SHOWN_LONG_SIDE), photo.size_wh)
