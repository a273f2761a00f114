"""The shipped networks and those learned here: where they lie, and proof that they are what they say."""

import hashlib
import json
import os
import re
import shutil
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any, Final

from tilescore.errors import InputError
from tilescore.faults import out_of_memory
from tilescore.files.locks import lock_before_forks
from tilescore.files.outputs import write_whole
from tilescore.files.paths import data_folder
from tilescore.vision.classification.cascade import Cascade
from tilescore.vision.classification.classifier import Classifier, OnnxClassifier
from tilescore.vision.classification.fusion import Fusion
from tilescore.vision.classification.rectify import OnnxCorners
from tilescore.vision.detection.box_refiner import RefinedDetector
from tilescore.vision.detection.detector import Detector, OnnxDetector
from tilescore.vision.image.crops import Cropper, crop_boxes
from tilescore.vision.reader import TileReader

WEIGHTS_FOLDER: Final = Path(__file__).resolve().parent / "weights"
_LIST: Final = WEIGHTS_FOLDER / "models.json"
DEFAULT: Final = "tiles46"
MODEL_ENTRY: Final = "model.json"
"""What makes a folder a learned model."""
USED: Final = "used.txt"
"""The file beside the learned models that names the one to use where none is named."""
PARTS: Final = ("detector", "refiner", "backs", "classifier", "closer", "corners")
"""The networks that a model may have."""


_LOADING: Final = lock_before_forks()


class ModelError(InputError):
    """A network that is missing, changed or unknown."""


@dataclass(frozen=True, slots=True)
class ModelFile:
    """One network's file."""

    path: Path
    sha256: str

    def checked(self) -> Path:
        """The path, once the file is known to be what was shipped; raises ModelError."""
        if not self.path.is_file() or sha256_of(self.path) != self.sha256:
            ours = self.path.parent == WEIGHTS_FOLDER
            remedy = "get it again with git checkout" if ours else "take its folder away and learn it again"
            where = f"models/weights/{self.path.name}" if ours else f"'{self.path}'"
            message = f"{where} is missing or not the file that was {'shipped' if ours else 'learned'}: {remedy}."
            raise ModelError("damaged_model", message, name=self.path.name)
        return self.path


@dataclass(frozen=True, slots=True)
class Model:
    """What reads a photo: a detector, and what looks again at each tile it found."""

    name: str  # what it is called on the command line and in results
    detector: ModelFile  # finds tiles
    # judges what it proposes and puts the edges right; None to take its boxes as they are
    refiner: ModelFile | None = None
    backs: ModelFile | None = None  # judges so what it takes for backs; None to leave these to the refiner
    classifier: ModelFile | None = None  # names them; None to rely on the detector's names
    # looks again, closer, at what is unclear to the classifier; None to leave it at that
    closer: ModelFile | None = None
    # finds the corners of faces, so that these are laid straight for the closer look; None to leave them so
    corners: ModelFile | None = None
    fusion: Fusion = field(default_factory=Fusion)  # how their probabilities are joined
    learned: bool = False  # whether it was learned on this machine (`tilescore.models.finetuning.tile_set`)

    @property
    def files(self) -> tuple[ModelFile, ...]:
        """All its networks."""
        return tuple(file for part in PARTS if (file := getattr(self, part)) is not None)

    @property
    def label(self) -> str:
        """Name and short hash of the network that makes it what it is, as results carry it."""
        told = self.classifier if self.learned and self.classifier is not None else self.detector
        return f"{self.name}@{told.sha256[:12]}"

    @property
    def digest(self) -> str:
        """Hash of all its networks and of how they are joined: models that may read differently differ in it."""
        files = [file.sha256 for file in self.files]
        return hashlib.sha256(repr((files, self.fusion)).encode()).hexdigest()[:16]


def shipped() -> tuple[Model, ...]:
    """Every shipped model, the default first."""
    try:
        entries = tuple(_model(entry) for entry in json.loads(_LIST.read_text(encoding="utf-8")))
    except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
        message = f"'{_LIST}', the list of models, is missing or damaged: install Tilescore again."
        raise ModelError("damaged_list", message, path=str(_LIST)) from error
    if not entries:
        raise ModelError("damaged_list", f"'{_LIST}' names no model: install Tilescore again.", path=str(_LIST))
    return entries


