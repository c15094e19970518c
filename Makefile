# Every target sets itself up: the first one that runs makes .venv.
PYTHON ?= python3
BIN := .venv/bin
UV := $(BIN)/uv
WORKERS ?= auto

.PHONY: demo test lint bench clean fuzz

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

bench: .venv/.ready
	$(BIN)/python benchmarks/bench.py

clean:
	rm -rf .venv .matrix .cache dist build .pytest_cache .mypy_cache .ruff_cache .hypothesis
