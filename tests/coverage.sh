#!/usr/bin/env bash
# Builds with coverage, runs the tests and prints the line coverage of src/.
# usage: tests/coverage.sh [CTEST OPTION...]
set -euo pipefail
cd "$(dirname "$0")/.."
cmake --preset coverage
cmake --build --preset coverage
find build/coverage -name '*.gcda' -delete
ctest --preset coverage "$@"
gcovr --root . --filter src/ --print-summary build/coverage
