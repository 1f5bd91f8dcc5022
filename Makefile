# Every target creates what it needs. PYTHON chooses the interpreter of the virtual environment.
PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin

.PHONY: train bench test test-rllib test-agilerl lint clean
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

# Pipelines that need other versions than the rest: each has its own environment, from its own constraints.
.venv-%/installed: pyproject.toml constraints-%.txt
	$(PYTHON) -m venv .venv-$*
	.venv-$*/bin/python -m pip install --quiet --constraint constraints-$*.txt --editable ".[test,$*]"
	touch $@

test-rllib test-agilerl: test-%: .venv-%/installed
	.venv-$*/bin/python -m pytest tests/test_$*.py $(ARGS)

lint: $(VENV)/installed
	$(BIN)/python -m pytest tests/test_lint.py

clean:
	rm -rf $(VENV) .venv-* .build build dist *.egg-info .pytest_cache .ruff_cache .mypy_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
	rm -rf "$${XDG_CACHE_HOME:-$$HOME/.cache}/nakajima_zoo"
