# Every target sets itself up: the first one that runs makes .venv.
PYTHON ?= python3
BIN := .venv/bin
UV := $(BIN)/uv
WORKERS ?= auto
# The sizes of --hypothesis-profile=ci are for `make fuzz` and a release: they take most of an hour on two cores.
EVERYTHING := -m ""

.PHONY: matrix matrix-quick broken-pairs threads-table dependents simulated-2.0 demo test test-all coverage lint docs bench clean corpus fuzz

.venv/.ready: pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check uv
	$(UV) pip install --quiet --python $(BIN)/python --editable '.[all]' --group dev
	@touch $@

demo: .venv/.ready
	$(BIN)/agentkit demo

# Without the tests that are marked slow, and with few generated examples.
test: .venv/.ready
	$(BIN)/python -m pytest -n $(WORKERS)

# Everything, as CI runs it.
test-all: .venv/.ready
	$(BIN)/python -m pytest -n $(WORKERS) $(EVERYTHING)

coverage: .venv/.ready
	$(BIN)/python -m pytest -n $(WORKERS) $(EVERYTHING) --cov --cov-report=term --cov-report=html
	$(BIN)/python .ci/tools/coverage_floor.py

lint: .venv/.ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python .ci/tools/check_types.py

fuzz: .venv/.ready
	$(BIN)/python -m pytest -n $(WORKERS) -m "" --hypothesis-profile=long \
		tests/approvals

docs: .venv/.ready
	$(BIN)/python .ci/tools/tables.py --check
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet --strict

corpus: .venv/.ready
	AGENTKIT_CORPUS=full $(BIN)/python -m pytest -n $(WORKERS) tests/migrate/test_programs.py
	$(BIN)/python -m tests.migrate.share

bench: .venv/.ready
	$(BIN)/python benchmarks/bench.py
	$(BIN)/python benchmarks/bench_approvals.py

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
	rm -rf .venv .matrix site htmlcov .coverage .cache dist build .pytest_cache .mypy_cache .ruff_cache .hypothesis
