# The two commands of a fresh machine are `make play` and `make test`; both set up what they need in .venv.
# Needed beforehand: git, make, python3 (3.11 or newer) and python3-venv. No compiler, no root, no browser.

PYTHON ?= python3
# arguments of `make play`, as in: make play ARGS="pig --players Ann,Ben"; of `make soak` those of pytest
ARGS ?=
VENV_OPTIONS ?=

# Compiled modules are kept from run to run, whatever this machine is told: the tests start some hundred programs.
unexport PYTHONDONTWRITEBYTECODE

VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/ready-in
TESTS_READY := $(VENV)/tests-ready
MARKS := not slow and not soak

# A virtual environment does not survive that its folder is moved or copied: then it is made again.
ifneq ($(wildcard $(READY)),)
ifneq ($(shell cat $(READY)),$(CURDIR))
$(shell rm -rf $(VENV))
endif
endif

# What pip says, as a line for each package before it is fetched: its number, its name, how large it is. The last line
# read is pip's exit status.
define TELL_PACKAGES
{ n=0; while read -r word rest; do case "$$word $$rest" in \
  Collecting*|Ignoring*|Requirement*) n=$$((n + 1)); name=$${rest%% (*} ;; \
  Downloading*.whl\ \(*) echo "  $$n of $(call COUNT,$(1)): $$name, $${rest##*(}" | tr -d ')' >&2 ;; \
  Using\ cached*) echo "  $$n of $(call COUNT,$(1)): $$name, fetched before" >&2 ;; \
  Processing*) n=$$((n + 1)); name=$${rest%% (*}; echo "  $$n of $(call COUNT,$(1)): $${name##*/}, fetched before" >&2 ;; \
  Installing*) echo "  unpacking them: another minute on a slow machine" >&2 ;; \
  ended*) exit "$$rest" ;; esac; done; }
endef
COUNT = $(shell grep -c == $(1))
# In front of a slow step: a line each BEAT_S seconds until it ends, so that no silence looks like the end.
BEAT_S := 4
BUSY = s=0; while sleep $(BEAT_S) >/dev/null 2>&1; do s=$$((s + $(BEAT_S))); echo "  ... $$s s" >&2; done & trap "kill $$!" EXIT;
PIP_INSTALL = $(BIN)/python -m pip --disable-pip-version-check install --progress-bar off --require-hashes --only-binary :all:

.PHONY: help setup setup-tests play bench install test test-one coverage check-all others soak release card screens golden pictures models docs lock notice
.DEFAULT_GOAL := help

help:
	@echo 'make play       play dice (ARGS="yahtzee --players Ann,Ben" and so on; `tabletop play --help` lists them)'
	@echo 'make test       format, lint, types, import directions and the quick tests'
	@echo 'make test-one   the quick tests of a folder or file, without workers (P=tests/store)'
	@echo 'make coverage   which lines the quick tests run'
	@echo 'make check-all  the slow proofs'
	@echo 'make soak       what takes longer than anybody waits for: in the background, and where it stopped'
	@echo 'make bench      measure speed and memory (ARGS="--quick", "--photographs FOLDER")'
	@echo 'make release    archive, packages, checksums and notes in build/release (KEY=FILE signs them)'
	@echo 'make card       what to copy onto a card, so that its first start installs the table: build/card'
	@echo 'make screens    the small screen and the page of every game, to look at: build/screens'
	@echo 'make golden     the golden pictures of the screens again, after a wanted change: tests/golden'
	@echo 'make pictures   the film and the pictures of README and docs: docs/pictures'
	@echo 'make models     the parts to print in 3D: docs/models'
	@echo 'make docs       the documentation as a site, to read offline: build/docs/site/index.html'
	@echo 'make install    the table as a service of this machine (ARGS=--dry-run or --uninstall); as root'
	@echo 'make setup      only the virtual environment .venv'
	@echo 'make lock       choose the pinned versions again (requirements.lock, those of tests and docs)'
	@echo 'make notice     the packages of NOTICE again, after a change of the lock'

setup: $(READY)
setup-tests: $(TESTS_READY)

