"""A model that was learned here is offered where photos are taken, and reads them once it is chosen."""

import shutil
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from tilescore.models.registry import DEFAULT, MODEL_ENTRY, USED, place_for, shipped, write_learned

ROOT = Path(__file__).parents[3]


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TILESCORE_DATA", str(tmp_path))


def learn(name: str) -> Path:
    """A model of that name: the shipped networks again."""
    start = shipped()[0]
    assert start.classifier is not None
    folder = place_for(name)
    folder.mkdir(parents=True)
    shutil.copy(start.classifier.path, folder / "faces.onnx")
    write_learned(folder, start=start, networks={"classifier": folder / "faces.onnx"}, fusion=start.fusion)
    return folder


def visit() -> AppTest:
    app = AppTest.from_file(str(ROOT / "ui" / "start" / "app.py"), default_timeout=60).run()
    app.button(key="source.sample").click().run()
    assert not app.exception
    return app


def reader(app: AppTest) -> str:
    return str(app.session_state["session"].history.now.reading.model).partition("@")[0]


def test_nothing_is_asked_where_there_is_no_choice() -> None:
    assert [box.key for box in visit().selectbox if box.key == "model"] == []


def test_a_learned_model_is_chosen_and_reads_the_photo_again() -> None:
    folder = learn("grandma")
    app = visit()
    assert app.selectbox(key="model").options == [f"{DEFAULT}, as it came", "grandma"]
    assert reader(app) == DEFAULT
    app.selectbox(key="model").set_value("grandma").run()
    assert not app.exception
    assert reader(app) == "grandma"
    shutil.rmtree(folder)
    app.run()
    assert not app.exception, "who takes a model away gets the shipped one"
    assert [box.key for box in app.selectbox if box.key == "model"] == []


def test_a_chosen_model_that_is_gone_is_named_and_the_shipped_one_reads() -> None:
    folder = learn("grandma")
    (folder.parent / USED).write_text("grandma\n")
    (folder / MODEL_ENTRY).write_text("{")
    app = visit()
    assert reader(app) == DEFAULT
    (said,) = [warning.value for warning in app.warning]
    assert "'grandma' is damaged or gone" in said
