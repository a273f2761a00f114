"""The structure of the code: imports have one direction and no cycle; folders and files stay small."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections import Counter
from graphlib import CycleError, TopologicalSorter
from typing import TYPE_CHECKING

import pytest

from tests.harness.architecture import PACKAGES, PICTURE, ROOT, imported, module_name, package_of, picture

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

MAY_IMPORT = {
    "": {*PACKAGES},  # the public face
    "tilescore": set(),
    "scoring": {"tilescore"},
    "vision": {"scoring", "tilescore"},
    "datasets": {"vision", "scoring", "tilescore"},
    "models": {"datasets", "vision", "scoring", "tilescore"},
    "ui": {"models", "datasets", "vision", "scoring", "tilescore"},
}
UI_ROOMS = ("locale", "words", "storage", "state", "services", "components", "pages", "server", "start", "cli")
"""The rooms of `ui` from the ground up: each may import those before it."""
FILES = [path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]
SCRIPTS = [path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.js"))]
OTHERS = [path for folder in ("benchmarks", "tests") for path in sorted((ROOT / folder).rglob("*.py"))]
ROOMS = sorted({path.parent for path in (*FILES, *SCRIPTS)})
HEAVY = {"torch", "ultralytics"}
HARNESS = "tests.harness"
"""The one room of the tests that measurements use, too."""
HEAVY_MODULES = {"tilescore.models.training.backs_head", "tilescore.models.training.yolo"}
"""The first holds classes that checkpoints of ultralytics name, the second gives access to ultralytics."""


def relative(path: Path) -> str:
    return str(path.relative_to(ROOT))


def lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


def at_module_level(path: Path) -> set[str]:
    """The modules that the file imports at module level, by `import x` or by `from x import y`."""
    names = set[str]()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return names


def faults(paths: Iterable[Path], found: Callable[[Path], object]) -> dict[str, object]:
    """What is wrong with which of these files or folders; a test for each of them would be thousands of tests."""
    return {relative(path): wrong for path in paths if (wrong := found(path))}


def test_no_arrow_runs_back() -> None:
    def forbidden(path: Path) -> set[str]:
        package, names = package_of(module_name(path)), imported(path)
        others = {*map(package_of, names)} - MAY_IMPORT[package] - {package, ""}
        return others | {name.split(".")[0] for name in names} & {"tests", "benchmarks"}

    assert not faults(FILES, forbidden)


def test_no_arrow_runs_back_in_ui() -> None:
    def forbidden(path: Path) -> set[str]:
        floor = UI_ROOMS.index(path.relative_to(ROOT / "ui").parts[0])
        return {name.split(".")[2] for name in imported(path) if name.startswith("tilescore.ui.")} - {
            *UI_ROOMS[: floor + 1]
        }

    assert not faults((ROOT / "ui").glob("*/**/*.py"), forbidden)


def test_a_page_keeps_to_itself() -> None:
    """A page takes nothing from another page; what two pages share is a component. The frame draws all pages."""

    def forbidden(path: Path) -> set[str]:
        ours = module_name(path).split(".")[3]
        names = {name.split(".")[3] for name in imported(path) if name.startswith("tilescore.ui.pages.")}
        return names - {ours} if ours != "frame" else set()

    assert not faults((ROOT / "ui" / "pages").rglob("[!_]*.py"), forbidden)


@pytest.mark.parametrize("package", ["tilescore", "scoring", "vision", "datasets", "models"])
def test_no_circle_of_rooms(package: str) -> None:
    """The rooms of a package have an order; a module beside them is a room of its own."""

    def room(name: str) -> str:
        inside = name.removeprefix("tilescore.").removeprefix(f"{package}.")
        return inside.split(".")[0] if package_of(name) == package != inside else ""

    graph: dict[str, set[str]] = {}
    for path in FILES:
        if here := room(module_name(path)):
            graph.setdefault(here, set()).update({room(name) for name in imported(path)} - {"", here})
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" -> ".join(error.args[1]))


def test_no_circle() -> None:
    """No module imports itself through other modules, not even for its types."""
    graph = {module_name(path): imported(path) - {module_name(path)} for path in FILES}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" -> ".join(error.args[1]))


def test_tests_and_measurements_share_only_the_harness() -> None:
    def forbidden(path: Path) -> set[str]:
        others = {name for name in imported(path) if name.split(".")[0] in {"tests", "benchmarks"}}
        if path.is_relative_to(ROOT / "tests"):
            return {name for name in others if name.startswith("benchmarks")}
        return {name for name in others if name.startswith("tests") and not f"{name}.".startswith(f"{HARNESS}.")}

    assert not faults(OTHERS, forbidden)


def test_files_have_human_size() -> None:
    assert not faults((*FILES, *SCRIPTS, *OTHERS), lambda path: max(0, len(lines(path)) - 400))


def test_functions_have_human_size() -> None:
    """At most five functions have more than 40 lines without their docstring."""

    def long(path: Path) -> list[str]:
        code = ast.parse(path.read_text(encoding="utf-8"))
        functions = [node for node in ast.walk(code) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
        return [function.name for function in functions if _length(function) > 40]

    found = faults(FILES, long)
    assert sum(len(str(names).split(", ")) for names in found.values()) <= 5, found


def _length(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Lines of a function without its docstring."""
    first = function.body[0]
    is_doc = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    told = (first.end_lineno or 0) - first.lineno + 1 if is_doc else 0
    return (function.end_lineno or 0) - function.lineno + 1 - told


