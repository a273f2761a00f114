"""Commands about data sets: make, check and convert labelled pictures."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from tilescore.errors import InputError
from tilescore.printable import counted
from tilescore.ui.cli.options import (  # typer reads the annotations
    Cluster,
    InsecureCluster,
    Model,
    Workers,
    place_of,
    pool_of,
)
from tilescore.ui.cli.progress import progress_bar
from tilescore.ui.cli.sets.film import follow, frames
from tilescore.ui.cli.sets.layouts import layouts
from tilescore.ui.cli.sets.reading import (
    Folder,
    FormatName,
    Names,
    NoLook,
    read_set,
    require_pictures,
    settled,
    shipped_namer,
    tell,
    with_turned,
)
from tilescore.ui.cli.sets.versions import versions
from tilescore.ui.cli.terminal import is_unpacked, say, say_json

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from tilescore.datasets.checks.dataset_check import Report
    from tilescore.datasets.checks.finding import Finding
    from tilescore.datasets.labels import ClassName, Problem
    from tilescore.datasets.names.class_names import Settled

dataset_app = typer.Typer(help="Make, check and convert labelled pictures.", no_args_is_help=True)

dataset_app.command("frames")(frames)
dataset_app.command("follow")(follow)
dataset_app.command("versions")(versions)

_MOST_LINES: Final = 12
"""Findings of one kind that the terminal shows; --json and --report give all."""

AsJson = Annotated[bool, typer.Option("--json", help="One JSON object on stdout.")]
KeepDetails = Annotated[bool, typer.Option("--keep-details", help="Copy place, author and camera of the photos, too.")]
SplitShares = Annotated[
    str, typer.Option(help="How much each split gets; the numbers need not sum to 1, other splits stay as they are.")
]
ReportFile = Annotated[Path | None, typer.Option(help="Write the suspects as pictures there: .html, .jpg or .png.")]


@dataset_app.command("synth")
def synth(
    out: Annotated[Path, typer.Argument(help="Folder to write.")],
    *,
    count: Annotated[int, typer.Option(min=1, help="How many scenes.")],
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same scenes.")] = 0,
    workers: Workers = 0,
    cluster: Cluster = "",
    insecure_cluster: InsecureCluster = False,
    size: Annotated[int, typer.Option(min=160, max=4096, help="Long side of the pictures, pixels.")] = 640,
    only: Annotated[str, typer.Option(help="Of one kind: hand, scattered, tray, standing, game, few, rare.")] = "",
) -> None:
    """Render labelled scenes of tiles; started again, it goes on where it stopped."""
    from tilescore.datasets.synthesis.synth import default_folders, generate  # OpenCV

    pool = pool_of(workers, cluster, insecure=insecure_cluster)
    with progress_bar("rendering", kept_in=out) as progress:
        generate(
            out, count=count, seed=seed, size_px=size, folders=default_folders(), only=only,
            pool=pool, progress=progress,
        )  # fmt: skip


@dataset_app.command("prelabel")
def prelabel(
    folder: Annotated[Path, typer.Argument(parser=place_of, help="A folder of pictures to label.", show_default=False)],
    *,
    model: Model = "",
    names: Names = "",
    workers: Workers = 0,
    cluster: Cluster = "",
    insecure_cluster: InsecureCluster = False,
) -> None:
    """Let the model look at all pictures before you label them; started again, it goes on where it stopped."""
    from tilescore.ui.cli.sets.annotate import ready_to_label
    from tilescore.ui.cli.sets.prelabel import prelabel as run_prelabel  # loads the networks

    pool = pool_of(workers, cluster, insecure=insecure_cluster)
    folder = ready_to_label(folder, names)
    with progress_bar("looking", kept_in=folder) as progress:
        done = run_prelabel(folder, model=model, pool=pool, progress=progress)
    for reason in done.unreadable:
        say(f"skipped: {reason}", err=True)
    looked = f"{counted(done.now, 'picture')} looked at, {done.before} before"
    say(f"{looked}; {counted(len(done.unreadable), 'thing')} skipped", err=True)


@dataset_app.command("check")
def check(
    folder: Folder,
    *,
    as_json: AsJson = False,
    report: ReportFile = None,
    format_name: FormatName = None,
    names: Names = "",
    no_look: NoLook = False,
    workers: Workers = 0,
    cluster: Cluster = "",
    insecure_cluster: InsecureCluster = False,
    stamp: Annotated[bool, typer.Option("--stamp", help="Write this content down as the set's next version.")] = False,
    strict: Annotated[bool, typer.Option("--strict", help="Exit with 2 if anything is broken or leaks.")] = False,
) -> None:
    """Look for broken labels, duplicates, odd boxes and leaks between splits; changes nothing."""
    from tilescore.datasets.checks.dataset_check import check as run_check  # OpenCV
    from tilescore.datasets.checks.report_files import check_report_output, save_report

    if stamp and is_unpacked(folder):
        raise InputError("stamp_of_archive", f"'{folder}' is one file: unpack it, then --stamp its folder.")
    pool = pool_of(workers, cluster, insecure=insecure_cluster)
    reading = read_set(folder, format_name=format_name, names=names, look=not no_look)
    if report is not None:
        check_report_output(report, (picture.path for picture in reading.labels.pictures))
    with progress_bar("checking") as progress:
        checked = run_check(reading.labels, pool=pool, progress=progress)
    if stamp:
        checked = _stamped(checked, folder if folder.is_dir() else folder.parent)
    if report is not None:
        save_report(checked, report)
    if as_json:
        say_json(checked.to_json())
    else:
        say(*_report_lines(checked))
    if reading.needs_a_person or (strict and (checked.of("error") or checked.of("leak"))):
        raise typer.Exit(2)


def _stamped(checked: Report, root: Path) -> Report:
    """The report with the version under which its content is written down in the folder."""
    from dataclasses import replace

    from tilescore.datasets.splits import stamp

    pictures, boxes = sum(c.pictures for c in checked.counts), sum(c.boxes for c in checked.counts)
    return replace(checked, version=stamp(root, checked.digest, pictures=pictures, boxes=boxes))


@dataset_app.command("report")
def report(
    folder: Folder,
    out: Annotated[
        Path | None, typer.Argument(help="The page to write, by default NAME-report.html here.", show_default=False)
    ] = None,
    *,
    format_name: FormatName = None,
    names: Names = "",
    no_look: NoLook = False,
    workers: Workers = 0,
    cluster: Cluster = "",
    insecure_cluster: InsecureCluster = False,
) -> None:
    """Write a page about a whole set: classes, sizes, what the model sees, suspicious labels, near-duplicates."""
    from tilescore.datasets.checks.agreement import agreement  # OpenCV
    from tilescore.datasets.checks.dataset_check import check as run_check
    from tilescore.datasets.checks.report_files import check_report_output, save_report, sections

    pool = pool_of(workers, cluster, insecure=insecure_cluster)
    reading = read_set(folder, format_name=format_name, names=names, look=not no_look)
    pictures = reading.labels.pictures
    page = out or Path(f"{folder.resolve().stem}-report.html")
    if page.suffix.lower() != ".html":
        raise InputError("bad_report_name", f"'{page}' is no name for a page: let it end in .html.", path=str(page))
    check_report_output(page, (picture.path for picture in pictures), option="OUT")
    with progress_bar("checking") as progress:
        checked = run_check(reading.labels, pool=pool, progress=progress)
    with progress_bar("looking") as progress:
        opinion = agreement(pictures, None if no_look else shipped_namer(), progress=progress)
    alike = {name: f"{opinion.alike.get(name, 0) / count:.0%}" for name, count in opinion.compared.items()}
    save_report(checked, page, sections=sections(pictures, opinion), alike=alike)
    say(f"wrote {page}: {counted(len(pictures), 'picture')}, {counted(len(checked.findings), 'finding')}", err=True)
    if reading.needs_a_person:
        raise typer.Exit(2)


@dataset_app.command("split")
def split(
    folder: Folder,
    out: Annotated[Path, typer.Argument(help="A new folder or .zip to write, in YOLO format.", show_default=False)],
    *,
    shares: SplitShares = "train=0.8,val=0.1,test=0.1",
    seed: Annotated[int, typer.Option(help="Another one gives another split.")] = 0,
    format_name: FormatName = None,
    names: Names = "",
    no_look: NoLook = False,
    workers: Workers = 0,
    cluster: Cluster = "",
    insecure_cluster: InsecureCluster = False,
    keep_details: KeepDetails = False,
) -> None:
    """Write a data set with its pictures in splits; photos of one scene stay together, held-out ones stay held out."""
    from tilescore.datasets import formats  # OpenCV
    from tilescore.datasets.checks.scans import scan_all
    from tilescore.datasets.labels import complete
    from tilescore.datasets.splits import parse_shares, split_pictures

    pool = pool_of(workers, cluster, insecure=insecure_cluster)
    wanted = parse_shares(shares)
    reading = read_set(folder, format_name=format_name, names=names, look=not no_look)
    whole, incomplete = complete(reading.labels.pictures)
    labels = with_turned(reading.labels, whole)
    require_pictures(whole, labels, folder, out)
    with progress_bar("looking") as progress:
        scans = scan_all([picture.path for picture in whole], pool=pool, progress=progress)
    chosen = split_pictures(whole, [scan.fingerprint for scan in scans], shares=wanted, seed=seed)
    splits = dict(zip((picture.path for picture in whole), chosen, strict=True))
    with progress_bar("writing") as progress:
        clashes = formats.write(
            whole, out, format_name="yolo", splits=splits, keep_details=keep_details, progress=progress
        )
    left_out = (*incomplete, *clashes)
    tell(labels, left_out)
    counts = ", ".join(_split_counts(wanted, splits, clashes))
    say(f"wrote {out}: {counts}; {counted(len(labels.problems) + len(left_out), 'thing')} skipped", err=True)
    if reading.needs_a_person:
        raise typer.Exit(2)


def _split_counts(wanted: Iterable[str], splits: Mapping[Path, str], clashes: Iterable[Problem]) -> Iterator[str]:
    """How many pictures each split has got, the wanted ones first."""
    left_out = {problem.picture for problem in clashes}
    written = [split for path, split in splits.items() if path not in left_out]
    yield from (f"{name} {written.count(name)}" for name in wanted)
    yield from (f"{name} {written.count(name)} as before" for name in sorted({*written} - {*wanted}))


def _listed(problems: Iterable[Problem]) -> list[dict[str, str]]:
    return [{"code": problem.code, "where": problem.where, "detail": problem.detail} for problem in problems]


@dataset_app.command("convert")
def convert(
    folder: Folder,
    out: Annotated[Path, typer.Argument(help="A new folder, .zip or .tar to write.", show_default=False)],
    *,
    to: Annotated[
        str, typer.Option(help="yolo, coco, voc, labelstudio, labelme, createml or cvat.", show_default=False)
    ],
    format_name: FormatName = None,
    names: Names = "",
    no_look: NoLook = False,
    as_json: AsJson = False,
    keep_details: KeepDetails = False,
) -> None:
    """Write a data set in another format, pictures copied; what cannot be used is named and left out."""
    from tilescore.datasets import formats  # OpenCV
    from tilescore.datasets.labels import complete

    if to not in formats.WRITTEN:
        raise InputError("unknown_format", f"--to '{to}': choose one of {', '.join(sorted(formats.WRITTEN))}.")
    reading = read_set(folder, format_name=format_name, names=names, look=not no_look)
    whole, incomplete = complete(reading.labels.pictures)
    labels = with_turned(reading.labels, whole)
    require_pictures(whole, labels, folder, out)
    with progress_bar("writing") as progress:
        clashes = formats.write(whole, out, format_name=to, keep_details=keep_details, progress=progress)
    left_out = (*incomplete, *clashes)
    tell(labels, left_out)
    skipped = (*labels.problems, *left_out)
    boxes = labels.boxes - sum(problem.shapes for problem in left_out)
    pictures = len(labels.pictures) - len(left_out)
    lost = sum(problem.shapes for problem in skipped)
    written = f"{counted(pictures, 'picture')}, {counted(boxes, 'box')} of {counted(boxes + lost, 'label')}"
    say(f"wrote {out}: {written}; {counted(len(skipped), 'thing')} skipped", err=True)
    if as_json:
        counts = {"out": str(out), "format": to, "pictures": pictures, "boxes": boxes, "labels": boxes + lost}
        say_json(counts | {"skipped": _listed(skipped), "notes": _listed(labels.notes)})
    if reading.needs_a_person:
        raise typer.Exit(2)


dataset_app.command("layouts")(layouts)


@dataset_app.command("names")
def class_names(
    folder: Folder,
    *,
    format_name: FormatName = None,
    names: Names = "",
    no_look: NoLook = False,
    as_json: AsJson = False,
    write: Annotated[Path | None, typer.Option(help="Write the names there, to complete and give to --names.")] = None,
) -> None:
    """Say what each class name of another program's set is taken to mean, and whether the pictures agree."""
    from tilescore.datasets import formats  # OpenCV
    from tilescore.datasets.names.class_names import template
    from tilescore.datasets.names.looks import look_at
    from tilescore.files.outputs import check_output, write_whole

    answers = settled(names)
    source, classes = formats.class_names(folder, format_name=format_name, names=answers)
    if not classes:
        raise InputError("no_labels", f"'{folder}' has no label, and no list of class names: name a labelled set.")
    if write is not None:
        check_output(write, option="--write", is_ours=lambda _path: False)
        write_whole(write, template(classes).encode())
    look = None
    if not no_look and any(entry.sure and entry.tile for entry in classes):
        unsure: Settled = {entry.name: None for entry in classes if not entry.sure}
        labels = formats.read(folder, format_name=format_name, names=unsure | answers)
        look = look_at(labels.pictures, shipped_namer())
    shown = {} if look is None else look.seen
    seen = {entry.name: shown[entry.tile][0] for entry in classes if entry.tile is not None and entry.tile in shown}
    if as_json:
        rows = [entry.to_json() | ({"seen": seen[entry.name]} if entry.name in seen else {}) for entry in classes]
        fits = not look.list_is_wrong if look is not None and seen else None
        say_json({"source": source or None, "classes": rows, "fits": fits})
    else:
        say(*_name_rows(classes, source, seen))
    if look is not None and look.note is not None:
        say(f"note: {look.note.detail}", err=True)


