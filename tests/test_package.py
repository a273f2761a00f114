"""Tilescore works in whatever way it is installed; its wheel has one import name, and touches no other package."""

import shutil
import subprocess
import sys
import tarfile
import tomllib
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.harness.architecture import PACKAGES, ROOT
from tests.installing.ways import (
    FORMS,
    NAME,
    NOT_PACKED,
    PHOTO,
    built,
    check,
    copied,
    dependencies,
    environment,
    files,
    run,
    unpacked,
    user,
)

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
OTHER = "datasets"
"""The import name of a well-known package; one of our folders has this name, too."""
PIP = (sys.executable, "-m", "pip", "--quiet")


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder whose name is hard on programs."""
    return tmp_path_factory.mktemp("package") / NAME


@pytest.fixture(scope="module")
def tools(place: Path) -> Path:
    """A folder with setuptools, which the environment of the tests lacks."""
    run(*PIP, "install", "--target", place / "tools", "setuptools>=77", cwd=place)
    return place / "tools"


@pytest.fixture(scope="module")
def packages(place: Path) -> Path:
    """The dependencies of Tilescore; Tilescore itself must come from what is installed."""
    return dependencies(place / "packages")


@pytest.fixture(scope="module")
def source(place: Path) -> Path:
    """A copy of the repository."""
    return copied(place / "source")


@pytest.fixture(scope="module")
def sdist(source: Path, tools: Path) -> Path:
    return built("sdist", source, tools=tools)


@pytest.fixture(scope="module")
def wheel(sdist: Path, place: Path, tools: Path) -> Path:
    """The wheel, built from the sdist in a folder where an earlier version was built."""
    folder = unpacked(sdist, place / "unpacked")
    (folder / "build" / "lib" / "tilescore" / "gone").mkdir(parents=True)
    (folder / "build" / "lib" / "tilescore" / "gone" / "__init__.py").touch()
    return built("wheel", folder, tools=tools)


def test_a_wheel_holds_one_name(wheel: Path) -> None:
    """The wheel contains every file of our folders, below `tilescore`, and no other file."""
    with ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}
    assert {name.split("/")[0] for name in names} == {"tilescore"}
    ours = {"/".join(dict.fromkeys(("tilescore", *path.parts))) for path in files() if path.parts[0] in PACKAGES}
    left_out = {name for name in ours if name.endswith((".po", ".md", ".jsonl"))}
    assert names <= ours
    assert ours - names <= left_out


@pytest.mark.parametrize("package", [package for package in PACKAGES if package != "tilescore"])
def test_a_module_has_one_name(package: str) -> None:
    """No folder can be imported under its bare name, even with the root of the repository on the path."""
    code = f"import sys; sys.path.insert(0, {str(ROOT)!r}); import {package}"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)  # noqa: S603
    assert f"import tilescore.{package} instead" in done.stderr


def test_an_sdist_holds_what_builds_and_tests(sdist: Path) -> None:
    """The sdist contains the files of the repository and what setuptools writes, and no other file."""
    with tarfile.open(sdist) as archive:
        packed = {Path(*Path(member.name).parts[1:]) for member in archive.getmembers() if member.isfile()}
    written = {path for path in packed if path.parts[0] in {"PKG-INFO", "setup.cfg", "tilescore.egg-info"}}
    assert packed - written == {*files()} - NOT_PACKED - written


def test_it_lives_beside_another_package(wheel: Path, packages: Path, tmp_path: Path) -> None:
    """Install beside a package `datasets`, read a photo, start the app, uninstall: the other package stays intact."""
    python, home = environment(tmp_path / NAME / "venv", packages), tmp_path / NAME / "home"
    (site,) = (tmp_path / NAME / "venv" / "lib").glob("python3*/site-packages")
    other = site / OTHER
    other.mkdir()
    (other / "__init__.py").write_text("ANSWER = 42\n", encoding="utf-8")
    (other / "parallel.py").write_text("ANSWER = 43\n", encoding="utf-8")
    run(*PIP, "--python", python, "install", "--no-deps", "--no-index", wheel, cwd=home)
    intact = f"import {OTHER}, {OTHER}.parallel; assert {OTHER}.ANSWER + {OTHER}.parallel.ANSWER == 85"
    run(python, "-c", f"{intact}; import tilescore.datasets.labels", cwd=home, env=user(home))
    told = run(python, "-c", "import tilescore; print(tilescore.__version__)", cwd=home, env=user(home))
    assert told == f"{PROJECT['project']['version']}\n"
    face = f"from tilescore import read, score; print(score(read({str(PHOTO)!r}), 'classical').total)"
    assert int(run(python, "-c", face, cwd=home, env=user(home))) > 0
    check(python.with_name("tilescore"), home=home)
    run(*PIP, "--python", python, "uninstall", "--yes", "tilescore", cwd=home)
    assert not [path for path in (site / "tilescore").rglob("*") if path.is_file()]
    run(python, "-c", intact, cwd=home, env=user(home))


@pytest.mark.parametrize("form", FORMS)
def test_an_editable_install_works(form: str, source: Path, tools: Path, packages: Path, tmp_path: Path) -> None:
    python, home = environment(tmp_path / NAME / "venv", tools, packages), tmp_path / NAME / "home"
    how = ("--no-deps", "--no-build-isolation", *FORMS[form].split())
    run(*PIP, "--python", python, "install", *how, source, cwd=home)
    check(python.with_name("tilescore"), home=home)


@pytest.mark.skipif(sys.platform == "win32", reason="the script is one of sh")
def test_training_is_installed_where_nobody_shares_packages(tmp_path: Path) -> None:
    checkout = tmp_path / "checkout"
    python = checkout / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text('#!/bin/sh\ncase "$*" in *"import torchvision"* | *../shared*) exit 1 ;; esac\necho "$*"\n')
    python.chmod(0o755)
    for name in ("environment.sh", "constraints.txt"):
        shutil.copy(ROOT / name, checkout)
    done = subprocess.run(
        ["/bin/sh", "environment.sh", "train"], cwd=checkout, capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1].endswith("--editable .[train]")


def test_a_checkout_runs_without_an_install(source: Path, packages: Path, tmp_path: Path) -> None:
    """`python -m tilescore` finds the rooms beside its folder; an installed Tilescore finds those inside it."""
    python = environment(tmp_path / "venv", packages)
    run(python, "-m", "tilescore", "rules", "--ruleset", "mcr", cwd=source, env=user(tmp_path))
    with pytest.raises(AssertionError, match="No module named"):
        run(python, "-m", "tilescore", "rules", "--ruleset", "mcr", cwd=tmp_path, env=user(tmp_path))
