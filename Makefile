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
MARKS := not slow and not soak

# A virtual environment does not survive that its folder is moved or copied: then it is made again.
ifneq ($(wildcard $(READY)),)
ifneq ($(shell cat $(READY)),$(CURDIR))
$(shell rm -rf $(VENV))
endif
endif

# What pip says, as a line for each package before it is fetched: its number, its name, how large it is. The last line
# read is pip's exit status.
PACKAGES = $(shell grep -c == requirements.lock)
define TELL_PACKAGES
{ n=0; while read -r word rest; do case "$$word $$rest" in \
  Collecting*|Ignoring*|Requirement*) n=$$((n + 1)); name=$${rest%% (*} ;; \
  Downloading*.whl\ \(*) echo "  $$n of $(PACKAGES): $$name, $${rest##*(}" | tr -d ')' >&2 ;; \
  Using\ cached*) echo "  $$n of $(PACKAGES): $$name, fetched before" >&2 ;; \
  Processing*) n=$$((n + 1)); name=$${rest%% (*}; echo "  $$n of $(PACKAGES): $${name##*/}, fetched before" >&2 ;; \
  Installing*) echo "  unpacking them: another minute on a slow machine" >&2 ;; \
  ended*) exit "$$rest" ;; esac; done; }
endef

.PHONY: help setup play bench install test check-all others soak release screens pictures lock notice
.DEFAULT_GOAL := help

help:
	@echo 'make play       play dice (ARGS="yahtzee --players Ann,Ben" and so on; `tabletop play --help` lists them)'
	@echo 'make test       format, lint, types, import directions and the quick tests, with their coverage'
	@echo 'make check-all  the slow proofs'
	@echo 'make soak       what takes longer than anybody waits for: in the background, and where it stopped'
	@echo 'make bench      measure speed and memory (ARGS="--quick", "--photographs FOLDER")'
	@echo 'make release    what a table is installed from, with its checksum: build/release (KEY=FILE signs it)'
	@echo 'make screens    the small screen and the page of every game, to look at: build/screens'
	@echo 'make pictures   the pictures of the README: docs/pictures'
	@echo 'make install    the table as a service of this machine (ARGS=--dry-run or --uninstall); as root'
	@echo 'make setup      only the virtual environment .venv'
	@echo 'make lock       choose the pinned versions again (requirements.lock)'
	@echo 'make notice     the packages of NOTICE again, after a change of the lock'

setup: $(READY)

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
	@$(BIN)/python -c 'import pip' 2>/dev/null || $(PYTHON) -m venv --clear $(VENV_OPTIONS) $(VENV)
	@echo '2 of 3: $(PACKAGES) packages, about 155 MB: the slow step, some minutes' >&2
	@{ PYTHONUNBUFFERED=1 $(BIN)/python -m pip --disable-pip-version-check install --progress-bar off --require-hashes \
	  --only-binary :all: -r requirements.lock; echo "ended $$?"; } | $(TELL_PACKAGES)
	@echo '3 of 3: tabletop itself' >&2
	@$(BIN)/python -m pip --disable-pip-version-check install --quiet --no-deps --no-build-isolation --editable .
	@printf '%s\n' '$(CURDIR)' > $@
	@echo 'Set up.' >&2

install:
	@systemd/install $(ARGS)

play: setup
	@$(BIN)/tabletop play $(ARGS)

bench: setup
	@$(BIN)/python -m tools.bench $(ARGS)

test: setup
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache
	@$(BIN)/coverage erase
	$(BIN)/coverage run -m pytest -m '$(MARKS)'
	@$(BIN)/coverage combine --quiet
	$(BIN)/coverage report

check-all: setup others
	$(BIN)/python -m pytest --hypothesis-profile thorough -m slow --durations 20

# Other people's implementations, compared with ours: tests/others/README.md. They lie apart from what runs tabletop.
OTHERS := build/others
others: $(OTHERS)/ready

$(OTHERS)/ready: tests/others/requirements.lock $(READY)
	@echo 'Fetching other implementations to compare with, into $(OTHERS) (needs the network; once)' >&2
	@rm -rf $(OTHERS)
	@$(BIN)/python -m pip --disable-pip-version-check install --quiet --require-hashes --only-binary :all: --no-deps \
	  --target $(OTHERS) -r tests/others/requirements.lock
	@touch $@

