# The only commands: people and CI use the same.
#   make setup   everything needed, from nothing but Python 3.11+ and git
#   make play    the server, with the table in the browser
#   make test    the fast suite, compiled and uncompiled
#   make check   format, lint, types, generated pages
#   make wheel   the wheel, tried in an environment of its own
#   make bench   the figures, as a table and as benchmarks/results.json
#   make soak    the long runs
#   make docs    the generated pages
#   make screenshots   pictures of every page and state, in build/screenshots
#   make frames    how smoothly the table moves on a slow processor
PYTHON ?= python3
UV := $(shell command -v uv 2>/dev/null || echo .uv/bin/uv)
RUN := .venv/bin/python
READY := .venv/.ready

.PHONY: setup play test test-compiled test-uncompiled check fix bench soak docs clean page wheel screenshots frames
.DEFAULT_GOAL := setup

setup: $(READY)

.uv/bin/uv:
	$(PYTHON) -m venv .uv
	.uv/bin/pip install --quiet uv

$(READY): pyproject.toml uv.lock $(if $(filter .uv/bin/uv,$(UV)),.uv/bin/uv)
	$(UV) sync --quiet --locked --python "$$($(PYTHON) -c 'import sys; print(sys.executable)')"
	@touch $@
	@echo "Ready. Try: make play, or .venv/bin/hainan --help"

play: page
	$(RUN) -m hainan serve --open

# The page in the browser, made again when its sources have changed.
PAGE := src/hainan/server/web/page/index.html
page: $(PAGE)

$(PAGE): $(READY) web/package-lock.json web/index.html web/vite.config.ts $(shell find web/src web/public -type f 2>/dev/null)
	$(RUN) web/npm.py build
	@touch $@

test: page test-compiled test-uncompiled

test-compiled: setup
	$(RUN) -m hainan compile
	$(RUN) -m pytest -n 2

# Numba's kernels as plain Python: the same suite on fewer random hands, with coverage. The tests of server and
# page have no kernels of their own; the server's pass this way too (`make soak`) but would double the time.
test-uncompiled: setup
	rm -f .coverage .coverage.*
	NUMBA_DISABLE_JIT=1 $(RUN) -m coverage run -m pytest -q -n 2 --ignore=tests/server --ignore=tests/client \
	  --ignore=tests/browser
	$(RUN) -m coverage combine --quiet
	$(RUN) -m coverage report --fail-under=95 \
	  --include='src/hainan/rules/*,src/hainan/engine/*,src/hainan/table.py,src/hainan/score.py,src/hainan/records.py'

check: page
	$(RUN) -m ruff format --check .
	$(RUN) -m ruff check .
	$(RUN) -m mypy
	$(RUN) -m hainan.docs --check
	$(RUN) web/tools/tiles/make.py --check
	$(RUN) web/npm.py run check --silent

# Packed, installed where nothing else is, and tried there; built from its own sdist, so that web/ here is left alone.
wheel: setup
	rm -rf build
	$(UV) build --quiet --out-dir build/dist
	$(UV) venv --quiet --python $(RUN) build/env
	$(UV) pip install --quiet --python build/env/bin/python build/dist/*.whl
	build/env/bin/python -I tests/packaging/installed.py

fix: setup
	$(RUN) -m ruff check --fix .
	$(RUN) -m ruff format .

bench: setup
	$(UV) sync --quiet --locked --group bench
	$(RUN) benchmarks/run.py

soak: page
	$(RUN) -m hainan compile
	HAINAN_SOAK=1 $(RUN) -m pytest -n 2 -m "soak or not soak"
	NUMBA_DISABLE_JIT=1 $(RUN) -m pytest -q -n 2 tests/server tests/client

screenshots: page
	$(RUN) -m tests.browser.screenshots

frames: page
	$(RUN) -m tests.browser.frames

docs: setup
	$(RUN) -m hainan.docs

clean:
	rm -rf .venv .uv build web/node_modules src/hainan/server/web/page .coverage* .mypy_cache .pytest_cache .ruff_cache