def test_rooms_have_human_size() -> None:
    def too_much(room: Path) -> list[str]:
        inside = [path for path in (*FILES, *SCRIPTS) if path.parent == room and path.name != "__init__.py"]
        long = sum(len(lines(path)) for path in inside) > 4000
        return [path.name for path in inside] if len(inside) > 12 or long else []

    assert not faults(ROOMS, too_much)


def test_class_names_say_one_thing() -> None:
    """No two packages have a class of the same name."""
    homes: dict[str, set[str]] = {}
    for path in FILES:
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes.setdefault(node.name, set()).add(path.relative_to(ROOT).parts[0])
    assert not {name: rooms for name, rooms in homes.items() if len(rooms) > 1}


def test_constants_say_one_thing() -> None:
    """No two packages have a public constant of the same name; the parameters of generic types have no meaning."""
    homes: dict[str, set[str]] = {}
    for path in FILES:
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            targets = [node.target] if isinstance(node, ast.AnnAssign) else getattr(node, "targets", [])
            generic = isinstance(node, ast.Assign) and ast.unparse(node.value).startswith("TypeVar(")
            for target in targets if not generic else ():
                if isinstance(target, ast.Name) and not target.id.startswith("_"):
                    homes.setdefault(target.id, set()).add(path.relative_to(ROOT).parts[0])
    assert not {name: rooms for name, rooms in homes.items() if len(rooms) > 1}


def test_file_names_say_one_thing() -> None:
    """No two scripts have the same name, because `components.assets` finds a script by its name."""
    assert max(Counter(path.name for path in SCRIPTS).values()) == 1


def test_the_picture_is_that_of_the_code() -> None:
    assert PICTURE.read_text(encoding="utf-8") == picture(), "run python -m tests.harness.architecture"


def test_scoring_is_light() -> None:
    """`tilescore.scoring` loads only the standard library."""
    modules = ", ".join(f"tilescore.scoring.{name}" for name in ("tiles", "hand", "context", "score", "ruleset"))
    heavy = {"numpy", "cv2", "onnxruntime", "streamlit", "torch", "mahjong"}
    code = f"import sys, {modules}; sys.exit(bool({heavy} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0  # noqa: S603


def test_runtime_needs_neither_torch_nor_ultralytics() -> None:
    """No module loads them when it is imported, and none loads a module that does."""

    def heavy(path: Path) -> set[str]:
        names = at_module_level(path)
        return {name.split(".")[0] for name in names} & HEAVY | names & HEAVY_MODULES

    assert not faults((path for path in FILES if module_name(path) not in HEAVY_MODULES), heavy)
