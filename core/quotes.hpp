// in_quotes: puts a name in quotation marks, for messages.
#pragma once

#include <string>
#include <string_view>

namespace strata::detail {

/// Returns: the name in quotation marks.
inline std::string in_quotes(std::string_view name) {
  return '"' + std::string(name) + '"';
}

}  // namespace strata::detail
