// Contracts: how a bug of the caller is reported, in release builds too.
#pragma once

#include <stdexcept>
#include <string>

namespace strata {

/// A position in the source. As the default argument of a parameter, it is the position of the caller, so
/// callers omit it.
struct CallSite {
  constexpr CallSite(const char* at_file = __builtin_FILE(), int at_line = __builtin_LINE())
      : file(at_file), line(at_line) {}

  const char* file;
  int line;
};

/// The description of a broken contract.
struct ContractFailure {
  const char* condition;  ///< The expression that did not hold, as written.
  const char* message;    ///< A sentence that names the thing and what to do.
  /// The position of the call that broke the contract, if the call takes a CallSite directly or in a
  /// argument (child_of, the count of create_many), as the typed calls of World do. Otherwise the position of the check.
  const char* file;
  int line;
};

/// Thrown by the default handler, where exceptions are enabled.
class ContractViolation : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

/// Called when a contract is broken. It may throw; if it returns, the process is aborted.
using ContractHandler = void (*)(const ContractFailure&);

/// Replaces the process-wide handler. Null restores the default, which throws ContractViolation (or prints
/// and aborts in builds without exceptions).
/// Returns: the previous handler.
ContractHandler set_contract_handler(ContractHandler handler) noexcept;

namespace detail {

[[noreturn]] void contract_failed(const char* condition, const char* message, const char* file, int line);
[[noreturn]] void contract_failed(const char* condition, const std::string& message, const char* file,
                                  int line);

}  // namespace detail
}  // namespace strata

/// Requires `condition` of the caller. The message is a string, built only on failure, that tells the caller
/// what to do.
#define STRATA_EXPECTS(condition, ...) STRATA_EXPECTS_AT(::strata::CallSite(), condition, __VA_ARGS__)

/// The same, reported at a CallSite.
#define STRATA_EXPECTS_AT(site, condition, ...)                                                   \
  do {                                                                                            \
    if (!(condition)) [[unlikely]] {                                                              \
      const ::strata::CallSite broken_at = (site);                                                \
      ::strata::detail::contract_failed(#condition, __VA_ARGS__, broken_at.file, broken_at.line); \
    }                                                                                             \
  } while (false)
