"""What the manual shows of a report is what is printed."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("node") is None, reason="the sample's engine needs node")
def test_the_failing_report_is_the_one_that_is_printed() -> None:
    page = (ROOT / "docs" / "certify.md").read_text(encoding="utf-8")
    sample = re.search(
        r"```console\n\$ bauernschnapsen certify (--no-blind.*?)\n(FAIL.*?)```", page, re.S
    )
    assert sample is not None
    options = sample[1].replace("\\\n", " ").replace("'", "").split()
    done = subprocess.run(
        [sys.executable, "-m", "bauernschnapsen_conformance", "certify", *options],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 1
    printed = " ".join(done.stdout.split())
    for piece in sample[2].split("…"):  # where something was left out
        assert " ".join(piece.split()) in printed
