"""The sample photos that ship with the app, and the code that draws them."""

from pathlib import Path
from typing import Final

SAMPLES: Final = Path(__file__).resolve().parent
"""Each photo is a JPEG; the JSON beside it says which hand it shows."""
