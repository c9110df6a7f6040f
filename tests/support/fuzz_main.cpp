// The libFuzzer target of a file with model tests. Where there are several, the first byte of the input says which.
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <span>
#include <vector>

#include "model_test.hpp"

namespace strata::test {
namespace {

struct Entry {
  const char* sentence;
  ModelTest test;
};

// In a function, because entries are added while other files' variables are initialised.
std::vector<Entry>& entries() {
  static std::vector<Entry> list;
  return list;
}

/// Runs the input again, to print the operations that led to the disagreement.
[[noreturn]] void report(const Entry& entry, std::span<const std::uint8_t> bytes) {
  Failure failure{{bytes.begin(), bytes.end()}, {}, {}};
  Log log(Log::Mode::record);
  failure.disagreement = run_once(entry.test, bytes, log).value_or("the failure does not repeat itself");
  failure.log = log.lines();
  std::cerr << entry.sentence << to_text(failure) << std::flush;
  std::abort();
}

void run_input(std::span<const std::uint8_t> bytes) {
  static const Log::Mode mode = std::getenv("STRATA_TRACE") != nullptr ? Log::Mode::print : Log::Mode::off;
  const Entry* entry = &entries().front();
  if (entries().size() > 1) {
    if (bytes.empty()) return;
    entry = &entries()[bytes.front() % entries().size()];
    bytes = bytes.subspan(1);
  }
  Log log(mode);
  if (run_once(entry->test, bytes, log)) report(*entry, bytes);
}

}  // namespace

bool add_fuzz_entry(const char* sentence, ModelTest test) {
  entries().push_back({sentence, test});
  return true;
}

}  // namespace strata::test

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  strata::test::run_input({data, size});
  return 0;
}
