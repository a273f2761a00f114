"""The address of the shared app as a QR code, for the other phones at the table."""

from html import escape
from ipaddress import ip_address
from urllib.parse import urlsplit

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
        st.caption(words("invite.how" if _is_number(address) else "invite.how_anywhere"))
        st.code(address + path, language=None)
        if passphrase() and not is_guest():
            st.html(f'<p class="ts-passphrase">{words("invite.passphrase", passphrase=escape(passphrase()))}</p>')


def _is_number(address: str) -> bool:
    """Whether the address names a machine by its number in the network, and not by a name for all."""
    try:
        ip_address(urlsplit(address).hostname or "")
    except ValueError:
        return False
    return True
