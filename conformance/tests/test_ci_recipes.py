"""The recipes for CI do what their page says: action, job, script and hooks are really run."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import click
import pytest
import yaml
from adapter_kits import ADAPTERS, PAGES, ROOT, environment

from bauernschnapsen_conformance.commands import cli

CI = ROOT / "conformance" / "ci"
RECIPES = ROOT / "docs" / "ci-recipes.md"
HOOKS = ROOT / ".pre-commit-hooks.yaml"
TOLD_TO_TYPE = [RECIPES, *sorted(PAGES.glob("*.md"))]
REPORTS = {"report.json", "junit.xml", "certificate.json", "badge.svg"}


def load(path: Path) -> Any:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


@pytest.fixture
def engine(tmp_path: Path) -> Path:
    """A folder with an engine in it, as its CI has checked it out."""
    for name in ("kit.py", "adapter.py", "toy.py"):
        shutil.copy(ADAPTERS / "python" / name, tmp_path)
    return tmp_path


@pytest.fixture
def installed() -> dict[str, str]:
    """The environment of a build in which the suite has been installed already."""
    if not (Path(sys.prefix) / "bin" / "bauernschnapsen").exists():
        pytest.skip("these tests do not run in a virtual environment with the suite in it")
    return {**environment(), "BAUERNSCHNAPSEN_VENV": sys.prefix}


def run(script: str, folder: Path, env: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script],
        cwd=folder,
        env=env,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


# ---------------------------------------------------------------------------- GitHub


def test_the_workflow_uses_the_action_as_it_is() -> None:
    workflow, action = load(CI / "github-workflow.yml"), load(CI / "action.yml")
    steps = workflow["jobs"]["certify"]["steps"]
    (ours,) = [step for step in steps if step.get("uses", "").startswith("OWNER/")]
    assert ours["uses"].partition("@")[0] == "OWNER/bauernschnapsen/conformance/ci"
    assert set(ours["with"]) <= set(action["inputs"])
    required = {name for name, one in action["inputs"].items() if one.get("required")}
    assert required <= set(ours["with"])
    assert steps[-1]["if"] == "always()"


def test_the_action_takes_its_inputs_by_the_environment() -> None:
    action = load(CI / "action.yml")
    (step,) = action["runs"]["steps"]
    assert "${{" not in step["run"]
    used = [*step["env"].values(), step["working-directory"]]
    names = re.findall(r"\$\{\{ inputs\.([\w-]+) \}\}", " ".join(used))
    assert sorted(names) == sorted(action["inputs"])


def act(engine: Path, env: dict[str, str], **inputs: str) -> subprocess.CompletedProcess[str]:
    """Run the step of the action as the runner of workflows does."""
    action = load(CI / "action.yml")
    given = {name: one.get("default", "") for name, one in action["inputs"].items()} | inputs
    (step,) = action["runs"]["steps"]
    own = {
        name: re.sub(r"\$\{\{ inputs\.([\w-]+) \}\}", lambda found: given[found[1]], text)
        for name, text in step["env"].items()
    }
    github = {
        "GITHUB_ACTION_PATH": str(CI),
        "GITHUB_OUTPUT": str(engine / "output"),
        "GITHUB_STEP_SUMMARY": str(engine / "summary"),
    }
    return run(step["run"], engine, {**env, **own, **github})


@pytest.mark.slow
def test_the_action_certifies(engine: Path, installed: dict[str, str]) -> None:
    (engine / "my adapter.py").write_bytes((engine / "adapter.py").read_bytes())
    done = act(engine, installed, adapter="python3 'my adapter.py'", options="--seed 11 --jobs 2")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Levels reached: 1 tricks" in done.stdout
    assert "seed 11" in done.stdout
    reports = Path((engine / "output").read_text(encoding="utf-8").strip().removeprefix("reports="))
    assert {path.name for path in reports.iterdir()} == REPORTS
    certificate = json.loads((reports / "certificate.json").read_text(encoding="utf-8"))
    assert certificate["seed"] == 11
    summary = (engine / "summary").read_text(encoding="utf-8")
    assert summary.startswith("```\n")
    assert "Levels reached: 1 tricks" in summary


@pytest.mark.slow
def test_the_action_fails_with_the_engine(engine: Path, installed: dict[str, str]) -> None:
    done = act(engine, installed, adapter="python3 not-there.py")
    assert done.returncode == 3
    toy = engine / "toy.py"
    broken = toy.read_text(encoding="utf-8").replace("(card + 1) % 5 >", "(card + 1) % 5 <")
    toy.write_text(broken, encoding="utf-8")
    done = act(engine, installed, adapter="python3 adapter.py")
    assert done.returncode == 1, done.stdout + done.stderr
    assert "No level is reached" in (engine / "summary").read_text(encoding="utf-8")


# ---------------------------------------------------------------------------- GitLab and the shell


@pytest.mark.slow
def test_the_job_certifies(engine: Path, installed: dict[str, str]) -> None:
    job = load(CI / "gitlab-ci.yml")["bauernschnapsen"]
    (engine / ".suite").symlink_to(ROOT)
    build, clone, certify = job["script"]
    assert (build, shlex.split(clone)[:2]) == ("make", ["git", "clone"])
    variables = {**job["variables"], "ADAPTER": "python3 adapter.py"}
    done = run(certify, engine, {**installed, **variables})
    assert done.returncode == 0, done.stdout + done.stderr
    (folder,) = job["artifacts"]["paths"]
    assert {path.name for path in (engine / folder).iterdir()} == REPORTS
    assert (engine / job["artifacts"]["reports"]["junit"]).exists()


def test_the_script_wants_a_new_python(engine: Path) -> None:
    old = engine / "old-python"
    old.write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
    old.chmod(0o755)
    done = run(f"{CI / 'certify.sh'} -- true", engine, {**environment(), "PYTHON": str(old)})
    assert done.returncode == 2
    assert "older than 3.11" in done.stderr
    assert not (engine / ".bauernschnapsen").exists()


# ---------------------------------------------------------------------------- pre-commit


def chosen(hook: dict[str, Any]) -> list[Path]:
    """The files of the suite that a hook looks at."""
    paths = sorted((ROOT / "spec").rglob("*.yaml"))
    return [path for path in paths if re.search(hook["files"], path.relative_to(ROOT).as_posix())]


def checked(hook: dict[str, Any], files: list[Path]) -> subprocess.CompletedProcess[str]:
    return run(f"{hook['entry']} {shlex.join(map(str, files))}", ROOT, environment())


@pytest.mark.slow
@pytest.mark.parametrize("hook", load(HOOKS), ids=lambda hook: hook["id"])
def test_hooks_find_and_check_their_files(hook: dict[str, Any], tmp_path: Path) -> None:
    assert hook["language"] == "python"
    files = chosen(hook)
    folders = {path.relative_to(ROOT / "spec").parts[0] for path in files}
    assert folders in ({"rulesets"}, {"scenarios", "positions"})
    first = files[0]
    assert checked(hook, [first]).returncode == 0
    wrong = tmp_path / first.name
    wrong.write_text(first.read_text(encoding="utf-8") + "\nsurprise: 1\n", encoding="utf-8")
    done = checked(hook, [first, wrong])
    assert done.returncode == 2
    assert re.search(rf"{re.escape(str(wrong))}:\d+: .*surprise", done.stderr)


# ---------------------------------------------------------------------------- the pages


def typed(page: Path) -> list[list[str]]:
    """The commands of this project in the code of a page, with their arguments."""
    text = page.read_text(encoding="utf-8")
    code = re.findall(r"^```\w*\n(.*?)^```$", text, re.M | re.S) + re.findall(r"`([^`\n]+)`", text)
    found = []
    for line in "\n".join(code).splitlines():
        words = re.match(r"(?:\$ )?(bauernschnapsen [^|>#]*)", line)
        if words:
            found.append(shlex.split(words[1])[1:])
    return found


@pytest.mark.parametrize("page", TOLD_TO_TYPE, ids=lambda page: page.stem)
def test_commands_on_the_pages_exist(page: Path) -> None:
    commands = typed(page)
    assert commands
    context = click.Context(cli)
    for name, *arguments in commands:
        command = cli.get_command(context, name)
        assert command is not None, name
        known = {option for one in command.params for option in one.opts}
        own = arguments[: arguments.index("--")] if "--" in arguments else arguments
        for word in own:
            assert not word.startswith("-") or word in known, (name, word)


def test_the_recipes_page_names_what_there_is() -> None:
    text = RECIPES.read_text(encoding="utf-8")
    for path in (*CI.iterdir(), HOOKS):
        assert f"`{path.name}`" in text
    for hook in load(HOOKS):
        assert f"- id: {hook['id']}" in text
    assert os.access(CI / "certify.sh", os.X_OK)
    for name in REPORTS:
        assert f"`{name}`" in text
