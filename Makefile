# Two commands do the main jobs: `make book` builds the book, `make test` tests it.
# Everything is installed into .venv; nothing needs root, nothing global is touched.

VENV := .venv
BENCH := .venv-bench
BIN := $(VENV)/bin
SITE := _build/html
PORT := 8000
JUPYTER_BOOK := $(BIN)/python -c 'from jupyter_book.cli.main import main; main()'
export JUPYTER_PLATFORM_DIRS := 1
export JUPYTER_PREFER_ENV_PATH := 1
# Kernels run with this set-up, not with start-up files of the reader's own; JupyterLab asks nobody
# for news.
export IPYTHONDIR := $(CURDIR)/$(VENV)/ipython
export PIP_DISABLE_PIP_VERSION_CHECK := 1
# Hundreds of short processes, kernels above all, read the same modules: they are compiled once.
unexport PYTHONDONTWRITEBYTECODE

# The first Python on the path that is new enough; `make PYTHON=/path/to/python3.12 book` overrides.
NEW_ENOUGH := import sys; sys.exit(sys.version_info < (3, 11))
PYTHON = $(shell for p in python3 python3.14 python3.13 python3.12 python3.11 python; do \
	"$$p" -c '$(NEW_ENOUGH)' 2>/dev/null && echo "$$p" && break; done)

.PHONY: help setup setup-homework setup-test book pdf serve lab notebooks homework grade formgrader atlas \
	bundles claims comparisons lint planted planted-map states test-pdf test-all test-rest \
	test test-quick test-lint test-unit test-notebooks test-homework test-site \
	test-book test-browser bench size pins clean
.DEFAULT_GOAL := help
.NOTPARALLEL:

help: ## Show this list
	@echo "Decision trees, grown and proved: an executable textbook. Usage: make COMMAND"
	@sed -n 's/^\([a-z-]*\):.* ## /  \1\t/p' $(firstword $(MAKEFILE_LIST)) | expand -t 18

# --- set-up -------------------------------------------------------------------------------------

$(BIN)/python:
	@test -n "$(PYTHON)" && "$(PYTHON)" -c '$(NEW_ENOUGH)' || { \
		echo "This book needs Python 3.11 or newer. Found: $$(python3 --version 2>&1 || echo none)."; \
		echo "Install one (https://www.python.org/downloads/), or name it: make PYTHON=/path/to/python3.12 $(MAKECMDGOALS)"; \
		exit 1; } >&2
	@"$(PYTHON)" -c 'import venv, ensurepip' 2>/dev/null || { \
		echo "$(PYTHON) cannot make virtual environments: its venv or ensurepip module is missing."; \
		echo "On Debian or Ubuntu: sudo apt-get install python3-venv"; \
		exit 1; } >&2
	@echo "Making $(VENV) with $$("$(PYTHON)" --version) ..."
	@"$(PYTHON)" -m venv --clear "$(VENV)"

# One stamp per folder: an environment that was moved or copied is set up again.
STAMP := $(VENV)/.ready-$(shell pwd | cksum | cut -d' ' -f1)

$(STAMP): requirements.txt pyproject.toml | $(BIN)/python
	@$(BIN)/python -c '$(NEW_ENOUGH)' || { \
		echo "$(VENV) holds a Python older than 3.11. Delete it (rm -r $(VENV)) and run again."; \
		exit 1; } >&2
	@echo "Installing what the book needs into $(VENV) (a minute or two, once) ..."
	@$(BIN)/python -m pip install --quiet -r requirements.txt
	@# Until 0.3 the package was installed under the name of another project on PyPI.
	@$(BIN)/python -m pip uninstall -qqq --yes dtviz || true
	@rm -rf $(addprefix $(VENV)/lib/python3*/site-packages/,dtviz dtviz-*.dist-info _editable_impl_dtviz.pth)
	@$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation --editable .
	@mkdir -p $(VENV)/ipython/profile_default
	@mkdir -p $(VENV)/etc/jupyter/labconfig
	@echo '{"disabledExtensions": {"@jupyterlab/apputils-extension:announcements": true}}' \
		> $(VENV)/etc/jupyter/labconfig/page_config.json
	@echo 'c.IPKernelApp.log_level = "ERROR"' > $(VENV)/ipython/profile_default/ipython_kernel_config.py
	@touch $@

# The package with the extras of pyproject.toml that are named, in the versions of constraints.txt.
INSTALL := -m pip install --quiet --constraint constraints.txt --editable

$(STAMP)-homework: constraints.txt $(STAMP)
	@echo "Installing what grading needs into $(VENV) ..."
	@$(BIN)/python $(INSTALL) ".[homework]" --no-build-isolation
	@touch $@

$(STAMP)-test: constraints.txt $(STAMP)-homework
	@echo "Installing what the tests need into $(VENV) ..."
	@$(BIN)/python $(INSTALL) ".[homework,test]" --no-build-isolation
	@touch $@

