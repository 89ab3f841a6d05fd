"""What GitHub reads: workflows with few rights that call what is there, forms that ask for what helps."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
FORMS = ROOT / ".github" / "ISSUE_TEMPLATE"
HOOKS = ROOT / ".pre-commit-config.yaml"
COMMIT = re.compile(r"[0-9a-f]{40}  # (frozen: )?v\d+\.\d+\.\d+")  # a tag can be moved, a commit cannot
# GitHub's documentation of the forms: what a field may be.
FIELDS = {"markdown", "textarea", "input", "dropdown", "checkboxes"}


def jobs(workflow: str) -> list[str]:
    return re.split(r"^  (?=\w[\w-]*:\n)", workflow.partition("\njobs:\n")[2], flags=re.MULTILINE)[1:]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_a_workflow_has_few_rights_and_an_end(path: Path) -> None:
    """It may only read, keeps no credentials, holds no secret, and each job has a time limit."""
    text = path.read_text(encoding="utf-8")
    assert re.findall(r"^permissions:\n((?:  .*\n)+)", text, re.MULTILINE) == ["  contents: read\n"]
    assert text.count("permissions:") == 1
    assert text.count("actions/checkout@") == text.count("persist-credentials: false")
    assert "secrets." not in text
    assert "pull_request_target" not in text
    assert jobs(text)
    assert [job for job in jobs(text) if not re.search(r"^    timeout-minutes: \d+$", job, re.MULTILINE)] == []


@pytest.mark.parametrize("path", [*WORKFLOWS, HOOKS], ids=lambda path: path.stem)
def test_what_others_wrote_is_pinned(path: Path) -> None:
    """Each action and each repository of hooks is named by a commit, with its version beside it."""
    text = path.read_text(encoding="utf-8")
    pinned = re.findall(r"uses: [\w/-]+@(.*)", text) + re.findall(r"rev: (.*)", text)
    assert len(pinned) == len(re.findall(r"uses:|rev:", text)) > 0
    assert [pin for pin in pinned if not COMMIT.fullmatch(pin)] == []


def test_the_workflows_run_what_the_makefile_has() -> None:
    """Both sets of tests run; every target and every lock file that is named is there."""
    text = "".join(path.read_text(encoding="utf-8") for path in WORKFLOWS)
    proofs = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert re.search(r"run: \.ci/run$", text, re.MULTILINE)
    lines = [line for line in (text + proofs).splitlines() if "apt-get" not in line and not line.startswith("#")]
    called = set(re.findall(r"\bmake ([a-z-]+)$", "\n".join(lines), re.MULTILINE))
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert {"test", "check-all"} <= called
    assert [target for target in called if not re.search(rf"^{target}:", makefile, re.MULTILINE)] == []
    hashed = re.findall(r"'([^']+)'", "".join(re.findall(r"hashFiles\((.*?)\)", text)))
    assert [name for name in hashed if not (ROOT / name).is_file()] == []


def test_the_quick_tests_run_with_both_pythons_of_debian() -> None:
    """Debian 12 has Python 3.11, the oldest that pyproject.toml allows, and Debian 13 has 3.13."""
    text = (ROOT / ".github" / "workflows" / "test.yml").read_text(encoding="utf-8")
    assert re.findall(r'debian: (\w+), python: "([\d.]+)"', text) == [("bookworm", "3.11"), ("trixie", "3.13")]


@pytest.mark.parametrize(
    ("form", "asked"),
    [
        ("1-bug.yml", ("tabletop doctor", "tabletop --version")),
        ("2-misread-die.yml", ("tabletop read --json", "The picture", "tabletop doctor")),
        ("3-game.yml", ("Where are the rules written down?",)),
    ],
)
def test_a_form_asks_for_what_helps(form: str, asked: tuple[str, ...]) -> None:
    """The labels of fields name these, and each field is of a kind that GitHub knows."""
    text = (FORMS / form).read_text(encoding="utf-8")
    labels = re.findall(r"^      label: (.*)$", text, re.MULTILINE)
    assert [words for words in asked if not any(words in label for label in labels)] == []
    assert set(re.findall(r"^  - type: (\w+)$", text, re.MULTILINE)) <= FIELDS
    assert re.findall(r"^(name|description|body):", text, re.MULTILINE) == ["name", "description", "body"]


@pytest.mark.parametrize("page", ["SECURITY.md", "CODE_OF_CONDUCT.md", ".github/pull_request_template.md"])
def test_the_pages_link_to_files_that_are_there(page: str) -> None:
    """Every relative link leads to a file of the repository."""
    text = (ROOT / page).read_text(encoding="utf-8")
    assert [link for link in re.findall(r"\]\((?!https?:)([^)#]+)", text) if not (ROOT / link).exists()] == []
