// Contracts: how a caller's bug is reported, in release builds too.
#pragma once

#include <stdexcept>
#include <string>

namespace strata {

/// What a broken contract says of itself.
struct ContractFailure {
  const char* condition;  ///< The expression that did not hold, as written.
  const char* message;    ///< A sentence that names the thing and what to do.
  const char* file;
  int line;
};

/// Thrown by the default handler, where exceptions are enabled.
class ContractViolation : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

/// Called on a broken contract. It may throw; if it returns, the process is aborted.
using ContractHandler = void (*)(const ContractFailure&);

/// Replaces the process-wide handler; null restores the default, which throws ContractViolation (or, without
/// exceptions, prints and aborts).
/// Returns: the handler that was in place.
ContractHandler set_contract_handler(ContractHandler handler) noexcept;

namespace detail {

[[noreturn]] void contract_failed(const char* condition, const char* message, const char* file, int line);
[[noreturn]] void contract_failed(const char* condition, const std::string& message, const char* file,
                                  int line);

}  // namespace detail
}  // namespace strata

/// Requires `condition` of the caller; the message (a string, built only on failure) says what to do instead.
#define STRATA_EXPECTS(condition, ...)                                                \
  do {                                                                                \
    if (!(condition)) [[unlikely]]                                                    \
      ::strata::detail::contract_failed(#condition, __VA_ARGS__, __FILE__, __LINE__); \
  } while (false)
