#!/usr/bin/env bash
# Writes the API reference, html/index.html in a folder: the public names, which include/strata/strata.hpp lists.
# Usage: reference.sh <folder> <doxygen>
set -euo pipefail

folder=$(realpath -m "$1")
cd "$(dirname "$0")/.."
mkdir -p "$folder"

headers=$(sed -nE 's|^//   ([a-z_/]+\.hpp): .*|\1|p' include/strata/strata.hpp | sort -u | tr '\n' ' ')
labels='Returns|Errors|Contract|Invalidates|Complexity|Threads|Units|Source'
"$2" - <<END
PROJECT_NAME           = strata
PROJECT_BRIEF          = "Embeddable C++20 runtime for entities and components, built around hierarchies"
OUTPUT_DIRECTORY       = $folder
GENERATE_LATEX         = NO
HAVE_DOT               = NO
CLASS_GRAPH            = NO
QUIET                  = YES
WARN_AS_ERROR          = FAIL_ON_WARNINGS
EXTRACT_ALL            = YES
INPUT                  = $headers include/strata/callbacks.hpp
STRIP_FROM_PATH        = $PWD/include $PWD
SHOW_HEADERFILE        = NO
SHOW_INCLUDE_FILES     = NO
INPUT_FILTER           = "sed -E -e '/^struct std::hash</,/^};/d' -e '/^inline constexpr bool std::ranges::/d' -e 's#^( *///) ($labels): #\\1 @par \\2\\n\\1 #'"
EXCLUDE_SYMBOLS        = strata::detail detail::* *::detail std::*
AUTOLINK_SUPPORT       = NO
JAVADOC_AUTOBRIEF      = YES
SORT_MEMBER_DOCS       = NO
INLINE_INHERITED_MEMB  = YES
HIDE_UNDOC_RELATIONS   = YES
MACRO_EXPANSION        = YES
EXPAND_ONLY_PREDEF     = YES
PREDEFINED             = STRATA_API= STRATA_ALWAYS_INLINE= STRATA_NOINLINE= STRATA_COLD= STRATA_PURE= STRATA_CONST=
END
