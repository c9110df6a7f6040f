#!/usr/bin/env bash
# The public header stands alone and is cheap: a file that includes nothing but <strata/strata.hpp> compiles, in a few times
# what some headers of the standard library take. Seconds would tell how fast the machine is at the moment.
# Usage: public_header_alone.sh <source root> <compiler command>...
set -euo pipefail

root=$1
shift
limit=3  # times the standard headers

TIMEFORMAT='%U'
# Prints the processor time of compiling the text, in milliseconds.
time_of() {
  local seconds
  seconds=$({ time "${compiler[@]}" -std=c++20 -O0 -fsyntax-only -I "$root/include" -x c++ - <<<"$1"; } 2>&1)
  echo $((10#${seconds/./}))
}

least() { echo $(($1 < $2 ? $1 : $2)); }

compiler=("$@")
# What is wrong with it, if it does not compile, before anything is timed.
"${compiler[@]}" -std=c++20 -O0 -fsyntax-only -I "$root/include" -x c++ - <<<'#include <strata/strata.hpp>'

# Other programs slow single tries down, by different amounts. So both are timed in turn, and the best tries count.
header=1000000
standard=1000000
for try in {1..20}; do
  standard=$(least $standard "$(time_of $'#include <algorithm>\n#include <functional>\n#include <iostream>\n#include <memory_resource>\n#include <ranges>')")
  header=$(least $header "$(time_of '#include <strata/strata.hpp>')")
  [ $try -lt 2 ] || [ "$header" -ge $((limit * standard)) ] || break
done
echo "compiled in $header ms, the standard headers in $standard ms"
[ "$header" -lt $((limit * standard)) ]
