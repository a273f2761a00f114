"""Every citation of a rule document or a decision leads to an entry of `scoring/sources.md`."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCES = (ROOT / "scoring" / "sources.md").read_text(encoding="utf-8")
DECISIONS = re.findall(r"^- (S-[A-Z]+-\d+): ", SOURCES, re.MULTILINE)
ROWS = re.findall(r"^\| (0\d\d) \| (.*) \|$", SOURCES, re.MULTILINE)
DOCUMENTS = {number for number, _ in ROWS}
SECTIONS = dict(ROWS)
"""Of the two rows of each document the later one: its sections."""
DOCUMENT = re.compile(r"(?<![\w,])0\d\d\b")
CITED_SECTIONS = re.compile(r"(?<![\w,])(0\d\d), ([^;.():\"`]+)")
DECISION = re.compile(r"\bS-[A-Z]+(?:-\d+)?\b")
TABLE = (ROOT / "scoring" / "riichi" / "profiles.csv").read_text(encoding="utf-8")
PROFILE_OPTIONS = [line.split(",")[0] for line in TABLE.splitlines()[1:]]
CODE = sorted((ROOT / "scoring").rglob("*.py"))
TESTS = [path for path in sorted((ROOT / "tests" / "scoring").rglob("*.py")) if path != Path(__file__).resolve()]


def relative(path: Path) -> str:
    return str(path.relative_to(ROOT))


def one_line(path: Path) -> str:
    return " ".join(path.read_text(encoding="utf-8").split())


def test_decisions_are_numbered_without_gaps() -> None:
    families = {decision.rpartition("-")[0] for decision in DECISIONS}
    assert len(families) == 8
    for family in families:
        count = sum(decision.rpartition("-")[0] == family for decision in DECISIONS)
        assert [f"{family}-{number}" for number in range(1, count + 1)] == [
            decision for decision in DECISIONS if decision.rpartition("-")[0] == family
        ]


@pytest.mark.parametrize("path", [*CODE, *TESTS], ids=relative)
def test_what_is_cited_exists(path: Path) -> None:
    text = one_line(path)
    assert set(DOCUMENT.findall(text)) <= DOCUMENTS
    for decision in DECISION.findall(text):
        assert decision in DECISIONS or any(known.startswith(f"{decision}-") for known in DECISIONS), decision
    assert not re.findall(r"\bSPEC\b|\bcontract\b", text), "this source is not part of the repository"


@pytest.mark.parametrize("path", CODE, ids=relative)
def test_a_citation_comes_with_the_way_to_its_source(path: Path) -> None:
    text = one_line(path)
    if DOCUMENT.search(text) or DECISION.search(text):
        assert "scoring/sources.md" in text
    for document, listed in CITED_SECTIONS.findall(text):
        sections = re.split(r", | and ", re.sub(r"^sections? ", "", listed.strip()))
        for section in sections:
            assert DECISION.search(section) or section in SECTIONS[document], (document, section)


def test_every_document_and_every_ruleset_is_cited() -> None:
    text = " ".join(map(one_line, CODE))
    assert set(DOCUMENT.findall(text)) == DOCUMENTS
    assert {decision.rpartition("-")[0] for decision in DECISIONS} <= {
        "-".join(cited.split("-")[:2]) for cited in DECISION.findall(text)
    }


def test_each_value_of_each_profile_names_its_texts() -> None:
    """One row for each option, one cell for each profile: letters of the legend, a document, `none` or `follows`."""
    section = SOURCES.partition("## Texts behind the riichi profiles")[2].partition("\n## ")[0]
    header, *rows = [re.findall(r"[^|]+", line) for line in re.findall(r"^\|.*\|$", section, re.MULTILINE)]
    evidence = {row[0].strip(" `"): row[1:] for row in rows if row[0].startswith(" `")}
    legend = {row[0].strip() for row in rows if re.fullmatch(r" [A-Z] ", row[0])}
    assert [name.strip() for name in header[1:]] == TABLE.splitlines()[0].split(",")[1:]
    assert list(evidence) == PROFILE_OPTIONS
    for option, cells in evidence.items():
        assert len(cells) == len(header) - 1, option
        assert all(set(cell.split()) <= legend | DOCUMENTS or cell.strip() in ("none", "follows") for cell in cells)
        assert all(cell.strip() for cell in cells), option
    cited = {letter for cells in evidence.values() for cell in cells for letter in cell.split()}
    assert legend <= cited, "a text that states nothing"
