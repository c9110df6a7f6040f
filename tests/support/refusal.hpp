// What contracts say of a call that they refuse.
#pragma once

#include <string>

#include "../../core/contract.hpp"

namespace strata::test {

/// Returns: the message of the contract that `call` violates; empty when it violates none.
template <class Call>
std::string refusal(Call call) {
  try {
    call();
  } catch (const ContractViolation& violation) {
    return violation.what();
  }
  return "";
}

inline bool says(const std::string& text, const char* words) {
  return text.find(words) != std::string::npos;
}

}  // namespace strata::test
