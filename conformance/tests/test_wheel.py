"""The wheel, installed in an empty virtual environment elsewhere, does what the checkout does."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import venv
import zipfile
from collections.abc import Callable
from importlib.metadata import requires, version
from pathlib import Path

import pytest

from bauernschnapsen.data.locate import spec_root

ROOT = spec_root().parent
pytestmark = pytest.mark.slow

# Must not find the checkout: neither by the variables of this run nor by the current folder.
CLEAN = {
    key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "VIRTUAL"))
}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder)]
    subprocess.run([*build, str(ROOT)], check=True, capture_output=True, timeout=120)
    [path] = folder.iterdir()
    return path


def pinned_requirements() -> list[str]:
    """Everything the wheel needs at run time, in the versions of this environment."""
    pins: dict[str, str] = {}
    waiting = ["bauernschnapsen"]
    while waiting:
        for requirement in requires(waiting.pop()) or []:
            name, marker = requirement.partition(";")[::2]
            name = "".join(c if c.isalnum() or c in "-_." else " " for c in name).split()[0]
            if "extra" in marker or "python_version" in marker or "win" in marker:
                continue
            if name not in pins:
                pins[name] = f"{name}=={version(name)}"
                waiting.append(name)
    return sorted(pins.values())


@pytest.fixture(scope="module")
def elsewhere(
    wheel: Path, tmp_path_factory: pytest.TempPathFactory
) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Runs a program of an environment in which only the wheel and what it needs is installed."""
    folder = tmp_path_factory.mktemp("elsewhere")
    venv.create(folder / "venv", with_pip=True)
    programs = folder / "venv" / "bin"
    pins = folder / "pins.txt"
    pins.write_text("\n".join(pinned_requirements()), encoding="utf-8")
    install = ["-m", "pip", "--quiet", "--disable-pip-version-check", "install"]
    subprocess.run(
        [programs / "python", *install, "--constraint", pins, wheel],
        check=True,
        timeout=300,
        env=CLEAN,
        cwd=folder,
    )

    def run(program: str, *arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [str(programs / program), *arguments],
            input=stdin,
            capture_output=True,
            encoding="utf-8",
            timeout=120,
            check=False,
            env={**CLEAN, "PATH": f"{programs}{os.pathsep}{CLEAN['PATH']}"},
            cwd=folder,
        )

    return run


def test_the_wheel_carries_all_data_and_nothing_else(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    for folder in ("spec", "schemas"):
        tracked = subprocess.run(
            ["git", "ls-files", folder], cwd=ROOT, capture_output=True, text=True, check=False
        ).stdout.split()
        on_disk = [str(p.relative_to(ROOT)) for p in (ROOT / folder).rglob("*") if p.is_file()]
        # A source archive has no repository; there, what is on disk is what there is.
        for path in tracked or on_disk:
            assert f"bauernschnapsen/{path}" in names
    top = {name.split("/")[0] for name in names}
    assert {name for name in top if not name.endswith(".dist-info")} == {
        "bauernschnapsen",
        "bauernschnapsen_conformance",
    }
    assert not [name for name in names if "/tests/" in name or name.endswith(".pyc")]
    assert {"bauernschnapsen/py.typed", "bauernschnapsen_conformance/py.typed"} <= names
    licences = {name.split("/")[-1] for name in names if "/licenses/" in name}
    assert licences == {"LICENSE", "LICENSE-RULES"}


def test_it_is_installed_apart_from_the_checkout(
    elsewhere: Callable[..., subprocess.CompletedProcess[str]],
) -> None:
    code = (
        "import json, sys, bauernschnapsen, bauernschnapsen_conformance as c;"
        "from bauernschnapsen.data.locate import spec_root, schemas_root;"
        "print(json.dumps([bauernschnapsen.__file__, c.__file__, str(spec_root()),"
        " str(schemas_root()), sys.prefix]))"
    )
    done = elsewhere("python", "-c", code)
    assert done.returncode == 0, done.stderr
    *paths, prefix = json.loads(done.stdout)
    assert all(path.startswith(prefix) for path in paths)
    assert not prefix.startswith(str(ROOT))


def test_a_rulebook_printed_there_can_be_played(
    elsewhere: Callable[..., subprocess.CompletedProcess[str]], tmp_path: Path
) -> None:
    target = tmp_path / "book.html"
    done = elsewhere("bauernschnapsen", "rulebook", "--output", str(target))
    assert done.returncode == 0, done.stderr
    assert 'modules["rules.mjs"] = ' in target.read_text("utf-8")


def test_the_program_starts_there(
    elsewhere: Callable[..., subprocess.CompletedProcess[str]],
) -> None:
    done = elsewhere("bauernschnapsen", "--version")
    assert (done.returncode, done.stdout) == (0, f"bauernschnapsen {version('bauernschnapsen')}\n")
    here = subprocess.run(
        [sys.executable, "-m", "bauernschnapsen_conformance", "--help"],
        capture_output=True,
        encoding="utf-8",
        check=True,
        timeout=30,
    )
    assert elsewhere("bauernschnapsen", "--help").stdout == here.stdout


def test_the_data_is_read_and_validated_there(
    elsewhere: Callable[..., subprocess.CompletedProcess[str]],
) -> None:
    # Only with the run-time dependencies: neither orjson nor jsonschema-rs is there.
    code = (
        "from bauernschnapsen.data.locate import spec_root;"
        "from bauernschnapsen.data.yaml_loader import load_yaml;"
        "from bauernschnapsen.data.schemas import validate;"
        "d = load_yaml(spec_root() / 'rulesets' / 'pagat.yaml');"
        "assert not validate(d.value, 'ruleset', document=d);"
        "print(*validate({**d.value, 'contracs': {}}, 'ruleset'), sep='\\n')"
    )
    done = elsewhere("python", "-c", code)
    assert done.stdout == "contracs: unknown field (did you mean 'contracts'?)\n", done.stderr


def test_the_reference_engine_is_served_there(
    elsewhere: Callable[..., subprocess.CompletedProcess[str]],
) -> None:
    hello = {
        "id": 1,
        "op": "hello",
        "protocol": {"min": 1, "max": 1},
        "suite": {"version": "0.1.0", "digest": "sha256:" + "0" * 64},
        "limits": {"max_line": 1048576},
    }
    case = {
        "contract": "normal",
        "trump": "H",
        "declarer": "N",
        "seats": ["N", "E", "S", "W"],
        "trick": [["N", "KH"]],
        "seat": "E",
        "hand": ["AH", "JH"],
    }
    question = {"id": 2, "op": "legal_plays", "cases": [case]}
    lines = f"{json.dumps(hello)}\n{json.dumps(question)}\n"
    done = elsewhere("bauernschnapsen", "serve", stdin=lines)
    assert (done.returncode, done.stderr) == (0, "")
    answers = {answer["id"]: answer["ok"] for answer in map(json.loads, done.stdout.splitlines())}
    assert answers[1]["protocol"] == 1
    assert answers[2] == [["AH"]]


def test_an_engine_is_certified_there(
    elsewhere: Callable[..., subprocess.CompletedProcess[str]],
) -> None:
    arguments = ["certify", "--", "bauernschnapsen", "serve"]
    if "\n  certify " not in elsewhere("bauernschnapsen", "--help").stdout:
        # The command is not in this version; then it must say so like any unknown one.
        assert elsewhere("bauernschnapsen", *arguments).returncode == 2
        return
    done = elsewhere("bauernschnapsen", *arguments)
    assert done.returncode == 0, done.stdout + done.stderr
    for level in ("tricks", "deal", "auction", "claims", "match"):
        assert level in done.stdout
