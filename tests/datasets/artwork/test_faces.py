"""Our own tile faces: complete, well-formed, without fonts, and equal to the output of the generator."""

from xml.etree import ElementTree as ET

import pytest

from tilescore.datasets.artwork import FACES
from tilescore.datasets.artwork.characters import CHARACTERS
from tilescore.datasets.artwork.draw_faces import face, names

SVG = "{http://www.w3.org/2000/svg}"


def test_the_folder_holds_exactly_the_46_faces() -> None:
    assert len(set(names())) == 46
    assert {path.stem for path in FACES.glob("*.svg")} == set(names())


@pytest.mark.parametrize("name", names())
def test_face_is_well_formed_and_free_of_fonts(name: str) -> None:
    root = ET.parse(FACES / f"{name}.svg").getroot()  # noqa: S314  # our own file
    tags = {element.tag.removeprefix(SVG) for element in root.iter()}
    groups = [group.get("class") for group in root.findall(f"{SVG}g")]
    assert root.get("viewBox") == "0 0 300 400"
    assert tags <= {"svg", "g", "path", "rect", "circle"}
    assert groups[:2] == ["tile-body", "face"]
    assert not any(element.get("id") for element in root.iter()), "ids clash when faces share a page"


@pytest.mark.parametrize("name", names())
def test_drawing_again_gives_the_same_bytes(name: str) -> None:
    assert (FACES / f"{name}.svg").read_bytes() == face(name).encode()


def test_no_two_faces_look_alike() -> None:
    assert len({face(name, index_shown=False) for name in names()}) == 46


@pytest.mark.parametrize(
    ("name", "shown"),
    [("5m", True), ("0p", True), ("7z", True), ("1f", False), ("4q", False), ("back", False)],
)
def test_corner_index_can_be_hidden(name: str, *, shown: bool) -> None:
    assert ("corner-index" in face(name)) is shown
    assert "corner-index" not in face(name, index_shown=False)


def test_an_unknown_face_is_refused() -> None:
    with pytest.raises(KeyError):
        face("8z")


@pytest.mark.parametrize("character", CHARACTERS)
def test_strokes_stay_on_the_grid(character: str) -> None:
    _, text = CHARACTERS[character]
    numbers = [float(value) for pair in text.split() if "," in pair for value in pair.split(",")]
    assert min(numbers) >= 0
    assert max(numbers) <= 100
