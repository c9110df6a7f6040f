// Contracts: how a caller's bug is reported, in release builds too.
#pragma once

#include <stdexcept>
#include <string>

namespace strata {

/// Where a call stands in the source. As the default argument of a parameter, it is that of the caller: calls that take
/// one leave it away.
struct CallSite {
  constexpr CallSite(const char* at_file = __builtin_FILE(), int at_line = __builtin_LINE())
      : file(at_file), line(at_line) {}

  const char* file;
  int line;
};

/// What a broken contract says of itself.
struct ContractFailure {
  const char* condition;  ///< The expression that did not hold, as written.
  const char* message;    ///< A sentence that names the thing and what to do.
  /// Of the call that broke it where that has a CallSite among its parameters or in one (ChildOf, CountOrSpan), as the typed
  /// calls of a World do; otherwise of the check.
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
#define STRATA_EXPECTS(condition, ...) STRATA_EXPECTS_AT(::strata::CallSite(), condition, __VA_ARGS__)

/// As above, of the call at a CallSite.
#define STRATA_EXPECTS_AT(site, condition, ...)                                                   \
  do {                                                                                            \
    if (!(condition)) [[unlikely]] {                                                              \
      const ::strata::CallSite broken_at = (site);                                                \
      ::strata::detail::contract_failed(#condition, __VA_ARGS__, broken_at.file, broken_at.line); \
    }                                                                                             \
  } while (false)
