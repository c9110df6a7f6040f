// The libFuzzer targets: one for each source with model tests, of its name. Where a source has several model tests, the
// first byte of the input says which.
//   <room>_test fuzz list                  prints the names of the targets
//   <room>_test fuzz <target> [option]...  runs one, with the options of libFuzzer
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model_test.hpp"

/// The main function of libFuzzer, which has no header. Calls `run` with one input after the other.
extern "C" int LLVMFuzzerRunDriver(int* count, char*** arguments,
                                   int (*run)(const std::uint8_t* data, std::size_t size));

namespace strata::test {
namespace {

struct Entry {
  const char* sentence;
  ModelTest test;
};
struct Target {
  std::string name;
  std::vector<Entry> entries;
};

// In a function, because entries are added while other files' variables are initialised.
std::vector<Target>& targets() {
  static std::vector<Target> list;
  return list;
}

// The target that runs.
const Target* chosen = nullptr;

const Target* find_target(std::string_view name) {
  for (const Target& target : targets())
    if (target.name == name) return &target;
  return nullptr;
}

/// Returns: `links` for `tests/hierarchy/links_test.cpp`, `store` for `tests/storage/store_model_test.cpp`.
std::string_view name_of(std::string_view source) {
  source = source.substr(source.find_last_of('/') + 1);
  for (const std::string_view end : {"_test.cpp", "_model"})
    if (source.ends_with(end)) source.remove_suffix(end.size());
  return source;
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
  const std::vector<Entry>& entries = chosen->entries;
  const Entry* entry = &entries.front();
  if (entries.size() > 1) {
    if (bytes.empty()) return;
    entry = &entries[bytes.front() % entries.size()];
    bytes = bytes.subspan(1);
  }
  Log log(mode);
  if (run_once(entry->test, bytes, log)) report(*entry, bytes);
}

}  // namespace

bool add_fuzz_entry(const char* source, const char* sentence, ModelTest test) {
  const std::string_view name = name_of(source);
  if (find_target(name) == nullptr) targets().push_back({std::string(name), {}});
  for (Target& target : targets())
    if (target.name == name) target.entries.push_back({sentence, test});
  return true;
}

int fuzz(int count, char** arguments) {
  const std::string_view name = count > 1 ? arguments[1] : "";
  if (name == "list") {
    for (const Target& target : targets()) std::cout << target.name << "\n";
    return 0;
  }
  chosen = find_target(name);
  if (chosen == nullptr) {
    std::cerr << "\"" << name << "\" is no target; `list` prints their names\n";
    return 2;
  }
  // libFuzzer sees the name as that of the program.
  --count;
  ++arguments;
  return LLVMFuzzerRunDriver(&count, &arguments, [](const std::uint8_t* data, std::size_t size) {
    run_input({data, size});
    return 0;
  });
}

}  // namespace strata::test