$(READY): requirements.lock pyproject.toml
	@command -v $(PYTHON) >/dev/null || { \
	  echo 'make: expected Python 3.11 or newer, found no $(PYTHON); on Debian: apt install python3 python3-venv' >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "make: expected Python 3.11 or newer, got $$($(PYTHON) -V 2>&1); name another one: make PYTHON=python3.13 setup" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
	  echo 'make: expected the venv module of $(PYTHON), which is not there; on Debian: apt install python3-venv' >&2; exit 1; }
	@echo 'Setting up in $(VENV), once; this needs the network' >&2
	@rm -f $@
	@echo '1 of 3: a virtual environment' >&2
	@$(BUSY) $(BIN)/python -c 'import pip' 2>/dev/null || $(PYTHON) -m venv --clear $(VENV_OPTIONS) $(VENV)
	@echo '2 of 3: $(call COUNT,requirements.lock) packages, about 95 MB: the slow step, some minutes' >&2
	@$(BUSY) { PYTHONUNBUFFERED=1 $(PIP_INSTALL) -r requirements.lock; echo "ended $$?"; } | $(call TELL_PACKAGES,requirements.lock)
	@echo '3 of 3: tabletop itself' >&2
	@rm -rf tabletop.egg-info  # left by a build before 0.2: it would register each part twice
	@$(BIN)/python systemd/former_name.py
	@$(BUSY) $(BIN)/python -m pip --disable-pip-version-check install --quiet --no-deps --no-build-isolation --editable .
	@printf '%s\n' '$(CURDIR)' > $@
	@echo 'Set up.' >&2

$(TESTS_READY): tests/requirements.lock $(READY)
	@echo 'Adding what the tests need: $(call COUNT,tests/requirements.lock) packages, about 45 MB' >&2
	@$(BUSY) { PYTHONUNBUFFERED=1 $(PIP_INSTALL) --no-deps -r tests/requirements.lock; echo "ended $$?"; } | \
	  $(call TELL_PACKAGES,tests/requirements.lock)
	@touch $@

install:
	@systemd/install $(ARGS)

play: setup
	@$(BIN)/tabletop play $(ARGS)

bench: setup
	@$(BIN)/python -m tools.bench $(ARGS)

test: setup-tests
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache
	$(BIN)/python -m pytest -m '$(MARKS)'

# Which lines the quick tests run: half as long again as the tests alone.
coverage: setup-tests
	@$(BIN)/coverage erase
	$(BIN)/coverage run -m pytest -m '$(MARKS)'
	@$(BIN)/coverage combine --quiet
	$(BIN)/coverage report

P ?= tests/store
test-one: setup-tests
	@$(BIN)/python -m pytest -q -n 0 -m '$(MARKS)' $(P)

# Many of them wait, for browsers, services and virtual machines: half as many again at once as there are cores.
PROOFS := $(shell echo $$(( ($$(nproc) * 3 + 1) / 2 )))

check-all: setup-tests others
	$(BIN)/python -m pytest -n $(PROOFS) --hypothesis-profile thorough -m "slow and not soak" --durations 20

# Other people's implementations, compared with ours: tests/others/README.md. They lie apart from what runs tabletop.
OTHERS := build/others
others: $(OTHERS)/ready

$(OTHERS)/ready: tests/others/requirements.lock $(TESTS_READY)
	@echo 'Fetching other implementations to compare with, into $(OTHERS) (needs the network; once)' >&2
	@rm -rf $(OTHERS)
	@$(BIN)/python -m pip --disable-pip-version-check install --quiet --require-hashes --only-binary :all: --no-deps \
	  --target $(OTHERS) -r tests/others/requirements.lock
	@touch $@

soak: setup-tests
	@$(BIN)/python tools/soak.py $(ARGS)

# A release of the newest commit, the same bytes wherever it is made: CONTRIBUTING.md, "Release".
# KEY="$HOME/.ssh/id_ed25519" signs it; without a key UNSIGNED=yes asks for a release without a signature.
KEY ?=
UNSIGNED ?=
RELEASE := build/release
release: setup
	@$(BIN)/python tools/release.py --out '$(RELEASE)' $(if $(KEY),--key '$(KEY)') $(if $(UNSIGNED),--unsigned) $(ARGS)

# What a card needs besides Raspberry Pi OS: systemd/card. ARGS="--machine amd64" for another machine.
card: setup
	@$(BIN)/python -m tools.card --out build/card $(if $(KEY),--key '$(KEY)') $(ARGS)

# The contact sheet: every kind of picture, and each game out of a random match, at both sizes; the same of the page.
DRAW = PYTHONPATH=tests/support $(BIN)/python -m tools.pictures
SCREENS := build/screens
screens: setup-tests
	@mkdir -p $(SCREENS)
	@$(DRAW).oled $(SCREENS)
	@command -v chromedriver >/dev/null && $(DRAW).screens $(SCREENS) || \
	  echo 'no pictures of the page: they need Chromium (apt install chromium chromium-driver)' >&2
	@echo 'look at $(SCREENS)/*.png'

# The small screen as tests compare it: look at what changed before it is committed.
golden: setup-tests
	@$(DRAW).oled --golden

# The pictures and the film of README and docs, from a turn at the simulated table.
PICTURES := docs/pictures
pictures: setup-tests
	@$(DRAW).readme $(PICTURES)
	@command -v chromedriver >/dev/null && { $(DRAW).page $(PICTURES) && $(DRAW).film $(PICTURES); } || \
	  echo 'the film and the pictures of the page stay as they were: they need Chromium (apt install chromium chromium-driver)' >&2
	@echo 'look at $(PICTURES)'

