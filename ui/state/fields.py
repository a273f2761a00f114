"""The values of fields that follow the state of the app."""

from __future__ import annotations

import streamlit as st


def show_value(key: str, value: object) -> None:
    """Show the value in the field of that key, which is drawn next.

    Streamlit sends a value that is set here to the browser, even if the field has it already. There it overwrites what
    a person has pressed in the meantime, and their next message brings the old value back as if they had chosen it.
    So only a value that differs is set.
    """
    if key not in st.session_state or _differ(st.session_state[key], value):
        st.session_state[key] = value


def _differ(shown: object, value: object) -> bool:
    """Whether the values differ; a choice of several has no order."""
    if isinstance(shown, list) and isinstance(value, list):
        return len(shown) != len(value) or any(one not in value for one in shown)
    return shown != value
