#!/usr/bin/env bash
# Wrong uses of typed queries do not compile, for the reason that is given, and say so briefly.
# Usage: refused.sh <source root> <compiler command>...
set -euo pipefail

root=$1
shift
source=$root/tests/structure/refused.cpp
most=20  # lines of errors for each reason

# clang stops after 20 errors unless told otherwise.
"$@" -ferror-limit=0 -fsyntax-only -x c++ /dev/null 2>/dev/null && set -- "$@" -ferror-limit=0

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
done < <(sed -nE 's|^ *// refused( \(.*\))?: ||p' "$source" | plain)
# Several uses are refused for the same reason, so each line has to be named as well.
while IFS= read -r line; do
  if ! grep -qF -- "refused.cpp:$line:" <<<"$errors"; then
    echo "not refused: line $line"
    failures=$((failures + 1))
  fi
done < <(awk '/\/\/ refused:/ { due = 1; next } due { print FNR; due = 0 }' "$source")
lines=$(wc -l <<<"$errors")
if [ "$failures" -ne 0 ] || [ "$lines" -gt $((most * $(grep -c '// refused' "$source"))) ]; then
  echo "$lines lines:"
  echo "$errors"
  exit 1
fi
