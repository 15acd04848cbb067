# Needs Python 3.11 or later, make and a package registry; everything else goes into .venv.
#   make certify    certify the reference engine through a pipe, as any other engine
#   make test       all tests

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
MAKEFLAGS += --no-builtin-rules

VENV := .venv
BIN := $(VENV)/bin
LOCK := requirements-dev.lock
DOCS_LOCK := requirements-docs.lock
TOOLS := conformance/tests/browser_tools
MUTATION_LOCK := requirements-mutation.lock

# The installed packages depend on the contents of these files, not on their dates: a fresh clone or
# a change of branch and back does not install again.
key = $(shell cat $(1) | cksum | tr ' ' -)
READY := $(VENV)/ready-$(call key,$(LOCK) pyproject.toml)
DOCS_READY := $(VENV)/docs-ready-$(call key,$(LOCK) $(DOCS_LOCK) pyproject.toml)
MUTATION_READY := $(VENV)/mutation-ready-$(call key,$(LOCK) $(MUTATION_LOCK) pyproject.toml)
# Wheels are checked by hash against the lock; nothing is built but this project.
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check install
# Without compiled modules on the disk each worker, and each engine that a test starts, would compile
# them anew: as much work as the fast tests themselves.
TESTS := env -u PYTHONDONTWRITEBYTECODE $(BIN)/pytest -n auto --dist loadfile --no-loadscope-reorder

.PHONY: help
help: ## Say what there is to make
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "%-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

$(READY):
	@if ! $(BIN)/python -m pip --version >/dev/null 2>&1; then \
	  for candidate in $${PYTHON:-python3 python3.14 python3.13 python3.12 python3.11 python}; do \
	    if "$$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
	      python=$$candidate; break; \
	    fi; \
	  done; \
	  if [ -z "$${python:-}" ]; then \
	    echo "Python 3.11 or later was not found; name it: make PYTHON=/path/to/python" >&2; exit 2; \
	  fi; \
	  echo "creating $(VENV) with $$("$$python" --version)"; \
	  "$$python" -m venv --clear $(VENV) || { \
	    echo "'$$python -m venv' failed; some systems package it apart (python3-venv)" >&2; exit 2; }; \
	fi
	@rm -f $(VENV)/ready-*
	@echo "installing into $(VENV)"
	@$(PIP) --require-hashes --only-binary :all: --requirement $(LOCK)
	@$(PIP) --no-deps --no-build-isolation --editable .
	@touch $@

$(DOCS_READY): $(READY)
	@$(PIP) --require-hashes --requirement $(DOCS_LOCK)
	@rm -f $(VENV)/docs-ready-* && touch $@

$(MUTATION_READY): $(READY)
	@$(PIP) --require-hashes --requirement $(MUTATION_LOCK)
	@rm -f $(VENV)/mutation-ready-* && touch $@

.PHONY: setup
setup: $(READY) ## Create .venv with everything that development needs

.PHONY: lint
lint: $(READY) ## Style and likely mistakes
	$(BIN)/ruff check --quiet .
	$(BIN)/ruff format --check --quiet .

.PHONY: types
types: $(READY) ## Type check
	$(BIN)/mypy

.PHONY: format
format: $(READY) ## Lay out the Python files and order their imports
	$(BIN)/ruff check --quiet --select I --fix .
	$(BIN)/ruff format --quiet .

.PHONY: browser
browser: ## Chromium and axe-core, for the tests that look at pages (needs root and apt, and npm)
	@for name in "$${CHROMIUM:-}" chromium chromium-browser google-chrome-stable google-chrome; do \
	  if command -v "$$name" >/dev/null; then exit 0; fi; \
	done; \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	  echo "installing chromium"; \
	  export DEBIAN_FRONTEND=noninteractive; \
	  { apt-get -qq update && apt-get -qq install --yes --no-install-recommends \
	    chromium fonts-dejavu-core; } >/dev/null || { \
	    echo "chromium could not be installed; tests that look at pages are skipped" >&2; \
	    [ "$${CI:-}" != true ]; }; \
	else \
	  echo "no chromium: install one, or name it in CHROMIUM; tests that need it are skipped" >&2; \
	fi
	@if [ ! -e $(TOOLS)/node_modules/axe-core/axe.min.js ]; then \
	  if command -v npm >/dev/null; then \
	    npm ci --prefix $(TOOLS) --ignore-scripts --no-audit --no-fund --silent || { \
	      echo "axe-core could not be installed; tests that need it are skipped" >&2; \
	      [ "$${CI:-}" != true ]; }; \
	  else \
	    echo "no npm, so no axe-core; tests that need it are skipped" >&2; \
	  fi; \
	fi

