"""The address of the shared app as a QR code, for the other phones at the table."""

from __future__ import annotations

from html import escape

import segno
import streamlit as st

from tilescore.ui.state.sharing import passphrase, shared_at
from tilescore.ui.words.audience import is_guest
from tilescore.ui.words.text import words


def invitation(path: str = "") -> None:
    """Draw a button that shows the code of that page; nothing if the app is not shared."""
    address = shared_at()
    if address is None:
        return
    with st.popover(words("invite"), icon=":material/qr_code_2:"):
        code = segno.make(address + path).svg_data_uri(scale=6, border=2, dark="#1b2823", light="#ffffff")
        st.html(f'<img class="ts-code" src="{code}" alt="{words("invite.code")}">')
        st.caption(words("invite.how"))
        st.code(address + path, language=None)
        if passphrase() and not is_guest():
            st.html(f'<p class="ts-passphrase">{words("invite.passphrase", passphrase=escape(passphrase()))}</p>')
