#include "model_test.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <stdexcept>

namespace strata::test {

bool Bytes::turn() {
  read_ = end_;
  end_ = std::min(end_ + kTurn, bytes_.size());
  whole_ = end_ - read_ == kTurn;
  return read_ < end_;
}

std::uint8_t Bytes::next() {
  if (read_ < end_) return bytes_[read_++];
  if (whole_) throw std::logic_error("a turn of this test needs more bytes than it has");
  return 0;
}

std::size_t Bytes::below(std::size_t n) {
  if (n <= 1) return 0;
  if (n <= 256) return next() % n;
  const std::size_t high = next();
  return (high * 256 + next()) % n;
}

void Log::write(std::string line) {
  if (mode_ == Mode::print) {
    std::cerr << line << std::endl;  // flushed: the next operation may crash
  }
  lines_.push_back(std::move(line));
}

namespace {

#ifdef STRATA_LONG_TESTS
constexpr std::size_t kRunFactor = 40;
#else
constexpr std::size_t kRunFactor = 1;
#endif

// Programs that are fuzz targets, too, run a third of the inputs as tests: tests/fuzz --quick gives them many others.
#ifdef STRATA_FUZZ
constexpr std::size_t kRunDivisor = 3;
#else
constexpr std::size_t kRunDivisor = 1;
#endif

// Enough to shrink a few hundred turns to a handful; a bound, so that a slow subject still reports.
constexpr std::size_t kShrinkRuns = 4000;

// Splitmix64: the standard library's engines may differ in speed but its distributions differ in values.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t operator()() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }

 private:
  std::uint64_t state_;
};

std::vector<std::uint8_t> random_bytes(Random& random, std::size_t count) {
  std::vector<std::uint8_t> bytes(count);
  for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random());
  return bytes;
}

class Shrinker {
 public:
  Shrinker(ModelTest test, std::vector<std::uint8_t> failing) : test_(test), bytes_(std::move(failing)) {}

  std::vector<std::uint8_t> shrink() {
    std::size_t before = 0;
    do {
      before = progress_;
      remove_turns();
      lower_bytes();
    } while (progress_ != before && runs_ < kShrinkRuns);
    return bytes_;
  }

 private:
  // Takes `candidate` if it fails too, whatever the disagreement: a shorter bug is a better bug.
  bool accept(std::vector<std::uint8_t> candidate) {
    if (runs_++ >= kShrinkRuns) return false;
    Log silent(Log::Mode::off);
    if (!run_once(test_, candidate, silent)) return false;
    bytes_ = std::move(candidate);
    ++progress_;
    return true;
  }

  void remove_turns() {
    for (std::size_t turns = bytes_.size() / Bytes::kTurn; turns > 0; turns /= 2) {
      const std::size_t chunk = turns * Bytes::kTurn;
      // From the back: the last operations depend on the first, seldom the other way round.
      for (std::size_t end = bytes_.size(); end > 0 && runs_ < kShrinkRuns;) {
        const std::size_t begin = end > chunk ? end - chunk : 0;
        std::vector<std::uint8_t> candidate = bytes_;
        candidate.erase(candidate.begin() + static_cast<std::ptrdiff_t>(begin),
                        candidate.begin() + static_cast<std::ptrdiff_t>(end));
        accept(std::move(candidate));
        end = begin;
      }
    }
  }

  void lower_bytes() {
    for (std::size_t i = 0; i < bytes_.size(); ++i) {
      for (const int lower : {0, bytes_[i] / 2, bytes_[i] - 1}) {
        if (lower < 0 || lower >= bytes_[i]) continue;
        std::vector<std::uint8_t> candidate = bytes_;
        candidate[i] = static_cast<std::uint8_t>(lower);
        if (accept(std::move(candidate))) break;
      }
    }
  }

  ModelTest test_;
  std::vector<std::uint8_t> bytes_;
  std::size_t runs_ = 0;
  std::size_t progress_ = 0;
};

Failure shrunk(ModelTest test, std::vector<std::uint8_t> failing) {
  Failure failure;
  failure.bytes = Shrinker(test, std::move(failing)).shrink();
  Log log(Log::Mode::record);
  failure.disagreement = run_once(test, failure.bytes, log).value_or("the failure does not repeat itself");
  failure.log = log.lines();
  return failure;
}

}  // namespace

Disagreement run_once(ModelTest test, std::span<const std::uint8_t> bytes, Log& log) {
  Bytes reader(bytes);
  try {
    return test(reader, log);
  } catch (const std::exception& error) {
    return std::string("an exception left the test: ") + error.what();
  }
}

namespace {

/// Finds a failure by runs with one seed.
std::optional<Failure> find_failure_of_seed(ModelTest test, const ModelTestOptions& options) {
  const Log::Mode mode = std::getenv("STRATA_TRACE") ? Log::Mode::print : Log::Mode::off;
  Random random(options.seed);
  const std::size_t runs = (options.runs * kRunFactor + kRunDivisor - 1) / kRunDivisor;
  for (std::size_t run = 0; run < runs; ++run) {
    const std::size_t turns = 1 + options.turns * (run + 1) / runs;
    std::vector<std::uint8_t> bytes = random_bytes(random, turns * Bytes::kTurn);
    Log log(mode);
    log("run ", run);
    if (run_once(test, bytes, log)) return shrunk(test, std::move(bytes));
  }
  return {};
}

}  // namespace

std::optional<Failure> find_failure(ModelTest test, const ModelTestOptions& options) {
  using Clock = std::chrono::steady_clock;
  const char* const seconds = std::getenv("STRATA_MODEL_SECONDS");
  if (seconds == nullptr) return find_failure_of_seed(test, options);
  const Clock::time_point end = Clock::now() + std::chrono::seconds(std::atoi(seconds));
  ModelTestOptions next = options;
  std::size_t rounds = 0;
  for (; rounds == 0 || Clock::now() < end; ++rounds) {
    if (auto failure = find_failure_of_seed(test, next)) return failure;
    ++next.seed;
  }
  std::cout << rounds * options.runs * kRunFactor << " runs agree\n";
  return {};
}

std::string to_text(const Failure& failure) {
  std::ostringstream text;
  text << "\n";
  for (const std::string& line : failure.log) text << "  " << line << "\n";
  text << "  => " << failure.disagreement << "\n  bytes:";
  for (const std::uint8_t byte : failure.bytes) text << ' ' << int{byte};
  text << "\n";
  return text.str();
}

}  // namespace strata::test
