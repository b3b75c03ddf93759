# demo   port the example application, build the port, run it
# test   all tests
# check  what to run before a commit: static checks and the fast tests
# All of them set up what they need: system packages (apt), then .venv.

VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
DEMO := build/demo/heatflow
JOBS ?= 2

.PHONY: demo test check lint setup system clean
.NOTPARALLEL:

demo: $(READY)
	@# Exit status 1 only says that a unit was not kept: the port builds all the same.
	$(BIN)/transpile port examples/heatflow --to openmp --out $(DEMO) --force || [ $$? -eq 1 ]
	$(MAKE) -C $(DEMO)
	$(MAKE) -C $(DEMO) run
	$(BIN)/transpile check $(DEMO)

test: $(READY)
	$(BIN)/python -m pytest -n $(JOBS)

check: lint
	$(BIN)/python -m pytest -n $(JOBS) -m "not integration and not gpu"

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/mypy

setup: $(READY)

$(READY): pyproject.toml | system
	@$(BIN)/python -c '' 2>/dev/null || $$(sh scripts/python.sh) -m venv --clear $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev,llm]'
	@touch $@

system:
	@sh scripts/system_packages.sh

clean:
	rm -rf build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
