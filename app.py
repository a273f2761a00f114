"""The app for `streamlit run app.py`, behind the same door as `tilescore app`, which has further limits."""

from streamlit.starlette import App

from tilescore.ui.server.copies.routes import routes
from tilescore.ui.server.door import THIS_MACHINE
from tilescore.ui.server.server import ENTRY, apologise, guards
from tilescore.ui.server.uploads import freed_uploads

app = App(ENTRY, routes=routes(), middleware=guards(THIS_MACHINE), lifespan=freed_uploads, on_script_error=apologise)