def _name_rows(classes: Sequence[ClassName], source: str, seen: Mapping[str, str]) -> Iterator[str]:
    """The names as a table: name, tile, number of labels, and what the pictures show."""
    if source:
        yield f"names from {source}"
    elif all(entry.name.isdigit() for entry in classes):
        yield "the set has no list of names: its labels hold numbers alone"
    else:
        yield "the labels name their classes themselves"
    width = max((len(entry.name) for entry in classes), default=0)
    for entry in classes:
        maybe = f"? {' or '.join(entry.candidates[:3])}" if entry.candidates else "?"
        meaning = (entry.tile or "no tile") if entry.sure else maybe
        looks = f"  the pictures show {seen[entry.name]}" if entry.name in seen else ""
        yield f"  {entry.name:<{width}}  {meaning:<16} {entry.count:>7}{looks}"
    still = [entry for entry in classes if not entry.sure]
    if still:
        example = f"{still[0].name} = {still[0].candidates[0] if still[0].candidates else '1m'}"
        remedy = f"--write FILE lists them, complete it (e.g. {example}) for --names FILE"
        yield f"not sure: {counted(len(still), 'name')}; {remedy}"


def _report_lines(report: Report) -> Iterator[str]:
    """The report for a terminal; the gravest findings come last, next to the prompt."""
    from tilescore.datasets.checks.finding import SEVERITIES
    from tilescore.datasets.labels import CLASS_NAMES

    for severity in reversed(SEVERITIES):
        by_code: dict[str, list[Finding]] = {}
        for finding in report.of(severity):
            by_code.setdefault(finding.code, []).append(finding)
        for code, findings in by_code.items():
            yield f"{severity}: {code} ({len(findings)})"
            for finding in findings[:_MOST_LINES]:
                more = f" and {len(finding.where) - 3} more" if len(finding.where) > 3 else ""
                yield f"  {', '.join(finding.where[:3])}{more}: {finding.detail}"
            if len(findings) > _MOST_LINES:
                yield f"  {len(findings) - _MOST_LINES} more: see --report or --json"
    for count in report.counts:
        classes = sum(number > 0 for number in count.classes)
        yield (
            f"{count.split or 'no split'}: {counted(count.pictures, 'picture')}, {counted(count.boxes, 'box')}, "
            f"{classes} of {len(CLASS_NAMES)} classes"
        )
    version = "not stamped" if report.version is None else f"version {report.version}"
    yield f"{report.folder}: {report.format_name}, hash {report.digest}, {version}"
    yield ", ".join(f"{len(report.of(severity))} {severity}" for severity in SEVERITIES)
