#include "contract.hpp"

#include <atomic>
#include <cstdio>
#include <cstdlib>

namespace strata {
namespace {

void default_handler(const ContractFailure& failure) {
#if defined(__cpp_exceptions)
  throw ContractViolation(failure.message);
#else
  std::fprintf(stderr, "%s:%d: %s (%s)\n", failure.file, failure.line, failure.message, failure.condition);
  std::abort();
#endif
}

std::atomic<ContractHandler> current_handler{default_handler};

}  // namespace

ContractHandler set_contract_handler(ContractHandler handler) noexcept {
  return current_handler.exchange(handler != nullptr ? handler : default_handler);
}

namespace detail {

void contract_failed(const char* condition, const char* message, const char* file, int line) {
  current_handler.load()({condition, message, file, line});
  std::abort();
}

void contract_failed(const char* condition, const std::string& message, const char* file, int line) {
  contract_failed(condition, message.c_str(), file, line);
}

}  // namespace detail
}  // namespace strata
