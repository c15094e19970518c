# Every target sets itself up: the first one that runs makes .venv.
PYTHON ?= python3
BIN := .venv/bin
UV := $(BIN)/uv
WORKERS ?= auto

.PHONY: matrix matrix-quick broken-pairs threads-table dependents simulated-2.0 demo test lint bench clean corpus fuzz

.venv/.ready: pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check uv
	$(UV) pip install --quiet --python $(BIN)/python --editable '.[all]' --group dev
	@touch $@

demo: .venv/.ready
	$(BIN)/agentkit demo

test: .venv/.ready
	$(BIN)/python -m pytest -n $(WORKERS)

lint: .venv/.ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python .ci/tools/check_types.py

fuzz: .venv/.ready
	AGENTKIT_FUZZ_EXAMPLES=40000 AGENTKIT_CRASHES=1000 AGENTKIT_MATCHER_PAIRS=400000 $(BIN)/python -m pytest \
		-n $(WORKERS) tests/approvals/test_fuzz.py tests/approvals/test_crashes.py tests/approvals/test_matcher.py

corpus: .venv/.ready
	AGENTKIT_CORPUS=full $(BIN)/python -m pytest -n $(WORKERS) tests/migrate/test_programs.py
	$(BIN)/python -m tests.migrate.share

bench: .venv/.ready
	$(BIN)/python benchmarks/bench.py

matrix: .venv/.ready
	.ci/matrix

matrix-quick: .venv/.ready
	.ci/matrix --quick

broken-pairs: .venv/.ready
	.ci/broken_pairs

threads-table: .venv/.ready
	.ci/threads_table

dependents: .venv/.ready
	.ci/dependents

simulated-2.0: .venv/.ready
	.ci/simulated_2_0

clean:
	rm -rf .venv .matrix .cache dist build .pytest_cache .mypy_cache .ruff_cache .hypothesis
