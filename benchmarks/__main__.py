"""Measure the figures that README and the model card promise, and write benchmarks/REPORT.md: `make bench`.

The photos come from ../shared, and no network was trained on them. Without that folder the report holds only the
figures that need no photos.
"""

import time

from benchmarks.browser import waiting
from benchmarks.footprint import footprint
from benchmarks.layout import layout_figures
from benchmarks.layouts.__main__ import left_out_figures
from benchmarks.live.watching import live_figures
from benchmarks.reading.accuracy import PARTS, accuracy
from benchmarks.reading_cost.beside_peer import peer_reading
from benchmarks.reading_cost.stages import MEDIAN, photo_to_score, reading_cost
from benchmarks.scoring.speed import scoring_speed
from tests.harness.report import Section, write_report

SECTIONS = (
    Section("Reading photos", (accuracy,), chart=PARTS),
    Section("Reading beside mahjong-detector", (peer_reading,)),
    Section("The hand on real photos, each read without its source in the fit", (left_out_figures,)),
    Section("From simulated boxes to a hand", (layout_figures,)),
    Section("What a photo costs", (reading_cost, photo_to_score), chart=MEDIAN),
    Section("A watched table", (live_figures,)),
    Section("Waiting in a browser", (waiting,)),
    Section("Scoring, beside mahjong and PyMahjongGB", (scoring_speed,)),
    Section("Memory, start, size", (footprint,)),
)


def main() -> None:
    """Measure all sections, print each one at once, and write the report."""
    start = time.monotonic()
    measured = [section.measured() for section in SECTIONS]
    write_report(measured, minutes=(time.monotonic() - start) / 60)


if __name__ == "__main__":
    main()
