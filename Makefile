# make app    the app in the browser, with the bundled model and a sample picture
# make test   all checks
# make audit  the installed packages: pinned, unchanged, of known licences (part of make test)
# make sbom   build/sbom.json, the list of all that the program consists of (CycloneDX)
# make supply write constraints.txt anew: the versions and hashes of all packages
# make cover  branches of scoring/ that chosen cases cover, without random hands (make test counts them, too)
# make bench  the figures of README and the model card, to benchmarks/REPORT.md
# make train  train networks like the shipped ones by models/recipes, from ../shared (hours)
# make fit-layout  fit the layout on the photos of ../shared and simulated tables; JUDGED="FILE ..." adds judged files
# make test-train  test the training with a few pictures: training steps, export, evaluation
BIN := .venv/bin
ROOMS := scoring vision datasets models ui
# Pictures for training only; the rendered scenes contain them.
export TILESCORE_CROPS ?= ../shared/data/crops
export TILESCORE_PHOTOS ?= ../shared/data/photos
# A hundred processes share compiled files. They lie outside the environment, because a figure measures its size.
style tests test-train: export PYTHONDONTWRITEBYTECODE =
style tests test-train: export PYTHONPYCACHEPREFIX = $(CURDIR)/.work/compiled

.PHONY: app test style tests cover audit sbom supply bench train fit-layout test-train clean
app: .venv/app
	$(BIN)/tilescore app
test: .venv/dev
	@$(MAKE) --no-print-directory --jobs 2 style tests
style: .venv/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy $(ROOMS:%=--package tilescore.%)
	$(BIN)/mypy app.py setup.py tilescore benchmarks tests
tests: .venv/dev  # more processes than cores, so all waiting times are longer; tests/conftest.py says what runs in one process
	TILESCORE_PATIENCE=$${TILESCORE_PATIENCE:-3} $(BIN)/python -m pytest --numprocesses 4 --dist loadfile --no-loadscope-reorder --cov --cov-fail-under=100
cover: .venv/dev
	$(BIN)/python -m pytest tests/scoring -m "not random and not hypothesis and not shared" \
		--cov --cov-fail-under=100 --cov-report=term-missing:skip-covered
audit: .venv/dev
	$(BIN)/python -m pytest tests/test_security.py -k "needed or licences or installed"
sbom: .venv/app .work/tools
	.work/tools/bin/cyclonedx-py environment --pyproject pyproject.toml --output-reproducible --of JSON -o build/sbom.json $(BIN)/python
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
supply: .work/tools
	sh environment.sh lock

.venv/app: pyproject.toml setup.py constraints.txt $(shell find tilescore $(ROOMS) -type d -not -name __pycache__)  # a new file needs a link
.venv/dev: .venv/app
.venv/bench: .venv/dev
.venv/train: .venv/dev
.venv/app .venv/dev .venv/bench .venv/train .work/tools:
	sh environment.sh $(@F)
	touch $@
