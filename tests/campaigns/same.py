"""Compare two outputs of `tilescore read --json`: `python -m tests.campaigns.same BEFORE.jsonl AFTER.jsonl`.

The name of the model and the timings may differ. `--but confidence` allows that key of the detections to differ, too.
The exit status is 1 if anything else differs.
"""

import argparse
import json
import sys
from pathlib import Path
from typing import Any, Final

FREE: Final = ("timings_ms", "model", "photo")
"""Keys of a photo that may differ; the file name of a photo identifies it in both outputs."""


def differences(before: dict[str, Any], after: dict[str, Any], *, but: tuple[str, ...] = ()) -> list[str]:
    """The keys in which two results of a photo differ, as `KEY` or `detections.KEY`."""
    keys = [key for key in {**before, **after} if key not in (*FREE, "detections")]
    found = [key for key in keys if before.get(key) != after.get(key)]
    ours, theirs = before["detections"], after["detections"]
    if len(ours) != len(theirs):
        return [*found, "detections"]
    for one, other in zip(ours, theirs, strict=True):
        found += [f"detections.{key}" for key in {**one, **other} if key not in but and one.get(key) != other.get(key)]
    return sorted(set(found))


def main() -> None:
    """Print one line for each photo that differs, and a count."""
    parser = argparse.ArgumentParser(prog="python -m tests.campaigns.same", description=__doc__)
    parser.add_argument("before", type=Path, help="the first output")
    parser.add_argument("after", type=Path, help="the second output")
    parser.add_argument("--but", nargs="*", default=[], help="keys of detections that may differ")
    options = parser.parse_args()
    before, after = _read(options.before), _read(options.after)
    different = {
        name: keys
        for name in before.keys() & after.keys()
        if (keys := differences(before[name], after[name], but=tuple(options.but)))
    }
    for name, keys in sorted(different.items()):
        print(f"{name}: {', '.join(keys)}")
    missing = before.keys() ^ after.keys()
    print(f"{len(before)} photos: {len(different)} differ, {len(missing)} are in one file only")
    sys.exit(bool(different or missing))


def _read(path: Path) -> dict[str, dict[str, Any]]:
    photos = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return {Path(photo["photo"]).name: photo for photo in photos}


if __name__ == "__main__":
    main()