def learned() -> tuple[Model, ...]:
    """Every model that was learned here, by name; a folder that makes no sense is passed over."""
    folders = (listed.parent for listed in sorted((data_folder() / "models").glob(f"*/{MODEL_ENTRY}")))
    return tuple(model for folder in folders if (model := model_in(folder)) is not None)


def model_in(folder: Path) -> Model | None:
    """The learned model in a folder; None if what is there makes no sense, or names files elsewhere."""
    try:
        entry = json.loads((folder / MODEL_ENTRY).read_text(encoding="utf-8"))
        model = _model(entry | {"name": folder.name}, folder)
        plain = all(Path(entry[part]["file"]).name == entry[part]["file"] for part in PARTS if part in entry)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None
    return replace(model, learned=True) if plain else None


def chosen() -> str:
    """The name of the model that a person has chosen, whether it is there or not; else the shipped one."""
    try:
        return (data_folder() / "models" / USED).read_text(encoding="utf-8").strip() or DEFAULT
    except (OSError, ValueError):
        return DEFAULT


def used() -> str:
    """The name of the model that is used where none is named; raises ModelError if the chosen one cannot be used."""
    name = chosen()
    if name not in {model.name for model in models()}:
        message = f"the chosen model '{name}' is damaged or gone: choose another, tilescore models use {DEFAULT}."
        raise ModelError("chosen_model_gone", message, name=name)
    return name


def models() -> tuple[Model, ...]:
    """What can be chosen: the shipped models, then those learned here."""
    return (*shipped(), *learned())


def place_for(name: str) -> Path:
    """The folder where a learned model of that name will lie; raises ModelError if it cannot be called that."""
    if not re.fullmatch(r"[\w-]{1,40}", name):
        message = f"'{name}' is no name for a model: up to 40 letters, digits, - and _."
        raise ModelError("bad_model_name", message, name=name)
    if name in {model.name for model in shipped()} or (data_folder() / "models" / name).exists():
        message = f"there is a model '{name}' already: choose another --name; nothing is written over."
        raise ModelError("model_exists", message, name=name)
    return data_folder() / "models" / name


def free_name(wish: str) -> str:
    """A name for a learned model that is not taken: what is wished for as far as it can be, and a number if need be."""
    base = re.sub(r"[^\w-]+", "-", wish).strip("-")[:32] or "mine"
    taken = {model.name for model in shipped()}
    names = (base, *(f"{base}-{number}" for number in range(2, 10_000)))
    return next(n for n in names if n not in taken and not (data_folder() / "models" / n).exists())


def write_learned(folder: Path, *, start: Model, networks: Mapping[str, Path], fusion: Fusion) -> Model:
    """Complete a folder that holds learned networks, so that it is a model: what else it needs, and what says so.

    `networks` are files in the folder: its `classifier`, and `closer` if that was learned too; the others stay those of
    `start`.
    """
    entry: dict[str, Any] = {}
    for part in PARTS:
        kept = getattr(start, part)
        if part in networks:
            file = networks[part]
        elif kept is not None:
            file = shutil.copyfile(kept.checked(), folder / kept.path.name)
        else:
            continue
        entry[part] = {"file": file.name, "sha256": sha256_of(file)}
    entry["fusion"] = asdict(fusion)
    write_whole(folder / MODEL_ENTRY, (json.dumps(entry, indent=1) + "\n").encode())
    return replace(_model(entry | {"name": folder.name}, folder), learned=True)


def load_reader(name: str = DEFAULT) -> TileReader:
    """The reader with a model, loaded once in a process, and again if another model has got that name.

    `name` is as `find` takes it. Raises ModelError if there is no such model, or its files are not what was shipped.
    """
    model = find(name)
    with _LOADING:
        return _loaded(name or model.name, model, os.getpid())


@cache  # for each process: a fork has no thread of the networks; it neither uses nor frees those of its parent
def _loaded(name: str, model: Model, _process: int) -> TileReader:
    try:
        detector = detector_of(model)
        if model.classifier is None:
            return TileReader(detector)
        corners = None if model.corners is None else OnnxCorners(model.corners.checked())
        return TileReader(detector, classifier_of(model), model.fusion, corners=corners)
    except InputError:
        raise
    except Exception as error:  # onnxruntime has no common base for what it raises
        if out_of_memory(error):
            raise
        raise ModelError(
            "unreadable_model", f"'{name}' is no network that can be run: export it again.", name=name
        ) from error


