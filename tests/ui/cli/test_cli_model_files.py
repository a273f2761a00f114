"""`tilescore models`: a model is a file that one can give to a friend."""

from __future__ import annotations

import json
import shutil
import zipfile
from typing import TYPE_CHECKING

import pytest

from tests.ui.cli.test_cli_names import run
from tilescore.datasets.sample import SAMPLES
from tilescore.models.registry import (
    DEFAULT,
    WEIGHTS_FOLDER,
    find,
    learned,
    load_reader,
    place_for,
    used,
    write_learned,
)

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder with a learned model `jade`: the shipped networks under another name, with a card."""
    monkeypatch.setenv("TILESCORE_DATA", str(tmp_path / "home"))
    folder = place_for("jade")
    folder.mkdir(parents=True)
    start = find(DEFAULT)
    assert start.classifier is not None
    network = shutil.copyfile(start.classifier.path, folder / "own.onnx")
    write_learned(folder, start=start, networks={"classifier": network}, fusion=start.fusion)
    (folder / "card.json").write_text(json.dumps({"after": {"tile_f1": 0.987}}))
    (folder / "card.md").write_text("# jade\n\n| figure | before |\n")
    return tmp_path / "home"


def rows(*arguments: object) -> list[dict[str, object]]:
    code, out, err = run("models", *arguments, "--json")
    assert code == 0, err
    return [json.loads(line) for line in out.splitlines()]


def test_a_model_goes_to_a_friend_and_back(home: Path, tmp_path: Path) -> None:
    packed = tmp_path / "jade.zip"
    assert run("models", "export", "jade", packed)[0] == 0
    assert run("models", "export", "jade", packed)[0] == 2, "nothing is overwritten"
    assert run("models", "import", packed, "--name", "gift")[0] == 0
    assert [model.name for model in learned()] == ["gift", "jade"]
    assert find("gift").digest == find("jade").digest
    found = {row["name"]: row for row in rows("list")}
    assert (found["gift"]["tile_f1"], found[DEFAULT]["used"], found["gift"]["used"]) == (0.987, True, False)
    (shown,) = rows("show", "gift")
    assert shown["card"] == {"after": {"tile_f1": 0.987}}
    assert run("models", "show", "gift")[1].splitlines()[-3:] == ["# jade", "", "| figure | before |"]
    assert not list((home / "models").glob(".*")), "nothing half done stays"


def test_a_card_that_makes_no_sense_is_left_out_of_the_list(home: Path) -> None:
    (home / "models" / "jade" / "card.json").write_text('{"after": {"tile_f1": "x"}}')
    assert {row["name"]: row["tile_f1"] for row in rows("list")} == {DEFAULT: None, "jade": None}
    assert run("models", "list")[0] == 0


def test_a_folder_and_a_name_are_models_too(home: Path, tmp_path: Path) -> None:
    folder = (home / "models" / "jade").rename(tmp_path / "elsewhere")
    assert load_reader(str(folder)).detector.name == find(str(folder)).label
    assert run("models", "use", folder)[0] == 2
    assert run("models", "import", folder)[0] == 0
    assert [model.name for model in learned()] == ["elsewhere"]


def test_a_model_is_put_aside_and_brought_back(home: Path) -> None:
    assert run("models", "use", "jade")[0] == 0
    assert used() == "jade"
    assert find("").name == "jade"
    code, _, err = run("models", "remove", "jade")
    assert (code, learned(), used()) == (0, (), DEFAULT), err
    assert "tiles46 is used from now on" in err
    assert run("models", "import", home / "models-removed" / "jade")[0] == 0
    assert [model.name for model in learned()] == ["jade"]


def test_a_damaged_model_is_put_aside_too(home: Path) -> None:
    for name, damage in (("jade", "{"), ("jade-2", "[]")):
        (home / "models" / name).mkdir(exist_ok=True)
        (home / "models" / name / "model.json").write_text(damage)
        code, _, err = run("models", "remove", name)
        assert (code, f"models-removed/{name}'" in err) == (0, True), err
    assert not list((home / "models").iterdir())


def test_the_list_says_which_models_are_damaged(home: Path) -> None:
    assert run("models", "list")[2] == ""
    (home / "models" / "jade" / "own.onnx").write_bytes(b"")
    assert "own.onnx' is missing or not the file that was learned" in run("models", "list")[2]
    (home / "models" / "jade" / "model.json").write_text("{")
    assert "the model 'jade' is damaged: put it aside, tilescore models remove jade." in run("models", "list")[2]


def test_a_folder_that_is_not_taken_in_stays_where_it_is(home: Path, tmp_path: Path) -> None:
    elsewhere = shutil.copytree(home / "models" / "jade", tmp_path / "elsewhere")
    assert run("models", "use", "jade")[0] == 0
    for name in (elsewhere, home / "models" / "jade", ""):
        code, _, err = run("models", "remove", name)
        assert (code, "is not taken in" in err) == (2, True), err
    assert elsewhere.is_dir()
    assert [model.name for model in learned()] == ["jade"]


def test_a_chosen_model_that_is_damaged_is_refused_with_the_remedy(home: Path) -> None:
    assert run("models", "use", "jade")[0] == 0
    (home / "models" / "jade" / "model.json").write_text("{")
    for command in (("read", SAMPLES / "winning_hand.jpg"), ("models", "list")):
        code, _, err = run(*command)
        assert (code, "is damaged or gone: choose another, tilescore models use tiles46" in err) == (
            0 if command[-1] == "list" else 2, True,
        ), err  # fmt: skip
    assert run("models", "use", DEFAULT)[0] == 0
    assert used() == DEFAULT


def test_the_shipped_model_is_neither_removed_nor_exported(home: Path, tmp_path: Path) -> None:
    assert home
    for arguments in (("remove", DEFAULT), ("export", DEFAULT, tmp_path / "a.zip")):
        code, _, err = run("models", *arguments)
        assert (code, "is no learned model" in err) == (2, True)
    assert find(DEFAULT).detector.checked().parent == WEIGHTS_FOLDER


def test_a_detector_alone_is_named_with_each_command(home: Path) -> None:
    own = home / "models" / "jade" / "tiles46.onnx"
    assert run("models", "show", own)[1].splitlines()[0].endswith(": one file")
    for action, said in (
        ("use", f"say --model {own}"),
        ("import", "give a .zip of models export"),
        ("remove", "is no learned"),
    ):
        code, _, err = run("models", action, own)
        assert (code, said in err) == (2, True), err


def _flipped(data: bytes) -> bytes:
    return data[:1000] + bytes([data[1000] ^ 1]) + data[1001:]


@pytest.mark.parametrize(
    ("why", "name", "said"),
    [
        ("a changed network", "own.onnx", "own.onnx in '{bad}' is missing or not the file"),
        ("a list that is none", "model.json", "holds no model"),
        ("a network that lies elsewhere", "elsewhere", "holds no model"),
        ("no list", "", "holds no model"),
    ],
)
def test_a_bad_model_is_one_sentence(why: str, name: str, said: str, *, home: Path, tmp_path: Path) -> None:
    bad = tmp_path / "bad.zip"
    with zipfile.ZipFile(bad, "w") as packed:
        for file in (home / "models" / "jade").iterdir():
            data = file.read_bytes()
            if file.name == name:
                data = _flipped(data) if name.endswith(".onnx") else b"{"
            if file.name == "model.json" and name == "elsewhere":
                data = data.replace(b'"own.onnx"', b'"../jade/own.onnx"')
            if name or file.name != "model.json":
                packed.writestr(file.name, data)
    code, _, err = run("models", "import", bad)
    assert (code, said.format(bad=bad) in err, err.count("\n") <= 1) == (2, True, True), f"{why}: {err}"
    assert [path.name for path in (home / "models").iterdir()] == ["jade"], why


def test_what_is_no_model_says_what_to_do(home: Path, tmp_path: Path) -> None:
    assert home
    (tmp_path / "gift.zip").write_bytes(b"PK")
    assert "tilescore models import" in run("read", tmp_path / "a.jpg", "--model", tmp_path / "gift.zip")[2]
    assert run("models", "show", "nobody")[0] == 2
    code, _, err = run("models", "import", tmp_path / "none.zip")
    assert (code, "none.zip' does not exist" in err) == (2, True), err