# Node comes from a wheel, so that everybody has the same one. What sets formulas and programs the
# build itself fetches (book/_ext/dtviz_npm.py); this brings what bundles and checks JavaScript, too.
NODE_STAMP := node_modules/.ready
$(NODE_STAMP): package.json package-lock.json | $(STAMP)-test
	@echo "Installing what bundles and checks JavaScript into node_modules ..."
	@PATH="$(CURDIR)/$(BIN):$$PATH" npm ci --silent --no-audit --no-fund
	@touch $@

setup: $(STAMP) ## Make .venv with all that the book needs
	@$(BIN)/python book/_ext/dtviz_npm.py
setup-homework: $(STAMP)-homework ## Add to .venv what grading needs
setup-test: $(STAMP)-test $(NODE_STAMP) ## Add to .venv what the tests need

# --- the book -----------------------------------------------------------------------------------

book: $(STAMP) ## Execute and build the book, and print the file to open
	@$(JUPYTER_BOOK) build .
	@echo "Open this file in a browser: file://$(CURDIR)/$(SITE)/index.html"

PAPER := a4
pdf: book ## The whole book as a PDF, printed by Chromium: make pdf PAPER=letter
	@$(BIN)/python tools/pdf.py --paper "$(PAPER)"

serve: book ## Serve the built book at http://localhost:8000
	@$(BIN)/python -m http.server --bind 127.0.0.1 --directory $(SITE) $(PORT)

lab: $(STAMP) ## Open the chapters in JupyterLab
	@$(BIN)/python -m jupyterlab $(if $(filter 0,$(shell id -u)),--allow-root) book

notebooks: $(STAMP) ## Re-run every chapter and store what its cells print
	@$(BIN)/python tools/notebooks.py

# --- homework -----------------------------------------------------------------------------------

# COURSE=folder for a course of your own, ARGS="--student ada" for what `python -m homework` knows.
COURSE := homework
SHARDS :=
# Not every shell expands ~ here.
override COURSE := $(patsubst ~/%,$(HOME)/%,$(COURSE))

homework: $(STAMP)-homework ## Make the students' notebooks and the marking guides
	@$(BIN)/python -m homework release --course "$(COURSE)" $(ARGS)

grade: $(STAMP)-homework ## Grade what is handed in: make grade COURSE=folder SHARDS=4
	@$(BIN)/python -m homework grade --course "$(COURSE)" $(if $(SHARDS),--shards $(SHARDS)) $(ARGS)

formgrader: $(STAMP)-homework ## Mark written answers in the browser, with nbgrader's formgrader
	@cd "$(COURSE)" && "$(CURDIR)/$(BIN)/python" -m jupyterlab $(if $(filter 0,$(shell id -u)),--allow-root) $(ARGS)

# --- the atlas ----------------------------------------------------------------------------------

atlas: $(STAMP)-homework ## Compute the atlas of all small functions
	@$(BIN)/python -m atlas

comparisons: $(STAMP) ## Repeat the comparisons of chapters 6 and 7, and renew book/comparisons.json
	@OMP_NUM_THREADS=1 $(BIN)/python -m tools.comparisons $(FAMILIES)

# --- the explorers ------------------------------------------------------------------------------

bundles: $(NODE_STAMP) ## Bundle the explorers' JavaScript, once it has changed
	@$(BIN)/node tools/bundles.js

# --- the tests ----------------------------------------------------------------------------------

PARTS := test-lint test-unit test-notebooks test-book
ALL_PARTS := test-lint test-unit test-notebooks test-rest
PYTEST := $(BIN)/python -m pytest -q

# What `.ci/run` calls.
test: $(STAMP)-test $(NODE_STAMP) ## Run every kind of test, part by part, and list how long each took
	@$(BIN)/python tools/parts.py "$(MAKE)" $(PARTS)

# Before a release.
test-all: $(STAMP)-test $(NODE_STAMP) ## The same on more pages, widths and wrong answers, and the PDF
	@$(BIN)/python tools/parts.py "$(MAKE)" $(ALL_PARTS)

# What a change of the package breaks first, and nothing that takes long: before each commit.
test-quick: $(STAMP)-test ## The fast half of the unit tests, in less than a minute
	@echo "== quick tests"
	@$(PYTEST) --numprocesses logical --doctest-modules --ignore-glob "*_explorer.py" \
		-m "not (site or browser or homework or slow or thorough or claims or pdf)" $(QUICK)
QUICK := dtviz tests/core tests/claims tests/growing tests/impurity tests/influence \
	tests/product tests/pruning tests/rank tests/test_import.py tests/test_rooms.py

claims: $(STAMP)-test ## Try every claim of the book and renew its record, book/claims.json
	@$(PYTEST) --numprocesses logical --dist loadgroup --renew-claims tests/claims

states: $(STAMP)-test $(NODE_STAMP) ## Renew the words of the explorers, tests/states, and print what changed
	@$(PYTEST) --capture no --renew-states tests/explorers/test_states.py

# ARGS="core/cart", "rank --random 20", "rank --without tests/rank/test_rank.py", "--help".
planted: $(STAMP)-test $(NODE_STAMP) _build/planted/map ## Plant faults and report which tests catch them
	@$(BIN)/python -m tools.planted $(ARGS)
