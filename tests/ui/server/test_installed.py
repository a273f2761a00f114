"""The document around all pages."""

import re

from tilescore.ui.server.installed import LOADED_AHEAD, modules_ahead


def test_the_document_loads_every_module_of_our_pages() -> None:
    """Streamlit names its files anew in every version; without a module its elements push others away as they come."""
    script = modules_ahead().decode()
    assert tuple(re.findall(r'import "\./static/js/(\w+)\.[\w-]+\.js";', script)) == LOADED_AHEAD
