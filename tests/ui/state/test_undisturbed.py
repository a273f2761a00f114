"""A press is answered wholly, although the browser sends another message meanwhile."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from streamlit.runtime.scriptrunner import script_runner
from streamlit.testing.v1 import AppTest

from tilescore.ui.server.server import settings
from tilescore.ui.state.undisturbed import keep_presses_whole, undisturbed

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(autouse=True)
def _whole_presses() -> Iterator[None]:
    before = vars(script_runner)["SafeSessionState"]
    keep_presses_whole()
    yield
    vars(script_runner)["SafeSessionState"] = before


def _page() -> None:
    """A page whose button takes several steps, while a message of the browser comes in."""
    import streamlit as st
    from streamlit.runtime.scriptrunner import RerunData, get_script_run_ctx

    def book() -> None:
        context = get_script_run_ctx()
        assert context is not None
        assert context.script_requests is not None
        st.session_state["saved"] = True
        for _ in range(2):
            assert context.script_requests.request_rerun(RerunData())
        st.session_state["form"] = "empty"
        st.query_params["game"] = "1"
        st.session_state["done"] = True

    st.session_state.setdefault("form", "full")
    st.session_state["drawings"] = st.session_state.get("drawings", 0) + 1
    st.button("Book", key="book", on_click=book)
    st.text(st.session_state["form"])


def test_a_message_meanwhile_waits_until_the_press_is_answered() -> None:
    app = AppTest.from_function(_page).run()
    app.button(key="book").click().run()
    assert app.text[0].value == "empty"
    assert app.session_state["done"]
    assert app.session_state["drawings"] == 2, "the message is heard before the page is drawn"


def test_an_interrupted_drawing_still_ends() -> None:
    """Only presses are whole: a drawing ends as soon as something newer is to be drawn."""
    app = AppTest.from_function(_slow_page).run()
    assert app.session_state["begun"] == 2
    assert app.session_state["ended"] == 1


def _slow_page() -> None:
    import streamlit as st
    from streamlit.runtime.scriptrunner import RerunData, get_script_run_ctx

    context = get_script_run_ctx()
    assert context is not None
    assert context.script_requests is not None
    st.session_state["begun"] = st.session_state.get("begun", 0) + 1
    if st.session_state["begun"] == 1:
        context.script_requests.request_rerun(RerunData())
    st.session_state["ended"] = st.session_state.get("ended", 0) + 1


def test_the_app_has_one_run_of_its_script_at_a_time() -> None:
    assert settings()["runner.fastReruns"] is False


def _reading_page() -> None:
    """A page that takes a photo while it is drawn, and draws again for a message that came meanwhile."""
    import streamlit as st
    from streamlit.runtime.scriptrunner import RerunData, get_script_run_ctx

    from tilescore.ui.state.undisturbed import undisturbed

    context = get_script_run_ctx()
    assert context is not None
    assert context.script_requests is not None
    if "hand" not in st.session_state:
        with undisturbed():
            st.session_state["hand"] = "in part"
            context.script_requests.request_rerun(RerunData())
            st.session_state["hand"] = "whole"
    st.session_state["drawings"] = st.session_state.get("drawings", 0) + 1
    st.text(st.session_state["hand"])


def test_a_change_while_the_page_is_drawn_is_whole_where_it_says_so() -> None:
    app = AppTest.from_function(_reading_page).run()
    assert app.text[0].value == "whole"
    assert app.session_state["drawings"] == 1, "the first drawing ends right after the change"


def test_undisturbed_needs_no_page() -> None:
    with undisturbed():
        pass