# The parts to print in 3D, from the measures of the drawings.
models: setup-tests
	@$(BIN)/python -m tools.models
	@echo 'look at docs/models in a slicer'

# The documentation as a site, in English and German: tools/docs/README.md. What builds it lies apart from the table.
DOCS := build/docs
DOCS_TOOLS := $(DOCS)/tools
docs: $(READY) $(DOCS_TOOLS)/ready
	@rm -rf $(DOCS)/source $(DOCS)/site
	@echo 'Writing the pages and drawing the games; with Chromium there, a minute or two' >&2
	@$(BUSY) PYTHONPATH=tests/support $(BIN)/python -m tools.docs $(DOCS)/source
	@command -v chromedriver >/dev/null || \
	  echo 'no pictures of the page: they need Chromium (apt install chromium chromium-driver)' >&2
	@for language in mkdocs.yml mkdocs.de.yml; do \
	  NO_MKDOCS_2_WARNING=1 PYTHONPATH=$(DOCS_TOOLS) $(BIN)/python -m mkdocs build --strict --config-file $$language || exit 1; done
	@echo 'open $(DOCS)/site/index.html'

$(DOCS_TOOLS)/ready: docs/requirements.lock $(READY)
	@echo 'Fetching what builds the site, into $(DOCS_TOOLS): $(call COUNT,docs/requirements.lock) packages, about 15 MB' >&2
	@rm -rf $(DOCS_TOOLS)
	@$(BUSY) $(BIN)/python -m pip --disable-pip-version-check install --quiet --require-hashes --only-binary :all: --no-deps \
	  --target $(DOCS_TOOLS) -r docs/requirements.lock
	@touch $@

# The public files only, whatever indexes this machine is told of; hashes of all platforms; no addresses.
LOCKING := build/locking
COMPILE := venv/bin/pip-compile --quiet --upgrade --generate-hashes --allow-unsafe --strip-extras --no-header --no-annotate \
  --no-emit-index-url --no-emit-find-links --no-emit-trusted-host --no-emit-options
lock: export PIP_CONFIG_FILE := /dev/null
lock: export PIP_FIND_LINKS :=
lock: export PIP_EXTRA_INDEX_URL :=
lock: setup
	@rm -rf $(LOCKING) && mkdir -p $(LOCKING) && $(PYTHON) -m venv $(LOCKING)/venv
	@$(LOCKING)/venv/bin/python -m pip --disable-pip-version-check install --quiet pip-tools
	@$(PYTHON) -c 'import tomllib; read = tomllib.load(open("pyproject.toml", "rb")); groups = read["dependency-groups"]; \
	  extras = read["project"]["optional-dependencies"]; \
	  print(*read["project"]["dependencies"], *extras["pi"], *extras["web"], *extras["mat"], *extras["mqtt"], *groups["lock"], \
	  file=open("$(LOCKING)/asked.in", "w"), sep="\n"); print(*groups["docs"], file=open("$(LOCKING)/docs.in", "w"), sep="\n"); \
	  print("-c requirements.lock", *groups["dev"], file=open("$(LOCKING)/tests.in", "w"), sep="\n")'
	@cp requirements.lock $(LOCKING)/requirements.lock && cp tests/requirements.lock $(LOCKING)/tests.lock
	@cp docs/requirements.lock $(LOCKING)/docs.lock
	@cd $(LOCKING) && $(COMPILE) --output-file requirements.lock asked.in && $(COMPILE) --output-file tests.lock tests.in
	@cd $(LOCKING) && $(COMPILE) --output-file docs.lock docs.in
	@{ echo '# Written by `make lock`: what runs tabletop, with the hashes of the files of all platforms.'; \
	  grep -v '^$$\|^# The following' $(LOCKING)/requirements.lock; } > requirements.lock
	@{ echo '# Written by `make lock`: what tests tabletop besides, with the hashes of the files of all platforms.'; \
	  awk -F== '/^[a-z]/ {if (NR == FNR) runs[$$1]; keep = !($$1 in runs)} NR > FNR && keep && NF && !/^#/' \
	  requirements.lock $(LOCKING)/tests.lock; } > tests/requirements.lock
	@{ echo '# Written by `make lock`: what builds the site, with the hashes of the files of all platforms.'; \
	  grep -v '^$$\|^# The following' $(LOCKING)/docs.lock; } > docs/requirements.lock
	@rm -rf $(LOCKING)
	@echo 'Now `make notice`, which sets them up: a package or its licence may have changed' >&2

# The packages of NOTICE, with what they say of themselves.
notice: setup-tests
	@$(BIN)/python tools/notice.py NOTICE
