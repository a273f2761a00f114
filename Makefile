# make app    the app in the browser, with the bundled model and a sample picture
# make test   all checks
# make audit  the installed packages: pinned, unchanged, of known licences (part of make test)
# make sbom   build/sbom.json, the list of all that the program consists of (CycloneDX)
# make supply write constraints.txt anew: the versions and hashes of all that the program runs with
# make cover  branches of scoring/ that chosen cases cover, without random hands (make test counts them, too)
# make bench  the figures of README and the model card, to benchmarks/REPORT.md
# make train  train networks like the shipped ones by models/recipes, from ../shared (hours)
# make fit-layout  fit the layout on the judged photos of ../shared and on simulated tables (minutes);
#                  JUDGED="FILE ..." adds files of tilescore dataset layouts
# make test-train  test the training with a few pictures: training steps, export, evaluation
PYTHON ?= python3
BIN := .venv/bin
# The environment leaves out compiled files, test suites of packages and build tools, a sixth of its size. What the app
# loads is compiled after the installation, a tenth of these files: otherwise the first start takes twice as long.
COMPILE := import streamlit.starlette, streamlit.web.bootstrap, uvicorn.lifespan.on, uvicorn.loops.auto; \
	import uvicorn.protocols.websockets.websockets_sansio_impl, tilescore.ui.cli.main, tilescore.ui.server.gate; \
	import tilescore.ui.pages.frame, tilescore.models.registry; tilescore.models.registry.load_reader()
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile
# What the program runs with is installed by the hashes of constraints.txt before; pip leaves it as it is.
INSTALL := $(PIP) --constraint constraints-dev.txt
TOOLS := .work/tools/bin
# What no part of the program ever loads goes: test suites and C++ headers, Arrow's network protocol, a Jupyter extension.
SLIM := cd .venv/lib/python3.*/site-packages && rm -rf pandas/tests pyarrow/tests pyarrow/include \
	pyarrow/_flight.* pyarrow/libarrow_flight.* pyarrow/libarrow_python_flight.* pydeck/nbextension/static
# More processes than cores, because browser tests wait. tests/conftest.py says what runs in one process.
AT_ONCE := --numprocesses 4 --dist loadfile --no-loadscope-reorder

# Pictures for training only; the rendered scenes contain them.
export TILESCORE_CROPS ?= ../shared/data/crops
export TILESCORE_PHOTOS ?= ../shared/data/photos

.PHONY: app test style tests cover audit sbom supply bench train fit-layout test-train clean

app: .venv/app
	$(BIN)/tilescore app

test: .venv/dev
	@$(MAKE) --no-print-directory --jobs 2 style tests

style: .venv/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy $(foreach room,scoring vision datasets models ui,--package tilescore.$(room))
	$(BIN)/mypy app.py tilescore benchmarks tests

# A hundred processes share compiled files. They lie outside the environment, because a figure measures its size.
COMPILED := .work/compiled
style tests test-train: export PYTHONDONTWRITEBYTECODE =
style tests test-train: export PYTHONPYCACHEPREFIX = $(CURDIR)/$(COMPILED)

# One process compiles the tests and what they import before the first run. Otherwise each of them does all of it.
# The run itself reports a test that cannot be imported.
$(COMPILED)/ready: | .venv/dev
	@mkdir -p $(@D)
	@$(BIN)/python -m pytest --collect-only >/dev/null 2>&1 || true
	@touch $@

tests: .venv/dev $(COMPILED)/ready
	$(BIN)/python -m pytest $(AT_ONCE) --cov=tilescore.scoring --cov-branch --cov-fail-under=100

cover: .venv/dev
	$(BIN)/python -m pytest tests/scoring -m "not random and not hypothesis and not shared" \
		--cov=tilescore.scoring --cov-branch --cov-fail-under=100 --cov-report=term-missing:skip-covered

audit: .venv/dev
	$(BIN)/python -m pytest tests/test_security.py -k "needed or licences or installed"

sbom: .venv/app $(TOOLS)/cyclonedx-py
	mkdir -p build
	$(TOOLS)/cyclonedx-py environment --pyproject pyproject.toml --output-reproducible --of JSON -o build/sbom.json $(BIN)/python

supply: $(TOOLS)/uv
	$(TOOLS)/uv pip compile pyproject.toml --group supply --universal --python-version 3.11 --generate-hashes --upgrade \
		--custom-compile-command "make supply" --output-file constraints.txt

$(TOOLS)/uv $(TOOLS)/cyclonedx-py:
	$(PYTHON) -m venv .work/tools
	$(TOOLS)/python -m pip install --quiet --disable-pip-version-check uv==0.13.9 cyclonedx-bom==7.5.0

bench: .venv/bench
	$(BIN)/python -m benchmarks
	$(BIN)/python -m tilescore.models.evaluation.card

train: .venv/train
	sh models/recipes/all.sh

fit-layout: .venv/dev
	$(BIN)/python -m tilescore.models.layout_fit ../shared/data $(JUDGED)

test-train: .venv/train
	$(BIN)/python -m pytest --numprocesses 2 --dist loadfile tests/models

clean:
	rm -rf .venv build *.egg-info

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Tilescore needs Python 3.11 or newer; say PYTHON=/path/to/python3.11 make ..."; exit 1; }
	$(PYTHON) -m venv .venv

# In strict mode, type checkers and editors follow a tree of links. The folders are prerequisites: a new file needs a link.
FOLDERS := $(shell find tilescore scoring vision datasets models ui -type d -not -name __pycache__)
EDITABLE := --config-settings editable_mode=strict --editable

.venv/app: .venv/bin/python pyproject.toml constraints.txt $(FOLDERS)
	$(PIP) --require-hashes --no-deps --requirement constraints.txt
	$(PIP) --no-deps --no-build-isolation $(EDITABLE) .
	$(SLIM)
	@$(BIN)/python -m pip uninstall --quiet --yes setuptools 2>/dev/null || true
	PYTHONDONTWRITEBYTECODE= $(BIN)/python -P -c '$(COMPILE)'
	touch $@

.venv/dev: .venv/app
	@$(INSTALL) $(EDITABLE) '.[dev,oracle]' || { \
		echo "no C++ compiler for PyMahjongGB: the tests against it are skipped"; $(INSTALL) $(EDITABLE) '.[dev]'; }
	touch $@

.venv/bench: .venv/dev
	@$(INSTALL) $(EDITABLE) '.[bench]' || echo "no mahjong-detector: reading is not compared with it"
	touch $@

.venv/train: .venv/dev
	$(INSTALL) torch
	$(BIN)/python -c 'import torchvision' 2>/dev/null || $(INSTALL) ../shared/tools/torchvision-cpu
	$(INSTALL) $(EDITABLE) '.[train]'
	touch $@
