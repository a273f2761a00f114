"""Recipes: the shipped ones are whole, and every mistake gives one clear sentence."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from tilescore.models.recipe import BACKS_BOX_REFINER, DETECTOR, Recipe, RecipeError, load_recipe
from tilescore.models.registry import PARTS, shipped

ROOT = Path(__file__).resolve().parents[2]
RECIPES = sorted((ROOT / "models" / "recipes").glob("*.toml"))
CORNERS = {
    "network": '"corners"', "out": '"out.onnx"', "scenes": '["scenes"]', "seed": "0", "steps": "9", "rate": "3e-3",
    "batch": "16",
}  # fmt: skip


def written(path: Path, **changed: str | None) -> Path:
    """A recipe of the corner network with some values changed, or left out if None."""
    values = {key: value for key, value in (CORNERS | changed).items() if value is not None}
    path.write_text("".join(f"{key} = {value}\n" for key, value in values.items()), encoding="utf-8")
    return path


@pytest.mark.parametrize("path", RECIPES, ids=lambda path: path.stem)
def test_shipped_recipes_are_read(path: Path) -> None:
    recipe = load_recipe(path)
    assert recipe.name == recipe.network == path.stem
    assert bool(recipe.steps) != bool(recipe.epochs)


def test_every_shipped_network_has_a_recipe() -> None:
    (model,) = shipped()
    files = {str(getattr(model, part).path.relative_to(ROOT / "models")) for part in PARTS}
    made = {str(load_recipe(path).out) for path in RECIPES}
    assert made == {f"models/{file}" for file in files} | {"runs/detector.onnx", "runs/backs_head.onnx"}


def test_make_train_uses_all_recipes_each_after_what_it_needs() -> None:
    script = ROOT / "models/recipes/all.sh"
    listed = re.findall(r"tilescore train (\S+)\n", script.read_text(encoding="utf-8"))
    recipes = [load_recipe(ROOT / name) for name in listed]
    assert sorted(recipe.name for recipe in recipes) == [path.stem for path in RECIPES]
    for number, recipe in enumerate(recipes):
        later = {each.out for each in recipes[number:]}
        assert not later & {recipe.start, recipe.detector, recipe.first, recipe.corners}


def test_values_become_paths_and_numbers(tmp_path: Path) -> None:
    recipe = load_recipe(written(tmp_path / "mine.toml", rate="1"))
    assert recipe == Recipe(
        name="mine", network="corners", out=Path("out.onnx"), scenes=(Path("scenes"),), seed=0, rate=1.0, batch=16,
        steps=9,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"network": '"corner"'}, "network is 'corner'; choose one of detector, backs_head, "),
        ({"network": None}, "network is None"),
        ({"network": "[]"}, r"network is \[\]"),
        ({"minutes": "20"}, "unknown key 'minutes'; a recipe for corners may have network, out, "),
        ({"epochs": "2"}, "unknown key 'epochs'"),
        ({"steps": None}, "the key 'steps' is missing; a recipe for corners must have "),
        ({"steps": "0"}, "steps is 0, but must be a whole number of at least 1"),
        ({"steps": "true"}, "steps is True"),
        ({"steps": "2.5"}, "steps is 2.5"),
        ({"seed": "-1"}, "seed is -1, but must be a whole number of at least 0"),
        ({"rate": "0.0"}, "rate is 0.0, but must be a positive number"),
        ({"rate": "inf"}, "rate is inf"),
        ({"rate": '"3e-3"'}, "rate is '3e-3'"),
        ({"scenes": '"runs"'}, "scenes is 'runs', but must be a list of folders"),
        ({"scenes": "[1]"}, r"scenes is \[1\]"),
        ({"out": '""'}, "out is '', but must be a path"),
        ({"batch": "="}, "is not a TOML file"),
        ({"network": '"classifier"', "data": '"photos"', "keep": "1"}, "keep is 1, but must be true or false"),
    ],
)
def test_mistakes(tmp_path: Path, changed: dict[str, str | None], said: str) -> None:
    with pytest.raises(RecipeError, match=said):
        load_recipe(written(tmp_path / "mine.toml", **changed))


@pytest.mark.parametrize("content", [None, b"\xff\xfe"])
def test_files_that_are_no_recipes(tmp_path: Path, content: bytes | None) -> None:
    if content is not None:
        (tmp_path / "x.toml").write_bytes(content)
    with pytest.raises(
        RecipeError, match="cannot be read: name a .toml file" if content is None else "not a TOML file"
    ):
        load_recipe(tmp_path / "x.toml")
    with pytest.raises(RecipeError, match="cannot be read"):
        load_recipe(tmp_path)


def test_inputs_that_do_not_exist(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    recipe = load_recipe(written(tmp_path / "mine.toml"))
    with pytest.raises(RecipeError, match="the recipe 'mine' names scenes 'scenes', which does not exist"):
        recipe.require_inputs()
    (tmp_path / "scenes").mkdir()
    recipe.require_inputs()
    refiner = load_recipe(
        written(tmp_path / "mine.toml", network=f'"{BACKS_BOX_REFINER}"', data='"scenes"', detector='"d.onnx"')
    )
    with pytest.raises(RecipeError, match=r"names detector 'd\.onnx', which does not exist"):
        refiner.require_inputs()
    (tmp_path / "d.onnx").touch()
    with pytest.raises(RecipeError, match=r"names data 'scenes', which has no manifest\.csv"):
        refiner.require_inputs()
    (tmp_path / "scenes" / "manifest.csv").touch()
    refiner.require_inputs()
    keeping = load_recipe(written(tmp_path / "mine.toml", network='"classifier"', data='"scenes"', keep="true"))
    with pytest.raises(RecipeError, match="the recipe 'mine' keeps what its start says but names no start"):
        keeping.require_inputs()
    single = replace(keeping, start=tmp_path / "d.onnx", batch=1)
    with pytest.raises(RecipeError, match="batch must be at least 2"):
        single.require_inputs()
    replace(single, batch=2).require_inputs()
    with pytest.raises(RecipeError, match=f"a recipe for {DETECTOR} must have"):
        load_recipe(written(tmp_path / "mine.toml", network=f'"{DETECTOR}"', epochs="1", steps=None))
