#!/usr/bin/env bash
# Storage never knows a parent: copies core, storage and query with their tests to a place where there is no
# hierarchy and no door, builds them there and runs those tests.
# Usage: without_hierarchy.sh <source root> <compiler command>...
set -euo pipefail

root=$1
shift
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT

mkdir "$place/tests"
cp -r "$root/core" "$root/storage" "$root/query" "$place/"
cp -r "$root/tests/core" "$root/tests/storage" "$root/tests/query" "$root/tests/support" "$place/tests/"

cd "$place"
{
  printf 'rule compile\n  command = %s -std=c++20 -O0 -MMD -MF $out.d -c -o $out $in\n  depfile = $out.d\n' "$*"
  printf 'rule link\n  command = %s -o $out $in\n' "$*"
  objects=
  while read -r source; do
    printf 'build %s.o: compile %s\n' "$source" "$source"
    objects+=" $source.o"
  done < <(find . -name '*.cpp' | sort)
  printf 'build room_tests: link%s\n' "$objects"
} >build.ninja

ninja --quiet room_tests
./room_tests
