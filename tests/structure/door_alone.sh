#!/usr/bin/env bash
# The door stands alone and opens fast: a file that includes nothing but <strata/strata.hpp> compiles, in well under
# a second where the machine is quiet. The limit leaves room for one that is not.
# Usage: door_alone.sh <source root> <compiler command>...
set -euo pipefail

root=$1
shift
limit=3  # seconds of processor time

TIMEFORMAT='%U'
seconds=$({ time "$@" -std=c++20 -O0 -fsyntax-only -I "$root/include" -x c++ - <<<'#include <strata/strata.hpp>'; } 2>&1)
echo "compiled in $seconds s"
[ "${seconds%%.*}" -lt "$limit" ]
