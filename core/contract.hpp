// Contracts: checks that callers use the library correctly, in release builds too. If a check fails, the library calls
// a handler, which the program may choose.
#pragma once

#include <stdexcept>
#include <string>

#include "compiler.hpp"

namespace strata {

/// A position in source code: a file and a line. If a function has a CallSite parameter with the default
/// argument `{}`, and a caller omits the argument, the function receives the position of that call.
struct CallSite {
  constexpr CallSite(const char* at_file = STRATA_CALLER_FILE, int at_line = STRATA_CALLER_LINE)
      : file(at_file), line(at_line) {}

  const char* file;
  int line;
};

/// What the contract handler receives: which condition did not hold, a message for the caller, and a position in source
/// code.
struct ContractFailure {
  const char* condition;  ///< The expression that did not hold, as written.
  const char* message;    ///< A sentence that names the entity or component and says what to do.
  /// The position of the call that broke the contract, if the called function receives a CallSite, as a parameter or
  /// inside another argument such as `child_of(parent)`. The typed functions of World receive one. Without a CallSite,
  /// this is the position of the check in the library.
  const char* file;
  int line;
};

/// The exception that the default contract handler throws, in builds with exceptions.
class STRATA_API ContractViolation : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

/// A function that the library calls when a contract is broken. It may throw. If it returns, the library
/// aborts the process.
using ContractHandler = void (*)(const ContractFailure&);

/// Sets the contract handler of the whole process, in place of the previous one. Null restores the default
/// handler, which throws ContractViolation. If the library is compiled without exceptions (-fno-exceptions):
/// - The default handler prints the position and the message to stderr and aborts the process. A program that
///   wants something else sets a handler that does not return.
/// - Running out of memory ends the process: the exception that operator new or a memory resource throws is
///   not caught.
/// Returns: the previous handler.
STRATA_API ContractHandler set_contract_handler(ContractHandler handler) noexcept;

namespace detail {

[[noreturn]] STRATA_API void contract_failed(const char* condition, const char* message, const char* file,
                                             int line);
[[noreturn]] STRATA_API void contract_failed(const char* condition, const std::string& message,
                                             const char* file, int line);

}  // namespace detail
}  // namespace strata

/// STRATA_EXPECTS(condition, message): checks a contract, in release builds too. If `condition` is false, it
/// calls the contract handler, which throws or ends the process. `message` is a string that tells the caller
/// what to do; it is only evaluated if the condition is false. The reported position is that of the check.
#define STRATA_EXPECTS(condition, ...) STRATA_EXPECTS_AT(::strata::CallSite(), condition, __VA_ARGS__)

/// STRATA_EXPECTS_AT(site, condition, message): as STRATA_EXPECTS, but the reported position is `site`, a
/// CallSite.
#define STRATA_EXPECTS_AT(site, condition, ...)                                                   \
  do {                                                                                            \
    if (!(condition)) [[unlikely]] {                                                              \
      const ::strata::CallSite broken_at = (site);                                                \
      ::strata::detail::contract_failed(#condition, __VA_ARGS__, broken_at.file, broken_at.line); \
    }                                                                                             \
  } while (false)
