"""Our own tile faces: complete, well-formed, without fonts."""

from xml.etree import ElementTree as ET

import pytest

from tilescore.datasets.artwork import FACES_FOLDER
from tilescore.datasets.artwork.lettering import characters
from tilescore.datasets.labels import CLASS_NAMES

SVG = "{http://www.w3.org/2000/svg}"


def test_the_folder_holds_exactly_the_46_faces() -> None:
    assert {path.stem for path in FACES_FOLDER.glob("*.svg")} == set(CLASS_NAMES)


@pytest.mark.parametrize("name", CLASS_NAMES)
def test_face_is_well_formed_and_free_of_fonts(name: str) -> None:
    root = ET.parse(FACES_FOLDER / f"{name}.svg").getroot()  # noqa: S314  # our own file
    tags = {element.tag.removeprefix(SVG) for element in root.iter()}
    groups = [group.get("class") for group in root.findall(f"{SVG}g")]
    assert root.get("viewBox") == "0 0 300 400"
    assert tags <= {"svg", "g", "path", "rect", "circle"}
    assert groups[:2] == ["tile-body", "face"]
    assert not any(element.get("id") for element in root.iter()), "ids clash when faces share a page"


def test_no_two_faces_look_alike() -> None:
    assert len({(FACES_FOLDER / f"{name}.svg").read_bytes() for name in CLASS_NAMES}) == len(CLASS_NAMES)


@pytest.mark.parametrize(("name", "shown"), [("5m", True), ("0p", True), ("7z", True), ("1f", False), ("back", False)])
def test_a_face_says_which_part_is_its_corner_index(name: str, *, shown: bool) -> None:
    assert ("corner-index" in (FACES_FOLDER / f"{name}.svg").read_text(encoding="utf-8")) is shown


@pytest.mark.parametrize("character", characters())
def test_strokes_stay_on_the_grid(character: str) -> None:
    _, text = characters()[character]
    numbers = [float(value) for pair in text.split() if "," in pair for value in pair.split(",")]
    assert min(numbers) >= 0
    assert max(numbers) <= 100
