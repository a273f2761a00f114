"""The Streamlit app for `streamlit run app.py`; its pages are in ui/pages, its settings in .streamlit/config.toml."""

from tilescore.ui.pages.frame import run

run()
