"""Which model reads this visitor's photos: the shipped one, unless another was learned here and is chosen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import streamlit as st

from tilescore.models.registry import DEFAULT, load_reader, models
from tilescore.ui.words.text import words

if TYPE_CHECKING:
    from collections.abc import Callable

    from tilescore.vision.reader import TileReader

_KEY: Final = "model"


def chosen_model() -> str:
    """The model's name; the shipped one when the chosen one has gone."""
    name = st.session_state.get(_KEY, DEFAULT)
    return name if name == DEFAULT or name in {model.name for model in models()} else DEFAULT


def chosen_eye() -> TileReader:
    """The reader with that model; raises ModelError when its files are damaged."""
    return load_reader(chosen_model())


def choose_model(on_change: Callable[[], None]) -> None:
    """Draw the choice where there is one; `on_change` is called when another is chosen."""
    names = [model.name for model in models()]
    if len(names) < 2:
        return
    st.session_state[_KEY] = chosen_model()
    st.selectbox(
        words("model.choose"), names, key=_KEY, on_change=on_change, help=words("model.help"), persist_state="session",
        format_func=lambda name: words("model.shipped", name=name) if name == DEFAULT else name,
    )  # fmt: skip
