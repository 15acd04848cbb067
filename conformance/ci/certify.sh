#!/usr/bin/env bash
# Certify an engine on a machine that has only Python, 3.11 or later:
#
#   certify.sh [options of 'bauernschnapsen certify'] -- COMMAND...
#
# The first time it installs the suite into a virtual environment of its own. Reports go into
# $REPORTS: report.json, junit.xml, certificate.json, badge.svg. The exit code is that of certify:
# 0 conforming, 1 not, 2 usage, 3 the adapter did not start, 4 stopped.
#
#   BAUERNSCHNAPSEN        what pip installs: a wheel, a folder, an address; the checkout of this file
#   BAUERNSCHNAPSEN_VENV   where to: .bauernschnapsen
#   PYTHON                 the Python to use: python3
#   REPORTS                bauernschnapsen-reports
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
suite=${BAUERNSCHNAPSEN:-$here/../..}
venv=${BAUERNSCHNAPSEN_VENV:-.bauernschnapsen}
reports=${REPORTS:-bauernschnapsen-reports}
python=${PYTHON:-python3}

if ! [ -x "$venv/bin/bauernschnapsen" ]; then
  "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || {
    echo "certify.sh: $python is older than 3.11; name another: PYTHON=/path/to/python" >&2
    exit 2
  }
  "$python" -m venv "$venv"
  "$venv/bin/python" -m pip --quiet --disable-pip-version-check install "$suite"
fi

mkdir -p "$reports"
exec "$venv/bin/bauernschnapsen" certify \
  --json "$reports/report.json" --junit "$reports/junit.xml" \
  --certificate "$reports/certificate.json" --badge "$reports/badge.svg" "$@"
