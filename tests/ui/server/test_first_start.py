"""What the first start loads: each library that is not needed for the first score would delay it."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.harness.app_process import ROOT

FIRST_SCORE = """
import json, sys
from streamlit.testing.v1 import AppTest
from tilescore.ui.server import server
server._warm_up()
warm = sorted(sys.modules)
app = AppTest.from_file(server.ENTRY, default_timeout=120).run()
before = len(sys.modules)
app = app.button(key="source.sample").click().run()
score = [one.proto.json for one in app.get("bidi_component") if one.proto.component_name == "tilescore_score_lines"]
print(json.dumps([warm, before, len(score), sorted(sys.modules)]))
"""
NO_HOME = """
import os, pwd
def no_entry(_number): raise KeyError
del os.environ["HOME"]
pwd.getpwuid = no_entry
from tilescore.ui.server import server
server._run_until_interrupted = lambda *_: print("serves")
server.serve(0, browser=False)
"""
NO_HOSTS = """
import socket
class Unresolving(socket.socket):
    def bind(self, address):
        if address[0] == "localhost": raise socket.gaierror(-3, "Temporary failure in name resolution")
        super().bind(address)
socket.socket = Unresolving
from tilescore.ui.server import server
server._run_until_interrupted = lambda *_: print("serves")
server.serve(0, browser=False)
"""
NOT_NEEDED = [
    # module, what needs it
    ("pandas", "tables of Streamlit"),
    ("pyarrow", "tables of Streamlit"),
    ("altair", "charts of Streamlit"),
    ("tilescore.datasets.annotation.folder", "the page for labels"),
    ("tilescore.datasets.formats", "the page for labels"),
    ("tilescore.ui.pages.annotate.page", "tilescore annotate"),
    ("psutil", "--share-lan"),
    ("cryptography", "--share-lan"),
    ("zxcvbn", "--share-lan"),
]
MOST_MODULES = 1280
"""Modules of the server and the first page: 1,225 were counted; pandas and the formats of labels are 445 more."""


class Loaded(NamedTuple):
    """The modules that a process has loaded."""

    warm: set[str]  # before the first page
    page: int  # how many at the first page
    score: set[str]  # at the first score


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> Loaded:
    """What a process loads that draws the page and scores the sample."""
    environment = os.environ | {"TILESCORE_DATA": str(tmp_path_factory.mktemp("first") / "data")}
    done = subprocess.run(  # noqa: S603  # our own interpreter
        [sys.executable, "-c", FIRST_SCORE], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    warm, page, scores, modules = json.loads(done.stdout)
    assert scores == 1, "the sample has a score"
    return Loaded({*warm}, page, {*modules})


@pytest.mark.parametrize(("name", "what"), NOT_NEEDED)
def test_the_first_score_waits_for_nothing_else(name: str, what: str, loaded: Loaded) -> None:
    assert name not in loaded.score, what


def test_the_first_page_loads_few_modules(loaded: Loaded) -> None:
    assert loaded.page <= MOST_MODULES


def test_pages_and_networks_load_while_the_browser_opens(loaded: Loaded) -> None:
    assert {"tilescore.ui.pages.frame", "tilescore.models.registry", "onnxruntime"} <= loaded.warm


def test_a_user_without_a_home_can_serve(tmp_path: Path) -> None:
    """As a systemd unit with DynamicUser, where the list of users does not ask systemd."""
    environment = os.environ | {"TILESCORE_DATA": str(tmp_path), "HOME": "/"}
    done = subprocess.run(  # noqa: S603  # our own interpreter
        [sys.executable, "-c", NO_HOME], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert done.stdout == "serves\n", done.stderr


def test_a_machine_that_cannot_resolve_its_own_name_serves(tmp_path: Path) -> None:
    done = subprocess.run(  # noqa: S603  # our own interpreter
        [sys.executable, "-c", NO_HOSTS], cwd=ROOT, env=os.environ | {"TILESCORE_DATA": str(tmp_path)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.stdout == "serves\n", done.stderr
