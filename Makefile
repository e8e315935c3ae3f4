PYTHON ?= python3
GAME ?= newworld
VENV := .venv
BIN := $(VENV)/bin

ENGINE ?= templates/table/engine

# Parts in which one Python may differ from another: the store, the ways in and out, orders, bursts, backups, demos, a match of each game.
SHORT := tests/adapters/test_*store.py $(patsubst %,tests/adapters/test_%.py,ahead durability mailbag migrations \
  postgresql sending smtp_in ways_in) tests/orders tests/mail tests/kill/test_burst.py tests/kill/test_desk_process.py \
  tests/backup tests/demo tests/played

.PHONY: test short oldest play demo bench shape floors lint mutants slow rules table wheel release constraints tables pictures coastlines played balance keep-stored keep-release clean

$(VENV): $(VENV)/.made

$(VENV)/.made: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[dev]'
	touch $@

test: $(VENV)/.made
	$(BIN)/python -m pytest -n auto

short: $(VENV)/.made
	$(BIN)/python -m pytest -n auto $(SHORT)

# The same with the oldest of every library that pyproject.toml allows.
oldest: $(VENV)/.made
	sed -nE 's/^ +"([a-z0-9_.-]+)(\[[a-z]+\])?>=([0-9.]+).*/\1==\3/p' pyproject.toml > $(VENV)/oldest.txt
	PIP_CONSTRAINT="$(CURDIR)/$(VENV)/oldest.txt" $(MAKE) short VENV=$(VENV)/oldest

slow: $(VENV)/.made
	$(BIN)/python -m pytest -m slow -n auto

# First, where there is none, a map of which tests come to which line: half an hour; then seconds for each mutant.
mutants: $(VENV)/.made
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[mutation]'
	nice -n 19 $(BIN)/python -m tests.mutants

demo: $(VENV)/.made
	$(BIN)/referee demo $(GAME)

play: table
	$(BIN)/referee play $(GAME)

bench: $(VENV)/.made
	$(BIN)/referee bench quick

shape: $(VENV)/.made
	$(BIN)/python -m tests.house.shape

floors: $(VENV)/.made
	$(BIN)/python -m tests.house.floors

rules: $(VENV)/.made
	$(BIN)/python -m tests.games.pages

table: $(VENV)/.made
	$(BIN)/python -m tests.table.build $(ENGINE)

wheel: table
	$(BIN)/python -m build --wheel

release: table
	rm -rf dist
	$(BIN)/python -m build
	set -e; for file in dist/*.whl dist/*.tar.gz; do if [ "$(KEY)" ]; then ssh-keygen -Y sign -f "$(KEY)" -n referee "$$file"; fi; sha256sum "$$file"; done

constraints: $(VENV)/.made
	$(BIN)/python -m tests.house.constraints

tables: $(VENV)/.made
	$(BIN)/python -m tests.service.slots_page
	$(BIN)/python -m tests.inbox.letter_rules_page
	COLUMNS=200 $(BIN)/python -m typer tests/commands.py utils docs --name referee --title "The command line" --output docs/cli.md
	sed -i -e '/^\* `--\(help\|install-completion\|show-completion\)`/d' -e "s/&#x27;/'/g; s/&quot;/\"/g; s/&lt;/</g; s/&gt;/>/g" docs/cli.md
	sed -i -z 's/\*\*Options\*\*:\n\n\n//g' docs/cli.md

pictures: $(VENV)/.made
	$(BIN)/python -m tests.pictures

coastlines: $(VENV)/.made
	npm pack --silent --pack-destination $(VENV) world-atlas@2.0.2
	tar -xzf $(VENV)/world-atlas-2.0.2.tgz -C $(VENV) package/countries-50m.json
	$(BIN)/python -m tests.coast $(VENV)/package/countries-50m.json

played: $(VENV)/.made
	PLAYED=write $(BIN)/python -m pytest tests/played

keep-stored: $(VENV)/.made
	$(BIN)/python -m tests.stored.keep

balance: $(VENV)/.made
	$(BIN)/referee simulate empire --jobs 2 --to docs

keep-release: $(VENV)/.made
	$(BIN)/python -m tests.lifetimes.keep

lint: $(VENV)/.made
	$(BIN)/ruff check referee tests
	$(BIN)/ruff format --check referee tests
	$(BIN)/lint-imports
	$(BIN)/mypy

clean:
	rm -rf $(VENV) dist build
