# make app    the app in the browser, with the bundled model and a sample picture
# make test   every check there is
# make audit  what is installed: pinned, unchanged, of known licences (part of make test)
# make bench  the figures of README and the model card, to benchmarks/REPORT.md
# make train  the shipped model again, from ../shared (hours)
# make test-train  the way there on a handful of pictures: one step of training, export, evaluation
PYTHON ?= python3
BIN := .venv/bin
# Compiled files, other packages' own test suites and what only building needs are a sixth of the environment: left out.
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile --constraint constraints.txt
SLIM := rm -rf .venv/lib/python3.*/site-packages/pandas/tests .venv/lib/python3.*/site-packages/pyarrow/tests \
	.venv/lib/python3.*/site-packages/pyarrow/include
# A file's tests stay together: they share what is slow to make. tests/conftest.py orders the files.
AT_ONCE := --numprocesses 3 --dist loadfile --no-loadscope-reorder

# Training-only pictures of rendered scenes.
export TILESCORE_CROPS ?= ../shared/data/crops
export TILESCORE_PHOTOS ?= ../shared/data/photos

.PHONY: app test style tests audit bench train test-train clean

app: .venv/app
	$(BIN)/tilescore app

test: .venv/dev
	@$(MAKE) --no-print-directory --jobs 2 style tests

style: .venv/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy $(foreach room,base scoring vision datasets models ui,--package tilescore.$(room))
	$(BIN)/mypy app.py benchmarks tests

# Compiled once, not by each of a hundred processes, and not into the environment, whose size is measured.
style tests test-train: export PYTHONDONTWRITEBYTECODE =
style tests test-train: export PYTHONPYCACHEPREFIX = $(CURDIR)/.work/compiled

tests: .venv/dev
	$(BIN)/python -m pytest $(AT_ONCE) --cov=tilescore.scoring --cov-branch --cov-fail-under=100

audit: .venv/dev
	$(BIN)/python -m pytest tests/test_security.py -k "needed or licences or installed"

bench: .venv/bench
	$(BIN)/python -m benchmarks
	$(BIN)/python -m tilescore.models.evaluation.card

train: .venv/train
	$(BIN)/tilescore dataset synth runs/scenes --count 3500 --seed 1
	$(BIN)/tilescore dataset synth runs/rare --count 1700 --seed 2 --only rare
	$(BIN)/python -m tilescore.datasets.synthesis.clutter runs/clutter --count 700
	$(BIN)/tilescore train --from ../shared/weights/tiles46_yolo11n.pt --data ../shared/data/photos \
		--scenes runs/scenes --scenes runs/clutter
	$(BIN)/tilescore dataset synth runs/game --count 2500 --seed 3 --size 1280 --only game
	$(BIN)/tilescore train --backs --name backs --epochs 4 --from runs/tiles46/weights/last.pt --data ../shared/data/photos \
		--scenes runs/game --scenes runs/scenes --scenes runs/clutter
	$(BIN)/tilescore export runs/backs/weights/best.pt models/weights/tiles46.onnx
	$(BIN)/tilescore train-refiner models/weights/tiles46_refiner.onnx --detector models/weights/tiles46.onnx \
		--data ../shared/data/photos --scenes runs/scenes --scenes runs/clutter
	$(BIN)/tilescore train-refiner models/weights/tiles46_backs.onnx --backs --detector models/weights/tiles46.onnx \
		--data ../shared/data/photos --scenes runs/game --scenes runs/scenes --scenes runs/clutter
	$(BIN)/tilescore train-classifier models/weights/tiles46_faces.onnx --data ../shared/data/photos \
		--scenes runs/scenes --scenes runs/rare --scenes runs/clutter --singles ../shared/data/crops --detector models/weights/tiles46.onnx
	$(BIN)/tilescore train-corners models/weights/tiles46_corners.onnx --scenes runs/rare --scenes runs/scenes
	$(BIN)/tilescore train-classifier models/weights/tiles46_closer.onnx --closer --from models/weights/tiles46_faces.onnx \
		--first models/weights/tiles46_faces.onnx --corners models/weights/tiles46_corners.onnx \
		--data ../shared/data/photos --scenes runs/rare --scenes runs/scenes
	$(BIN)/python -m tilescore.models.registry
	$(BIN)/python -m tilescore.datasets.synthesis.clutter runs/fitting-clutter --count 100 --seed 77
	$(BIN)/python -m tilescore.datasets.synthesis.clutter runs/fitting-among --count 113 --seed 9 --around runs/classifier-data/images/val
	$(BIN)/python -m tilescore.datasets.synthesis.synth runs/fitting-scenes --count 160 --seed 8800 --size 1280 --fitting --workers 2
	$(BIN)/python -m tilescore.datasets.synthesis.clutter runs/fitting-among-scenes --count 160 --seed 10 --around runs/fitting-scenes/images
	$(BIN)/python -m tilescore.models.evaluation.calibrate ../shared/data/photos/data.yaml runs/fitting-clutter/data.yaml:test \
		runs/fitting-among/data.yaml:test runs/fitting-scenes/data.yaml:test runs/fitting-among-scenes/data.yaml:test
	$(BIN)/python -m tilescore.models.evaluation.card

test-train: .venv/train
	$(BIN)/python -m pytest --numprocesses 2 --dist loadfile tests/models

clean:
	rm -rf .venv build *.egg-info

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Tilescore needs Python 3.11 or newer; say PYTHON=/path/to/python3.11 make ..."; exit 1; }
	$(PYTHON) -m venv .venv

# Strict: a tree of links that type checkers and editors can follow. A new file needs a new link, so folders are watched.
FOLDERS := $(shell find base scoring vision datasets models ui -type d -not -name __pycache__)
EDITABLE := --config-settings editable_mode=strict --editable

.venv/app: .venv/bin/python pyproject.toml constraints.txt $(FOLDERS)
	$(INSTALL) $(EDITABLE) .
	$(SLIM)
	@$(BIN)/python -m pip uninstall --quiet --yes setuptools 2>/dev/null || true
	touch $@

.venv/dev: .venv/app
	$(INSTALL) $(EDITABLE) '.[dev]'
	@$(INSTALL) $(EDITABLE) '.[oracle]' || echo "no C++ compiler for PyMahjongGB: the tests against it are skipped"
	touch $@

.venv/bench: .venv/dev
	@$(INSTALL) $(EDITABLE) '.[bench]' || echo "no mahjong-detector: reading is not compared with it"
	touch $@

.venv/train: .venv/dev
	$(INSTALL) torch
	$(BIN)/python -c 'import torchvision' 2>/dev/null || $(INSTALL) ../shared/tools/torchvision-cpu
	$(INSTALL) $(EDITABLE) '.[train]'
	touch $@