def resolved(name: str) -> str:
    """The name by which a process elsewhere finds the same model: of the used one for no name, and absolute paths."""
    name = name or used()
    return str(Path(name).resolve()) if Path(name).exists() and name not in {m.name for m in models()} else name


def load_same_reader(name: str, label: str) -> TileReader:
    """The reader with a model, in a process that may run elsewhere; raises ModelError unless the model has that label.

    `label` is what `Detector.name` of the reader is.
    """
    reader = load_reader(name)
    if reader.detector.name != label:
        message = (
            f"'{name}' is {reader.detector.name} on a worker and {label} here: give the workers the same model "
            "(tilescore models export and import), or leave out --cluster."
        )
        raise ModelError("other_model", message, name=name)
    return reader


def classifier_of(model: Model) -> Classifier:
    """What names tiles in that model, as its networks do it together; raises ModelError if it has none for that."""
    if model.classifier is None:
        raise ModelError("no_classifier", f"'{model.name}' has no classifier: choose another model.", name=model.name)
    first = OnnxClassifier(model.classifier.checked())
    if model.closer is None:
        return first
    return Cascade(first, OnnxClassifier(model.closer.checked(), cutter_of(model)), fine_tuned=model.learned)


def cutter_of(model: Model) -> Cropper:
    """How that model cuts out what it looks at closer."""
    return crop_boxes if model.corners is None else OnnxCorners(model.corners.checked()).crop


def detector_of(model: Model) -> Detector:
    """The detector of a model with its box refiners; raises ModelError if its files are not what was shipped."""
    path = model.detector.checked()
    if model.refiner is None:
        return OnnxDetector(path, model.label)
    backs = None if model.backs is None else model.backs.checked()
    return RefinedDetector(OnnxDetector(path, model.label, refined=True), model.refiner.checked(), backs)


def sha256_of(path: Path) -> str:
    """Hex digest of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@cache  # each reading asks for the model
def _hash_since(path: Path, *_state: int) -> str:
    return sha256_of(path)


def find(name: str) -> Model:
    """The model of that name, in that folder, or of a detector's .onnx file; the used one for no name.

    Raises ModelError if there is none.
    """
    name = name or used()
    if name.endswith(".onnx"):
        path = Path(name)
        if not path.is_file():
            raise ModelError("no_such_model", f"'{name}' does not exist: give the path of an .onnx file.", name=name)
        stat = path.stat()
        return Model(path.stem, ModelFile(path, _hash_since(path, stat.st_ino, stat.st_mtime_ns, stat.st_size)))
    by_name = {model.name: model for model in models()}
    if name in by_name:
        return by_name[name]
    if (Path(name) / MODEL_ENTRY).is_file() and (model := model_in(Path(name))) is not None:
        return model
    if Path(name).is_file():
        raise ModelError("unknown_model", f"'{name}' is a file: take it in with tilescore models import.", name=name)
    raise ModelError("unknown_model", f"'{name}' is no model here: choose {', '.join(by_name)}.", name=name)


def _model(entry: Mapping[str, Any], folder: Path = WEIGHTS_FOLDER) -> Model:
    if "classifier" not in entry:
        return Model(entry["name"], _file(entry["detector"], folder))
    files: dict[str, Any] = {part: _file(entry[part], folder) for part in PARTS if part in entry}
    joined: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in entry["fusion"].items()}
    return Model(entry["name"], **files, fusion=Fusion(**joined))


def _file(entry: Mapping[str, str], folder: Path) -> ModelFile:
    return ModelFile(folder / entry["file"], entry["sha256"])


def write_fusion(name: str, fusion: Fusion) -> None:
    """Write how the probabilities of that model's networks are joined into models.json."""
    entries = json.loads(_LIST.read_text(encoding="utf-8"))
    for entry in entries:
        if entry["name"] == name:
            entry["fusion"] = asdict(fusion)
    write_whole(_LIST, (json.dumps(entries, indent=1) + "\n").encode())


def sign() -> None:
    """Write the hashes of the files as they are now into models.json: after training, before shipping."""
    entries = json.loads(_LIST.read_text(encoding="utf-8"))
    for entry in entries:
        for part in PARTS:
            if part in entry:
                entry[part]["sha256"] = sha256_of(WEIGHTS_FOLDER / entry[part]["file"])
    write_whole(_LIST, (json.dumps(entries, indent=1) + "\n").encode())


if __name__ == "__main__":
    sign()
