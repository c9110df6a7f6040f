#!/usr/bin/env bash
# Compiled as C++17, every public header says first that strata needs C++20.
# Usage: older_standard.sh <source root> <compiler command>...
set -euo pipefail

root=$1
shift
sentence='strata needs C++20: compile with -std=c++20 or /std:c++20'

# Checks the first error of a source that includes the header.
check() { # <header> <compiler option>...
  local said
  if said=$("${compiler[@]}" -std=c++17 -I "$root/include" "${@:2}" -x c++ - 2>&1 <<<"#include <$1>"); then
    echo "<$1> is accepted"
    return 1
  fi
  said=$(grep -m1 'error' <<<"$said" || true)
  [[ $said == *"$sentence"* ]] || { echo "<$1> says first: $said"; return 1; }
}

compiler=("$@")
failures=0
check strata/strata.hpp -fsyntax-only || failures=$((failures + 1))
for header in "$root"/include/strata/*.hpp; do
  grep -q '^#include' "$header" || continue # has no code
  check "strata/${header##*/}" -E -o /dev/null || failures=$((failures + 1))
done
[ $failures -eq 0 ]
