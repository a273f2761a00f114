"""The shipped networks: where they lie, and proof that they are what they say."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from scoring.errors import InputError
from vision.detector import OnnxDetector

FOLDER: Final = Path(__file__).parent
_LIST: Final = FOLDER / "models.json"
DEFAULT: Final = "tiles46"


class ModelError(InputError):
    """A network that is missing, changed or unknown."""


@dataclass(frozen=True, slots=True)
class ModelFile:
    """One shipped network.

    Attributes:
        name: what it is called on the command line and in results.
        file: its file beside this module.
        sha256: of that file.
    """

    name: str
    file: str
    sha256: str

    @property
    def path(self) -> Path:
        """Where it lies."""
        return FOLDER / self.file

    @property
    def label(self) -> str:
        """Name and short hash, as results carry it."""
        return f"{self.name}@{self.sha256[:12]}"


def shipped() -> tuple[ModelFile, ...]:
    """Every shipped network, the default first."""
    entries = json.loads(_LIST.read_text(encoding="utf-8"))
    return tuple(ModelFile(entry["name"], entry["file"], entry["sha256"]) for entry in entries)


@cache
def load_detector(name: str = DEFAULT) -> OnnxDetector:
    """The shipped detector of that name, or the one in an .onnx file; verified, loaded once. Raises ModelError."""
    if name.endswith(".onnx"):
        path = Path(name)
        if not path.is_file():
            raise ModelError("no_such_model", f"'{name}' does not exist: give the path of an .onnx file.", name=name)
        return _open(ModelFile(path.stem, str(path.resolve()), sha256_of(path)))
    known = {model.name: model for model in shipped()}
    if name not in known:
        raise ModelError("unknown_model", f"'{name}' is no shipped model: choose {', '.join(known)}.", name=name)
    model = known[name]
    if not model.path.is_file() or sha256_of(model.path) != model.sha256:
        raise ModelError(
            "damaged_model",
            f"models/{model.file} is missing or not the file that was shipped: get it again with git checkout.",
            name=name,
        )
    return _open(model)


def sha256_of(path: Path) -> str:
    """Hex digest of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _open(model: ModelFile) -> OnnxDetector:
    try:
        return OnnxDetector(model.path, model.label)
    except Exception as error:
        raise ModelError(
            "unreadable_model", f"'{model.file}' is no network that can be run: export it again.", name=model.name
        ) from error
