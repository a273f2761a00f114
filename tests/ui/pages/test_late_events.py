"""Events of components that the page no longer draws."""

import pytest

from tilescore.ui.components import assets


def test_an_event_of_a_component_that_has_gone_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """Streamlit calls the callback all the same, and knows the key no longer."""
    state: dict[str, object] = {}
    monkeypatch.setattr("streamlit.session_state", state)
    assert assets.fresh_event("fan_list", "act") == {}
    state["fan_list"] = {"act": {"id": 1, "name": "pinfu"}}
    assert assets.fresh_event("fan_list", "act") == {"id": 1, "name": "pinfu"}
    assert assets.fresh_event("fan_list", "act") == {}