_build/planted/map: | $(STAMP)-test $(NODE_STAMP)
	@$(BIN)/python -m tools.line_map
planted-map: $(STAMP)-test $(NODE_STAMP) ## Record which test runs which line: ARGS="tests/rank dtviz/rank"
	@$(BIN)/python -m tools.line_map $(ARGS)

lint: test-lint ## Check style and types, of Python and of JavaScript
test-lint: $(STAMP)-test $(NODE_STAMP)
	@echo "== style and types"
	@{ $(LINT_JAVASCRIPT); } & $(LINT_PYTHON); python=$$?; wait $$! && exit $$python
LINT_PYTHON := $(BIN)/python -m ruff check --quiet && \
	$(BIN)/python -m ruff format --check --quiet && $(BIN)/python -m mypy
LINT_JAVASCRIPT := $(BIN)/node node_modules/eslint/bin/eslint.js --max-warnings 0 . && \
	$(BIN)/node node_modules/typescript/bin/tsc --project tsconfig.json

# Tests of one group, such as those of one chapter's claims, go to one process.
test-unit: $(STAMP)-test $(NODE_STAMP) ## Unit and property tests, and the examples of the docstrings
	@echo "== unit and property tests, examples of the docstrings"
	@$(PYTEST) --numprocesses logical --dist loadgroup --doctest-modules \
		-m "not (site or browser or homework or thorough or pdf)" tests dtviz

# A released homework (book/homework) may have errors where it awaits an answer: conftest.py.
test-notebooks: $(STAMP)-test ## Run every notebook by nbval: each cell against its stored output
	@echo "== notebooks: every cell against its stored output"
	@$(PYTEST) --nbval --nbval-cell-timeout 300 --numprocesses logical --dist loadfile \
		book homework/source

# One process builds the book, while the others grade and drive what needs no book: conftest.py
# puts the tests in this order, which must stay. Pages and kernels are waited for: one process more
# than there are processors.
WITH_BROWSERS := $(PYTEST) --dist loadgroup --no-loadscope-reorder \
	--numprocesses $$(($$($(BIN)/python -c "import os; print(os.cpu_count())") + 1))
test-book: $(STAMP)-test $(NODE_STAMP)
	@echo "== the book, built with warnings as errors, and in a browser; planted homework, graded"
	@rm -rf _build/strict
	@$(WITH_BROWSERS) -m "(site or browser or homework) and not (thorough or pdf)"

# The same on more of what there is: pages, widths, answers; and the PDF of the strict build's pages.
test-rest: $(STAMP)-test $(NODE_STAMP)
	@echo "== the book, further cases of every kind of test, and the PDF"
	@rm -rf _build/strict
	@$(WITH_BROWSERS) -m "site or browser or homework or thorough or pdf"

test-pdf: $(STAMP)-test $(NODE_STAMP) ## Print the whole book as a PDF, and check it
	@echo "== the book as a PDF"
	@$(PYTEST) -m pdf tests/book/test_pdf.py

test-homework: $(STAMP)-test ## Grade planted submissions in the sandbox
	@$(PYTEST) --numprocesses logical -m homework

test-site: $(STAMP)-test $(NODE_STAMP) ## Build the book with warnings as errors, and check its pages
	@rm -rf _build/strict
	@$(PYTEST) -m "site and not browser"

test-browser: $(STAMP)-test $(NODE_STAMP) ## The pages and the explorers in a real browser
	@echo "== the book and its explorers in a browser"
	@$(PYTEST) --numprocesses logical --dist worksteal -m browser

$(BENCH)/.ready: requirements.txt constraints.txt pyproject.toml | $(BIN)/python
	@echo "Installing the peers into $(BENCH) (once) ..."
	@$(BIN)/python -m venv --clear $(BENCH)
	@$(BENCH)/bin/python $(INSTALL) ".[bench]"
	@for peer in pystreed==1.4.0 gosdt==1.0.4 pydl8.5==0.1.8 "odtlearn[cbc]==1.1.0"; do \
		$(BENCH)/bin/python -m pip install --quiet --only-binary :all: --constraint constraints.txt "$$peer" \
			|| echo "No $$peer here: it will not be raced"; \
	done
	@touch $@

bench: $(BENCH)/.ready $(STAMP)-test ## Compare the package's speed with other libraries, and time the explorers
	@$(BENCH)/bin/python benchmarks/run.py
	@PYTHONPATH=.:tests $(BIN)/python benchmarks/grading.py
	@PYTHONPATH=.:tests $(BIN)/python benchmarks/events.py

# --- upkeep -------------------------------------------------------------------------------------

size: ## Print how many lines each part of the project has, and how many all may have
	@$(PYTHON) tools/size.py

pins: | $(BIN)/python ## Pin the newest versions that pyproject.toml allows
	@$(BIN)/python tools/pins.py

clean: ## Remove the built book and every cache, but not .venv
	@rm -rf _build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis .benchmarks
	@find . -name __pycache__ -not -path './.venv*' -prune -exec rm -rf {} +
