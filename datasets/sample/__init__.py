"""The sample photos that ship with the app."""

from pathlib import Path
from typing import Final

SAMPLES: Final = Path(__file__).resolve().parent
"""Folder of the samples: each is a JPEG, with the hand that it shows in a JSON file of the same name."""
