// Suite: the questions of one bench program, and the run that answers them.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "filter.hpp"
#include "options.hpp"
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

/// Collects questions, then runs those that the command line chose.
class Suite {
 public:
  explicit Suite(Options options) : options_(std::move(options)), filter_(options_.filter) {}

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
  /// Returns: the exit status: 1 when a result was wrong, no bench matched or the JSON could not be written.
  int run();

 private:
  struct Turn {
    const AnyQuestion* question;
    std::vector<const Answer*> answers;
  };

  bool matches(const std::string& path, bool on_demand) const;
  void choose();
  void list() const;
  void run_turns();
  void run_counts();
  void warn_of_noise() const;
  int finish() const;

  Options options_;
  Filter filter_;
  std::vector<std::unique_ptr<AnyQuestion>> questions_;
  std::vector<Count> counts_;
  std::vector<Turn> turns_;  // What is chosen of the questions.
  std::vector<Count> chosen_counts_;
  std::size_t path_width_ = 0;
  std::vector<Figure> times_;
  std::vector<Figure> amounts_;
};

/// The main function of a bench program.
int run_suite(int argc, char** argv, const std::function<void(Suite&)>& ask_all);

}  // namespace strata::bench
