// Model tests: a function from bytes to an optional disagreement, run on random bytes and shrunk when it
// fails.
//
// A model test applies the same operations to the subject and to the dumbest standard container that says the
// same, and answers with a sentence as soon as the two disagree:
//
//   Disagreement slots_agree(Bytes& bytes, Log& log) {
//     while (bytes.turn()) {
//       switch (bytes.below(3)) { ... log("destroy ", handle); ... }
//     }
//     return {};
//   }
//   STRATA_MODEL_TEST("slots behave like a map from index to generation", slots_agree, .runs = 300);
//
// Compiled with -DSTRATA_FUZZ, the same line also adds the function to a libFuzzer target of its source's name
// (fuzz.cpp; see tests/fuzz). With STRATA_TRACE=1 in the environment every operation is printed before it is applied,
// for a run that crashes.
#pragma once

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <sstream>
#include <string>
#include <vector>

namespace strata::test {

/// What subject and model disagree about; empty when they agree.
using Disagreement = std::optional<std::string>;

/// The choices of one run, read from bytes in turns of a fixed width.
///
/// The width is what lets the runner cut a turn out of a failing input without the later turns meaning
/// something else.
class Bytes {
 public:
  static constexpr std::size_t kTurn = 16;

  explicit Bytes(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  /// Goes on to the next turn, dropping what the last one left over.
  /// Returns: false when the bytes are used up.
  bool turn();

  /// Returns: a number less than `n`, and 0 when the input ends within the turn.
  /// Errors: std::logic_error when the test asks more of a turn than it holds: choices that are always 0
  /// would leave half of the test unreached.
  /// Contract: 0 < n <= 65536.
  std::size_t below(std::size_t n);

  bool chance(std::size_t one_in) { return below(one_in) == 0; }

 private:
  std::uint8_t next();

  std::span<const std::uint8_t> bytes_;
  std::size_t end_ = 0;   // of the current turn
  std::size_t read_ = 0;  // position of the next byte
  bool whole_ = false;    // the current turn has its full width
};

/// The operations of one run in words; without cost unless they are printed.
class Log {
 public:
  enum class Mode { off, record, print };

  explicit Log(Mode mode) : mode_(mode) {}

  template <class... Words>
  void operator()(const Words&... words) {
    if (mode_ == Mode::off) return;
    std::ostringstream line;
    (line << ... << words);
    write(line.str());
  }
  const std::vector<std::string>& lines() const { return lines_; }

 private:
  void write(std::string line);

  Mode mode_;
  std::vector<std::string> lines_;
};

/// Lets a test take a turn, and compare the subject with the model, as long as there are bytes.
template <class Test>
Disagreement take_turns(Test& test, Bytes& bytes) {
  while (bytes.turn()) {
    if (Disagreement wrong = test.turn()) return wrong;
    if (Disagreement wrong = test.compare()) return wrong;
  }
  return {};
}

using ModelTest = Disagreement (*)(Bytes&, Log&);

struct ModelTestOptions {
  std::size_t runs = 200;   // multiplied by 40 with the Meson option long_tests
  std::size_t turns = 200;  // in the longest run; the first runs are short
  std::uint64_t seed = 0x5742a7a;
};

/// What is left of a failing input once nothing can be taken from it.
struct Failure {
  std::vector<std::uint8_t> bytes;
  std::string disagreement;
  std::vector<std::string> log;
};

/// Runs `test` on byte strings made from the seed; the same ones every time. With STRATA_MODEL_SECONDS=N in the
/// environment, goes on with the next seeds for N seconds, and prints how many runs that were.
/// Returns: the first failure, shrunk; nothing when every run agreed.
std::optional<Failure> find_failure(ModelTest test, const ModelTestOptions& options = {});

/// Runs `test` on these bytes alone; an exception that leaves it is a disagreement.
Disagreement run_once(ModelTest test, std::span<const std::uint8_t> bytes, Log& log);

/// Returns: the failure as text: the shortest log of operations, then the disagreement.
std::string to_text(const Failure& failure);

}  // namespace strata::test

#ifdef STRATA_FUZZ
namespace strata::test {
/// Adds a model test to the fuzz target of its source: that of `tests/hierarchy/links_test.cpp` is `links`.
/// Returns: true, so that a variable's initialisation can call it.
bool add_fuzz_entry(const char* source, const char* sentence, ModelTest test);

/// Runs a fuzz target; the arguments are those of the program behind `fuzz`.
/// Returns: the exit status of the program.
int fuzz(int count, char** arguments);
}  // namespace strata::test
#define STRATA_FUZZ_ENTRY(sentence, function)                         \
  [[maybe_unused]] static const bool DOCTEST_ANONYMOUS(fuzz_entry_) = \
      strata::test::add_fuzz_entry(__FILE__, sentence, function);
#else
#define STRATA_FUZZ_ENTRY(sentence, function)
#endif

#define STRATA_MODEL_TEST(sentence, function, ...)                                                          \
  STRATA_FUZZ_ENTRY(sentence, function)                                                                     \
  TEST_CASE(sentence) {                                                                                     \
    const auto failure = strata::test::find_failure(function, strata::test::ModelTestOptions{__VA_ARGS__}); \
    if (failure) FAIL(strata::test::to_text(*failure));                                                     \
  }                                                                                                         \
  static_assert(true)
