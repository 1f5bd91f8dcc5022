# Every target creates what it needs. PYTHON chooses the interpreter of the virtual environment.
PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin

.PHONY: train bench test lint clean
.DEFAULT_GOAL := test

# The stamp is older than pyproject.toml or constraints.txt when they have changed since the installation.
$(VENV)/installed: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable ".[all]"
	touch $@

train: $(VENV)/installed
	$(BIN)/python examples/train.py $(ARGS)

# The games are timed against those of other libraries, which are installed for that alone.
bench: $(VENV)/installed
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable ".[bench]"
	$(BIN)/python benchmarks/speed.py $(ARGS)

test: $(VENV)/installed
	$(BIN)/python -m pytest $(ARGS)

lint: $(VENV)/installed
	$(BIN)/python -m pytest tests/test_lint.py

clean:
	rm -rf $(VENV) .build build dist *.egg-info .pytest_cache .ruff_cache .mypy_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
	rm -rf "$${XDG_CACHE_HOME:-$$HOME/.cache}/nakajima_zoo"
