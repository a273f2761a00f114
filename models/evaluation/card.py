"""The tables of models/MODEL_CARD.md: `python -m tilescore.models.evaluation.card` writes them anew.

The figures come from experiments.csv, training_runs.csv and weights/models.json beside the card, and from the report of
`make bench`; the commands come from `models/recipes/all.sh`. In the card a table stands between two marks:
`<!-- table: NAME -->` and `<!-- end -->`.
"""

import csv
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, TypeAlias

from tilescore.models.registry import DEFAULT, PARTS, WEIGHTS_FOLDER, find

MODELS: Final = WEIGHTS_FOLDER.parent
CARD: Final = MODELS / "MODEL_CARD.md"
NETWORKS: Final = {
    "detector": "detector",
    "refiner": "box refiner",
    "backs": "box refiner for backs",
    "classifier": "classifier",
    "corners": "corners",
    "closer": "high-resolution classifier",
}
"""The name of each part of a model in training_runs.csv and in the card."""
SECOND_DEVELOPMENT_SET: Final = "test_unseen"
"""Photos whose figures were read while decisions were taken; experiments.csv names them in such decisions."""
_REPORT: Final = MODELS.parent / "benchmarks" / "REPORT.md"
_ALL: Final = MODELS / "recipes" / "all.sh"
_SHIPPED: Final = "shipped"
_PROMISED: Final = f"{_SHIPPED}, promised "
_NO_TRAINING: Final = "no training"
_TRAINS: Final = re.compile(r"\$bin/tilescore (train|export)\b")
_TABLE: Final = re.compile(r"(<!-- table: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)

CardRow: TypeAlias = "Mapping[str, str]"


def read_rows(name: str) -> tuple[CardRow, ...]:
    """The rows of a CSV file in the folder `models`, by column."""
    with (MODELS / name).open(encoding="utf-8", newline="") as file:
        return tuple(csv.DictReader(file))


def written_card(card: str) -> str:
    """The text of the card with all its tables written anew; raises KeyError for a table of unknown name."""
    return _TABLE.sub(lambda match: "".join((match[1], "\n".join(_TABLES[match[2]]()), "\n", match[3])), card)


def file_rows() -> list[str]:
    """The shipped files: hash, size and the training on record."""
    model, runs = find(DEFAULT), read_rows("training_runs.csv")
    rows = []
    for part in sorted(PARTS, key=list(NETWORKS).index):
        file = getattr(model, part)
        ours = [run for run in runs if run["network"] == NETWORKS[part] and not run["recipe"].startswith(_NO_TRAINING)]
        minutes = sum(int(run["minutes"] or 0) for run in ours)
        size = f"{file.path.stat().st_size / 1e6:.1f} MB"
        hashed = f"`{file.sha256[:16]}…`"
        rows.append((f"`{file.path.name}`", NETWORKS[part], size, f"{len(ours)}", f"{minutes}", hashed))
    return _table(("file", "network", "size", "training runs", "minutes on record", "sha256"), rows)


def result_rows() -> list[str]:
    """What the shipped networks reach: the last `make bench` on photos, experiments.csv on rendered scenes."""
    return _table(("data", "figure", "measured", "promised"), [*_photo_figures(), *_held_out_figures()])


def _photo_figures() -> list[tuple[str, ...]]:
    """Figures of photos that have a promise, but for times."""
    section = _REPORT.read_text(encoding="utf-8").partition("## Reading photos\n")[2].partition("\n## ")[0]
    rows = [line.strip("| ").split(" | ") for line in section.splitlines() if line.startswith("| ")]
    return [("photos", *row) for row in rows[1:] if len(row) == len(rows[0]) and not row[0].endswith(" ms")]


def _held_out_figures() -> list[tuple[str, ...]]:
    """Figures of held-out artwork that have a promise: the last row of each in experiments.csv."""
    promised = [row for row in read_rows("experiments.csv") if row["decision"].startswith(_PROMISED)]
    last = {row["metric"]: row for row in promised}
    return [
        (row["data"], row["metric"], row["result"], _judged(row["result"], row["decision"].removeprefix(_PROMISED)))
        for row in last.values()
    ]


def _judged(result: str, bound: str) -> str:
    """The promise as the report writes it: one that a figure of the result misses says so.

    >>> _judged("0.88 to 0.94", ">= 0.9"), _judged("0.008", "<= 0.03")
    ('>= 0.9, **missed**', '<= 0.03')
    """
    sign, limit = bound.split()
    figures = [float(text) for text in re.findall(r"\d+\.\d+", result)]
    kept = min(figures) >= float(limit) if sign == ">=" else max(figures) <= float(limit)
    return bound if kept else f"{bound}, **missed**"


def missed_rows() -> list[str]:
    """How many promises the last `make bench` kept, and those that it missed."""
    report = _REPORT.read_text(encoding="utf-8")
    kept = re.findall(r"^Kept promises: .*$", report, re.MULTILINE)
    missed = re.findall(r"^\| (.*) \| (.*) \| (.*), \*\*missed\*\* \|$", report, re.MULTILINE)
    return [*kept, "", *(f"- missed: {name}, {value} instead of {bound}" for name, value, bound in missed)]


def try_rows() -> list[str]:
    """How many changes were tried and kept, and the decisions for which `test_unseen` was read."""
    rows = [row for row in read_rows("experiments.csv") if not row["decision"].startswith(_SHIPPED)]
    tries = {row["id"] for row in rows}
    kept = {row["id"] for row in rows if row["decision"].startswith("kept")}
    read = sorted({row["id"] for row in rows if SECOND_DEVELOPMENT_SET in row["decision"]})
    named = f"Decisions that name `{SECOND_DEVELOPMENT_SET}`: {', '.join(read)}."
    return [f"Tries on record: {len(tries)}; kept: {len(kept)}. {named}"]


def command_lines() -> list[str]:
    """The commands of `make train` that train or export a network."""
    text = _ALL.read_text(encoding="utf-8").replace("\\\n", " ")
    lines = [" ".join(line.split()) for line in text.splitlines()]
    return ["```", *(line.replace("$bin/", "") for line in lines if _TRAINS.match(line)), "```"]


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    return ["| " + " | ".join(row) + " |" for row in (head, ["---"] * len(head), *rows)]


_TABLES: Final[Mapping[str, Callable[[], list[str]]]] = {
    "files": file_rows,
    "results": result_rows,
    "missed": missed_rows,
    "tries": try_rows,
    "commands": command_lines,
}


def main() -> None:
    """Write the tables into the card."""
    CARD.write_text(written_card(CARD.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
