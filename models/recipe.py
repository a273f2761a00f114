"""Recipes: one TOML file for each training of a network, see `models/recipes`.

Paths in a recipe are relative to the working directory.
"""

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tilescore.errors import InputError

DETECTOR: Final = "detector"
BACKS_HEAD: Final = "backs_head"
POOR_PHOTOS: Final = "poor_photos_detector"
BOX_REFINER: Final = "box_refiner"
BACKS_BOX_REFINER: Final = "backs_box_refiner"
CLASSIFIER: Final = "classifier"
HIGH_RESOLUTION: Final = "high_resolution_classifier"
CORNERS: Final = "corners"

_COMMON: Final = ("network", "out", "scenes", "seed", "rate", "batch")
_KEYS: Final[Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]]] = {
    **dict.fromkeys((DETECTOR, BACKS_HEAD), (("start", "data", "epochs"), ("repeats",))),
    POOR_PHOTOS: (("start", "data", "steps"), ()),
    **dict.fromkeys((BOX_REFINER, BACKS_BOX_REFINER), (("data", "detector", "steps"), ("start", "keep"))),
    CLASSIFIER: (("data", "steps"), ("start", "keep", "singles", "detector")),
    HIGH_RESOLUTION: (("data", "steps"), ("start", "keep", "first", "corners")),
    CORNERS: (("steps",), ()),
}
"""Keys that a recipe must and may have, by network, beside those of all recipes."""
_LEAST_KEPT: Final = 2
"""Fewest crops of a step that keeps what clear crops show."""
_INPUTS: Final = ("start", "data", "singles", "detector", "first", "corners")
"""Keys that name a file or a folder that must exist."""


class RecipeError(InputError):
    """A recipe that cannot be read or names files that do not exist."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """How one network is trained."""

    name: str  # name of the run in the folder `runs`: the name of the recipe file without `.toml`
    # Which network, e.g. `classifier`.
    network: str
    out: Path  # the .onnx file to write
    scenes: tuple[Path, ...]  # folders of rendered scenes
    seed: int  # seed of all random choices
    rate: float  # highest learning rate
    batch: int  # pictures a step
    steps: int = 0  # number of steps; 0 for a detector that counts epochs
    epochs: int = 0  # number of passes over the pictures; 0 for the other networks
    repeats: int = 1  # how often each photo stands in the training list of the detector
    start: Path | None = None  # the network to start from (.onnx; for the detector also .pt); None for random weights
    keep: bool = False  # whether a network of crops keeps what its start says of clear ones, and learns poor ones
    data: Path | None = None  # folder of labelled photos with manifest.csv
    singles: Path | None = None  # folder with pictures of single tiles, a folder a class
    detector: Path | None = None  # the detector (.onnx) whose proposals or false detections are training data
    first: Path | None = None  # the first classifier (.onnx); crops that are unclear to it are oversampled
    corners: Path | None = None  # the corner network (.onnx) that rectifies crops

    def require_inputs(self) -> None:
        """Raise RecipeError if the recipe names a file or folder that does not exist, or `keep` cannot be done."""
        inputs = [(key, path) for key in _INPUTS if (path := getattr(self, key)) is not None]
        for key, path in (*inputs, *(("scenes", folder) for folder in self.scenes)):
            if not path.exists():
                message = f"the recipe '{self.name}' names {key} '{path}', which does not exist: correct the path."
                raise RecipeError("recipe_input_missing", message, key=key, path=str(path))
        if self.data is not None and not (self.data / "manifest.csv").is_file():
            message = f"the recipe '{self.name}' names data '{self.data}', which has no manifest.csv: correct the path."
            raise RecipeError("recipe_input_missing", message, key="data", path=str(self.data))
        if self.keep and self.start is None:
            message = (
                f"the recipe '{self.name}' keeps what its start says but names no start: add start, or leave keep out."
            )
            raise RecipeError("recipe_input_missing", message, key="start")
        if self.keep and self.batch < _LEAST_KEPT:
            message = f"the recipe '{self.name}' has keep and steps of {self.batch} crop: batch must be at least 2."
            raise RecipeError("bad_value", message, key="batch")


def load_recipe(path: Path) -> Recipe:
    """Read a recipe; raises RecipeError if the file, a key or a value is wrong."""
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError:
        message = f"the recipe '{path}' cannot be read: name a .toml file, for example models/recipes/classifier.toml."
        raise RecipeError("no_recipe", message, path=str(path)) from None
    except ValueError as error:  # bad TOML, or bytes that are not UTF-8
        raise RecipeError("bad_recipe", f"'{path}' is not a TOML file: {error}.", path=str(path)) from None
    network = table.get("network")
    if not isinstance(network, str) or network not in _KEYS:
        message = f"'{path}': network is {network!r}; choose one of {', '.join(_KEYS)}."
        raise RecipeError("unknown_network", message, path=str(path))
    needed = (*_COMMON, *_KEYS[network][0])
    allowed = (*needed, *_KEYS[network][1])
    for key in table:
        if key not in allowed:
            message = f"'{path}': unknown key '{key}'; a recipe for {network} may have {', '.join(allowed)}."
            raise RecipeError("unknown_key", message, path=str(path), key=key)
    for key in needed:
        if key not in table:
            message = f"'{path}': the key '{key}' is missing; a recipe for {network} must have {', '.join(needed)}."
            raise RecipeError("missing_key", message, path=str(path), key=key)
    values: dict[str, Any] = {}
    for key, value in table.items():
        kind, right, convert = _KINDS.get(key, _PATH)
        if not right(value):
            message = f"'{path}': {key} is {value!r}, but must be {kind}."
            raise RecipeError("bad_value", message, path=str(path), key=key)
        values[key] = convert(value)
    return Recipe(name=path.stem, **values)


def _whole(value: object, least: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= least


def _text(value: object) -> bool:
    return isinstance(value, str) and bool(value)


def _folders(value: object) -> bool:
    return isinstance(value, list) and all(_text(entry) for entry in value)


def _positive(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < float("inf")


_Kind = tuple[str, "Callable[[Any], bool]", "Callable[[Any], Any]"]
"""What a value must be, its check, its conversion."""
_PATH: Final[_Kind] = ("a path", _text, Path)
_COUNT: Final[_Kind] = ("a whole number of at least 1", lambda value: _whole(value, 1), int)
_KINDS: Final[Mapping[str, _Kind]] = {
    "network": ("a name", _text, str),
    "scenes": ("a list of folders", _folders, lambda value: tuple(map(Path, value))),
    "seed": ("a whole number of at least 0", lambda value: _whole(value, 0), int),
    "rate": ("a positive number", _positive, float),
    "batch": _COUNT,
    "keep": ("true or false", lambda value: isinstance(value, bool), bool),
    "steps": _COUNT,
    "epochs": _COUNT,
    "repeats": _COUNT,
}