.PHONY: quick
quick: lint types ## Lint, types and the fast tests (30 s)
	SHARE_OF_EXAMPLES=0.1 $(TESTS) -q -m "not slow and not gates"

.PHONY: test
test: $(DOCS_READY) lint types browser pango ## All tests but the gates (8 min)
	$(TESTS) -m "not gates"

.PHONY: certify
certify: $(READY) ## Certify the reference engine in a process of its own
	$(BIN)/bauernschnapsen certify -- $(BIN)/bauernschnapsen serve

.PHONY: gates
gates: $(MUTATION_READY) ## All gates in full; goes on where it was interrupted (75 min at most)
	$(BIN)/python -m bauernschnapsen_conformance.gates

.PHONY: figures
figures: $(READY) ## The figures of the last gates, into README.md
	$(BIN)/python -m bauernschnapsen_conformance.gates --readme

.PHONY: bench
bench: $(DOCS_READY) ## Speed of engine, pipe, suite, site and installing, into docs/performance.md
	$(BIN)/python -m bauernschnapsen_conformance.bench --write

.PHONY: bench-peers
bench-peers: $(READY) ## Other card engines beside ours, into docs/performance.md
	$(BIN)/python -m bauernschnapsen_conformance.bench.peers --write

.PHONY: digests
digests: $(READY) ## Digests of all right answers, into spec/exhaustive.yaml (5 min)
	$(BIN)/python -m bauernschnapsen_conformance.exhaustive.published

.PHONY: pango
pango: $(DOCS_READY) ## Pango, which lays out what is printed (needs root and apt)
	@if ! $(BIN)/python -c 'import weasyprint' 2>/dev/null; then \
	  if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	    echo "installing pango"; \
	    export DEBIAN_FRONTEND=noninteractive; \
	    { apt-get -qq update && apt-get -qq install --yes --no-install-recommends \
	      libpango-1.0-0 libpangoft2-1.0-0; } >/dev/null || { \
	      echo "pango could not be installed; nothing can be printed" >&2; \
	      [ "$${CI:-}" != true ]; }; \
	  else \
	    echo "no pango: install it (libpango-1.0-0, libpangoft2-1.0-0); tests of print are skipped" >&2; \
	  fi; \
	fi

.PHONY: docs
docs: $(DOCS_READY) ## The rulebook in all languages, into site/ (DOCS=--release: no text may lag)
	$(BIN)/python -m bauernschnapsen_conformance.rulebook.site --output site $(DOCS)

.PHONY: pdf
pdf: pango ## The printed rulebook and quick sheet in all languages, into site/pdf/ (5 min)
	$(BIN)/python -m bauernschnapsen_conformance.rulebook.pdf --output site

.PHONY: offline
offline: docs ## The site as a zip that works from a folder, into site/offline/
	$(BIN)/python -m bauernschnapsen_conformance.rulebook.offline --site site

.PHONY: wheel
wheel: $(READY) ## Source archive and wheel, into dist/
	$(BIN)/python -m build --no-isolation

.PHONY: lock
lock: ## Take the newest versions into the lock files (needs uv)
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --upgrade \
	  --no-header --no-emit-index-url --no-annotate --extra dev --extra fuzz --extra distributed \
	  --output-file $(LOCK) pyproject.toml
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --upgrade \
	  --no-header --no-emit-index-url --no-annotate --extra docs --constraint $(LOCK) \
	  --output-file $(DOCS_LOCK) pyproject.toml
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --upgrade \
	  --no-header --no-emit-index-url --no-annotate --extra mutation --constraint $(LOCK) \
	  --output-file $(MUTATION_LOCK) pyproject.toml

.PHONY: clean
clean: ## Remove everything that was made here
	rm -rf $(VENV) $(TOOLS)/node_modules build dist site .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
