"""The app for `streamlit run app.py`, behind the same door as `tilescore app`, which has further limits."""

from streamlit.config import set_option
from streamlit.starlette import App

from tilescore.ui.server.door import THIS_MACHINE
from tilescore.ui.server.routes import routes
from tilescore.ui.server.server import ENTRY, apologise, guards, settings
from tilescore.ui.server.uploads import freed_uploads
from tilescore.ui.state.undisturbed import keep_presses_whole

keep_presses_whole()
for option, value in settings().items():
    set_option(option, value)
app = App(ENTRY, routes=routes(), middleware=guards(THIS_MACHINE), lifespan=freed_uploads, on_script_error=apologise)
