"""The shipped networks: where they lie, and proof that they are what they say."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from scoring.errors import InputError
from vision.classifier import OnnxClassifier
from vision.detector import OnnxDetector
from vision.eye import Eye
from vision.fusion import Fusion

if TYPE_CHECKING:
    from collections.abc import Mapping

FOLDER: Final = Path(__file__).parent
_LIST: Final = FOLDER / "models.json"
DEFAULT: Final = "tiles46"


class ModelError(InputError):
    """A network that is missing, changed or unknown."""


@dataclass(frozen=True, slots=True)
class ModelFile:
    """One network's file.

    Attributes:
        path: where it lies.
        sha256: what its bytes must hash to.
    """

    path: Path
    sha256: str

    def checked(self) -> Path:
        """The path, once the file is known to be what was shipped; raises ModelError."""
        if not self.path.is_file() or sha256_of(self.path) != self.sha256:
            raise ModelError(
                "damaged_model",
                f"models/{self.path.name} is missing or not the file that was shipped: get it again with git checkout.",
                name=self.path.name,
            )
        return self.path


@dataclass(frozen=True, slots=True)
class Model:
    """What reads a photo: a detector, and a classifier that looks again at each tile it found.

    Attributes:
        name: what it is called on the command line and in results.
        detector: finds tiles.
        classifier: names them; None to rely on the detector's names.
        fusion: how their opinions are joined.
    """

    name: str
    detector: ModelFile
    classifier: ModelFile | None = None
    fusion: Fusion = field(default_factory=Fusion)

    @property
    def label(self) -> str:
        """Name and short hash, as results carry it."""
        return f"{self.name}@{self.detector.sha256[:12]}"


def shipped() -> tuple[Model, ...]:
    """Every shipped model, the default first."""
    return tuple(_model(entry) for entry in json.loads(_LIST.read_text(encoding="utf-8")))


@cache
def load_eye(name: str = DEFAULT) -> Eye:
    """The eye with the shipped model of that name, or with the detector in an .onnx file; loaded once.

    Raises:
        ModelError: if there is no such model, or its files are not what was shipped.
    """
    model = _find(name)
    try:
        detector = OnnxDetector(model.detector.checked(), model.label)
        if model.classifier is None:
            return Eye(detector)
        return Eye(detector, OnnxClassifier(model.classifier.checked()), model.fusion)
    except ModelError:
        raise
    except Exception as error:  # onnxruntime has no common base for what it raises
        raise ModelError(
            "unreadable_model", f"'{name}' is no network that can be run: export it again.", name=name
        ) from error


def sha256_of(path: Path) -> str:
    """Hex digest of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _find(name: str) -> Model:
    if name.endswith(".onnx"):
        path = Path(name)
        if not path.is_file():
            raise ModelError("no_such_model", f"'{name}' does not exist: give the path of an .onnx file.", name=name)
        return Model(path.stem, ModelFile(path, sha256_of(path)))
    known = {model.name: model for model in shipped()}
    if name not in known:
        raise ModelError("unknown_model", f"'{name}' is no shipped model: choose {', '.join(known)}.", name=name)
    return known[name]


def _model(entry: Mapping[str, Any]) -> Model:
    detector = ModelFile(FOLDER / entry["detector"]["file"], entry["detector"]["sha256"])
    second = entry.get("classifier")
    if second is None:
        return Model(entry["name"], detector)
    classifier = ModelFile(FOLDER / second["file"], second["sha256"])
    joined: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in entry["fusion"].items()}
    return Model(entry["name"], detector, classifier, Fusion(**joined))


def write_fusion(name: str, fusion: Fusion) -> None:
    """Write how the opinions of that model's networks are joined into models.json."""
    entries = json.loads(_LIST.read_text(encoding="utf-8"))
    for entry in entries:
        if entry["name"] == name:
            entry["fusion"] = asdict(fusion)
    _LIST.write_text(json.dumps(entries, indent=1) + "\n", encoding="utf-8")


def sign() -> None:
    """Write the hashes of the files as they are now into models.json: after training, before shipping."""
    entries = json.loads(_LIST.read_text(encoding="utf-8"))
    for entry in entries:
        for part in ("detector", "classifier"):
            if part in entry:
                entry[part]["sha256"] = sha256_of(FOLDER / entry[part]["file"])
    _LIST.write_text(json.dumps(entries, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sign()
