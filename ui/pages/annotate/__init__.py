"""The annotation page."""

from typing import Final

FOLDER: Final = "TILESCORE_ANNOTATE"
"""The environment variable with the folder; without it there is no such page."""
MODEL: Final = "TILESCORE_ANNOTATE_MODEL"
"""The environment variable with the model that suggests labels; without it the shipped one does."""
