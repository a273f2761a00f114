"""The script that `tilescore app` serves. `app.py` at the root does the same for `streamlit run app.py`."""

from tilescore.ui.pages.frame import run

run()
