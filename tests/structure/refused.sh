#!/usr/bin/env bash
# Wrong uses of typed queries do not compile, for the reason that is given, and say so briefly.
# Usage: refused.sh <source root> <compiler command>...
set -euo pipefail

root=$1
shift
source=$root/tests/structure/refused.cpp
most=220  # lines, of all errors together

if errors=$("$@" -std=c++20 -fsyntax-only -I "$root/include" "$source" 2>&1); then
  echo "everything compiles"
  exit 1
fi
# Compilers write an unnamed namespace, a reference and a quotation mark in different ways.
plain() { sed -e 's/(anonymous namespace)/{anonymous}/g' -e 's/ \([&*]\)/\1/g' -e "s/[\x60‘’]/'/g"; }
errors=$(plain <<<"$errors")
failures=0
while IFS= read -r reason; do
  if ! grep -qF -- "$reason" <<<"$errors"; then
    echo "not said: $reason"
    failures=$((failures + 1))
  fi
done < <(sed -n 's|^ *// refused: ||p' "$source" | plain)
lines=$(wc -l <<<"$errors")
if [ "$failures" -ne 0 ] || [ "$lines" -gt "$most" ]; then
  echo "$lines lines:"
  echo "$errors"
  exit 1
fi
