"""Frames of a video, and labels that follow their tiles through them."""

from functools import partial
from pathlib import Path  # typer reads the annotations
from typing import Annotated

import typer

from tilescore.errors import InputError
from tilescore.printable import as_argument, counted
from tilescore.ui.cli.options import place_of
from tilescore.ui.cli.progress import progress_bar
from tilescore.ui.cli.sets.reading import require_pictures, tell
from tilescore.ui.cli.terminal import complain, say


def frames(
    video: Annotated[
        Path, typer.Argument(help="A video: .mp4, .mov, .webm, ...; or a film with labels.", show_default=False)
    ],
    out: Annotated[Path, typer.Argument(help="The folder to write pictures into.", show_default=False)],
    *,
    every: Annotated[float, typer.Option(help="Seconds between two frames that are looked at.")] = 0.2,
    all_frames: Annotated[bool, typer.Option("--all", help="Write every such frame: a film, to follow tiles.")] = False,
) -> None:
    """Take the pictures out of a video that differ, the sharpest of each view.

    Of a folder with a labelled film it writes the frames that differ with their labels, in YOLO format.
    """
    from tilescore.datasets.video_frames import extract  # OpenCV

    if video.is_dir():
        _labelled_frames(video, out)
        return
    said: list[str] = []
    stopped = f"stopped: the pictures so far are kept in '{out}'; start again to go on."
    with progress_bar("watching", stopped=stopped) as progress:
        extracted = extract(video, out, every_s=every, every_frame=all_frames, progress=progress, warn=said.append)
    for sentence in said:
        complain(sentence)
    found = len(extracted.pictures) - len(extracted.others) - extracted.written
    before = f"; {counted(found, 'picture')} as before" if found else ""
    compared = counted(extracted.compared, "frame")
    say(f"wrote {counted(extracted.written, 'picture')} of {compared} looked at into {out}{before}", err=True)
    if extracted.others:
        missing = counted(len(extracted.others), "frame")
        complain(
            f"{missing} missing: other pictures with their names lie there already, such "
            f"as '{extracted.others[0]}', and stay. Give a new folder if they are of another video."
        )


def _labelled_frames(film: Path, out: Path) -> None:
    """Write the frames of a labelled film that differ, with their labels."""
    from tilescore.datasets import formats  # OpenCV
    from tilescore.datasets.labels import complete
    from tilescore.datasets.video_frames import different, frames_in

    labels = formats.read(film)
    whole, incomplete = complete(labels.pictures)
    labelled = [picture for picture in whole if picture.boxes]
    require_pictures(labelled, labels, film)
    with progress_bar("looking") as progress:
        frames = frames_in([picture.path for picture in labelled], progress=progress)
        kept = [frame.number for frame in different(frames)]
    with progress_bar("writing") as progress:
        clashes = formats.write([labelled[at] for at in kept], out, format_name="yolo", progress=progress)
    tell(labels, (*incomplete, *clashes))
    written = counted(len(kept) - len(clashes), "different frame")
    say(f"wrote {out}: {written} of {len(labelled)} with labels", err=True)


def follow(
    folder: Annotated[
        Path, typer.Argument(parser=place_of, help="A folder with the frames of films, some of them labelled.")
    ],
) -> None:
    """Let the labels of the corrected frames follow their tiles through the film.

    A frame is corrected if a person has checked it or changed it (tilescore annotate), or another program has labelled
    it. Between two corrected frames the boxes are interpolated along the way of the tiles; behind the last one they are
    followed alone.
    """
    from tilescore.datasets.annotation.film import TRACKER, films  # OpenCV
    from tilescore.datasets.annotation.film import follow as run_follow
    from tilescore.datasets.annotation.folder import AnnotationFolder

    labels = AnnotationFolder(folder)
    films_here = films(labels.pictures()[0])
    if not films_here:
        message = f"'{folder}' has no film, that is pictures with the same name but for the last number: "
        raise InputError(
            "no_film", f"{message}make one with tilescore dataset frames VIDEO {as_argument(folder)} --all."
        )
    unlabelled = 0
    for film in films_here:
        try:
            with progress_bar("following") as progress:
                done = run_follow(labels, film, partial(labels.save, by=TRACKER), progress=progress)
        except InputError as error:
            if error.code != "nothing_corrected" or len(films_here) == 1:
                raise
            unlabelled += 1
            continue
        followed = counted(done.frames, "frame")
        say(
            f"{film[0].key} and on: {followed} followed, {done.changed} with new labels, {done.hidden} "
            "with a hidden tile to look at",
            err=True,
        )
    if unlabelled:
        say(f"without a labelled frame yet: {counted(unlabelled, 'film')}", err=True)
