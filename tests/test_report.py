"""The page of figures shows measured figures, missed promises, and sections without figures."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from tests.harness.figures import Figure, at_least, at_most
from tests.harness.report import Section, write_report

if TYPE_CHECKING:
    from pathlib import Path


def measure() -> list[Figure]:
    """A fresh process calls this function."""
    return [at_least("F1", 0.8, 0.9), at_most("part: <a>, ms", 3.0, 5), Figure("part: b, ms", 1.5)]


def test_the_page_and_its_chart(tmp_path: Path) -> None:
    sections = [
        Section("What it costs", (measure,), chart="part: ").measured(),
        Section("Elsewhere", (list,)).measured(),
    ]
    page = write_report(sections, minutes=2.5, folder=tmp_path).read_text(encoding="utf-8")
    assert "Kept promises: 1 of 2." in page
    assert "- missed: F1, 0.8 instead of >= 0.9" in page
    assert "| F1 | 0.8 | >= 0.9, **missed** |" in page
    assert "![What it costs](report_costs.svg)" in page
    assert "## Elsewhere\n\nNot measured" in page
    drawn = ET.fromstring((tmp_path / "report_costs.svg").read_text(encoding="utf-8"))  # noqa: S314  # ours
    bars = [bar for bar in drawn.iter("{http://www.w3.org/2000/svg}rect") if bar.get("x")]
    assert [bar.get("width") for bar in bars] == ["320", "160"]
