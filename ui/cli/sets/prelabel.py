"""The model's predictions for all pictures of a folder, made on all cores or a cluster; each is saved at once."""

from dataclasses import dataclass
from functools import partial
from pathlib import Path

from tilescore.datasets.annotation.folder import NO_ACCESS, AnnotationFolder
from tilescore.datasets.annotation.index import Index
from tilescore.datasets.annotation.predictions import Prediction
from tilescore.datasets.inside import Inside
from tilescore.errors import InputError
from tilescore.models.registry import DEFAULT, load_reader, load_same_reader, resolved
from tilescore.processes.parallel import ALL_CORES, Pool, work_through
from tilescore.processes.progress import Progress, unseen
from tilescore.vision.image.photo import decode_photo


@dataclass(frozen=True, slots=True)
class Prelabelled:
    """How many pictures were predicted now and before, and which cannot be read (name and reason)."""

    now: int
    before: int
    unreadable: tuple[str, ...]


def prelabel(root: Path, *, model: str = DEFAULT, pool: Pool = ALL_CORES, progress: Progress = unseen) -> Prelabelled:
    """Predict every picture that has no prediction of this model yet; a second run goes on where the first stopped.

    Raises InputError if the folder cannot be labelled, or there is no such model.
    """
    index = Index(AnnotationFolder(root))
    index.refresh()
    model = resolved(model)
    name = load_reader(model).detector.name
    files = {picture.path.absolute(): picture for picture in index.without_prediction(name)}
    before = index.counts().pictures - len(files)
    for done, (path, answer) in enumerate(
        work_through(partial(_predict, model, name, root.absolute()), files, pool), start=1
    ):
        if isinstance(answer, Prediction):
            index.keep_prediction(files[path], answer)
        else:
            index.set_aside(files[path], answer)
        progress(done, len(files))
    if files or not index.has_shared:
        index.share_predictions()
    return Prelabelled(index.counts().pictures - before, before, tuple(map(str, index.problems)))


def _predict(model: str, label: str, root: Path, path: Path) -> Prediction | InputError:
    """The model's prediction, or why the picture cannot be read; raises ModelError where the model is not there."""
    reader = load_same_reader(model, label)
    try:
        photo = decode_photo(Inside(root).read_picture(path), name=str(path))
        return Prediction.of(reader.read(photo))
    except OSError as error:
        return InputError(NO_ACCESS, f"'{path}' cannot be read ({error.strerror}).", path=str(path))
    except InputError as error:
        return error