soak: setup
	@$(BIN)/python tests/soak.py $(ARGS)

# What a table is installed from: the files of the newest commit that run it, the same bytes wherever it is made.
# With KEY="$HOME/.ssh/id_ed25519" also its signature: docs/building.md, "Signed archives".
KEY ?=
RELEASE := build/release
RELEASED = tabletop-$(shell sed -n 's/^__version__ = "\(.*\)"/\1/p' tabletop/__init__.py)
release:
	@mkdir -p $(RELEASE)
	@git archive --format=tar --prefix=$(RELEASED)/ HEAD CHANGELOG.md LICENSE NOTICE README.md pyproject.toml requirements.lock \
	  calibration docs hardware systemd tabletop | gzip -n -9 > $(RELEASE)/$(RELEASED).tar.gz
	@rm -f $(RELEASE)/$(RELEASED).tar.gz.sig
	@[ -z '$(KEY)' ] || ssh-keygen -q -Y sign -n tabletop -f '$(KEY)' $(RELEASE)/$(RELEASED).tar.gz
	@cd $(RELEASE) && sha256sum $(RELEASED).tar.gz > $(RELEASED).tar.gz.sha256
	@echo '$(RELEASE)/$(RELEASED).tar.gz'

# The contact sheet: every kind of picture, and each game out of a random match, at both sizes; the same of the page.
SCREENS := build/screens
screens: setup
	@mkdir -p $(SCREENS)
	@$(BIN)/python tests/support/oled_sheet.py $(SCREENS)/kinds.png
	@$(BIN)/python tests/support/oled_games.py $(SCREENS)
	@command -v chromedriver >/dev/null && $(BIN)/python tests/support/page_screens.py $(SCREENS) || \
	  echo 'no pictures of the page: they need Chromium (apt install chromium chromium-driver)' >&2
	@echo 'look at $(SCREENS)/*.png'

# The pictures of the README, out of a turn at the simulated table.
PICTURES := docs/pictures
pictures: setup
	@PYTHONPATH=.:tests/support $(BIN)/python tests/support/readme_pictures.py $(PICTURES)
	@command -v chromedriver >/dev/null && $(BIN)/python tests/support/page_pictures.py $(PICTURES) || \
	  echo 'the pictures of the page stay as they were: they need Chromium (apt install chromium chromium-driver)' >&2
	@echo 'look at $(PICTURES)'

# The public files only, whatever indexes this machine is told of; hashes of all platforms; no addresses.
LOCKING := build/locking
lock: export PIP_CONFIG_FILE := /dev/null
lock: export PIP_FIND_LINKS :=
lock: export PIP_EXTRA_INDEX_URL :=
lock: setup
	@rm -rf $(LOCKING) && mkdir -p $(LOCKING) && $(PYTHON) -m venv $(LOCKING)/venv
	@$(LOCKING)/venv/bin/python -m pip --disable-pip-version-check install --quiet pip-tools
	@$(PYTHON) -c 'import tomllib; project = tomllib.load(open("pyproject.toml", "rb")); groups = project["dependency-groups"]; \
	  print(*project["project"]["dependencies"], *groups["dev"], *groups["lock"], sep="\n")' > $(LOCKING)/asked.in
	@cp requirements.lock $(LOCKING)/requirements.lock
	@cd $(LOCKING) && venv/bin/pip-compile --quiet --upgrade --generate-hashes --allow-unsafe --strip-extras --no-header \
	  --no-annotate --no-emit-index-url --no-emit-find-links --no-emit-trusted-host --no-emit-options \
	  --output-file requirements.lock asked.in
	@{ echo '# Written by `make lock`: everything that runs and tests tabletop, with the hashes of the files of all platforms.'; \
	  grep -v '^$$' $(LOCKING)/requirements.lock | grep -v '^# The following'; } > requirements.lock
	@rm -rf $(LOCKING)
	@echo 'Now `make notice`, which sets them up: a package or its licence may have changed' >&2

# The packages of NOTICE, with what they say of themselves.
notice: setup
	@$(BIN)/python tests/support/notice.py NOTICE
