// Suite: the questions of one bench program, and the run that answers them; and the numbers of entities that most are
// asked for. A bench program is a set of files, each with a family of questions; the main function is here.
#pragma once

#include <cstddef>
#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "question.hpp"

namespace strata::bench {

/// Bytes per item of strata and of the same data in plain arrays.
struct Amounts {
  double value;
  double limit;
};

/// A figure that is counted, not timed.
struct Count {
  std::string path;
  std::size_t items;
  std::function<Amounts()> take;
  double most = 0;  ///< Bar in bytes per item; 0: none.
  bool on_demand = false;
};

/// What the command line of a bench program asks for.
struct Options;

/// Collects questions, then runs those that the command line chose.
class Suite {
 public:
  /// Asks how long `items` items take; `make` makes the data when the question's turn comes.
  template <class Data>
  Question<Data>& ask(std::string path, std::size_t items, std::function<std::shared_ptr<Data>()> make) {
    auto question = std::make_unique<Question<Data>>(std::move(path), items, std::move(make));
    Question<Data>& reference = *question;
    questions_.push_back(std::move(question));
    return reference;
  }

  /// Asks for bytes per item.
  void count(Count count) { counts_.push_back(std::move(count)); }

  /// Prints a table row per figure as it comes.
  /// Returns: the exit status: 1 when a result was wrong or no bench matched.
  /// Errors: std::regex_error if the filter is no regular expression; std::runtime_error if the JSON cannot be written.
  int run(const Options& options);

 private:
  void drop_unwanted(const Options& options);

  std::vector<std::unique_ptr<AnyQuestion>> questions_;
  std::vector<Count> counts_;
};

/// Numbers of entities. The smallest is for the tests, which want a right result and no figure.
inline constexpr std::size_t kSizes[] = {1'000, 10'000, 1'000'000};

/// Returns: the bar for n entities, of those for 10,000 and for 1,000,000.
inline double bar_of(std::size_t n, double small, double large) {
  return n < kSizes[2] ? small : large;
}

/// The data of a question that needs to know no more than how many entities there are.
struct EntityCount {
  explicit EntityCount(std::size_t count) : n(count) {}

  std::size_t n;
};

/// Asks `path`/n, about data that is made of n; only on demand for the smallest n.
template <class Data>
Question<Data>& ask_of_size(Suite& suite, const std::string& path, std::size_t n,
                            std::function<std::shared_ptr<Data>()> make) {
  auto& question = suite.ask<Data>(path + "/" + std::to_string(n), n, std::move(make));
  if (n == kSizes[0]) question.only_on_demand();
  return question;
}
template <class Data = EntityCount>
Question<Data>& ask_of_size(Suite& suite, const std::string& path, std::size_t n) {
  return ask_of_size<Data>(suite, path, n, [n] { return std::make_shared<Data>(n); });
}

/// Asks each question for all sizes.
inline void ask_for_sizes(Suite& suite, std::initializer_list<void (*)(Suite&, std::size_t)> questions) {
  for (const auto ask : questions) {
    for (const std::size_t n : kSizes) ask(suite, n);
  }
}

/// A family of questions, which a file of a bench program adds to those that the program asks.
class Family {
 public:
  explicit Family(void (*ask)(Suite&));
};

}  // namespace strata::bench
