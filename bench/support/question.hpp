// Question: what a bench asks, with strata's answers to it and the limit beside them.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "report.hpp"
#include "work.hpp"

namespace strata::bench {

/// One way of strata to do the work, and what its figure may be at most.
struct Answer {
  using MakeWork = std::function<Work(void* data)>;

  Answer& at_most(double ratio) { return set_bar(Bar::at_most(ratio)); }
  Answer& at_most_above_limit(double ns_per_item) { return set_bar(Bar::at_most_above_limit(ns_per_item)); }
  Answer& at_most_ns(double ns_per_item) { return set_bar(Bar::at_most_ns(ns_per_item)); }
  Answer& set_bar(Bar most) {
    bar = most;
    return *this;
  }

  std::string path;
  MakeWork make;
  Bar bar = {};
};

/// The part of a question that does not depend on the type of its data.
class AnyQuestion {
 public:
  using MakeData = std::function<std::shared_ptr<void>()>;
  using CountItems = std::function<std::size_t(const void* data)>;

  AnyQuestion(std::string path, std::size_t items, MakeData make)
      : path_(std::move(path)), items_(items), make_data_(std::move(make)) {}

  /// Leaves the question out unless it is asked for by name, or all are.
  void only_on_demand() { on_demand_ = true; }

  bool on_demand() const { return on_demand_; }
  std::string limit_path() const { return path_ + "/limit"; }

  /// A deque, because `at_most` is called on the reference that was given out.
  std::deque<Answer>& answers() { return answers_; }

  /// Times the answers and the limit, their repetitions interleaved at random.
  /// Returns: a figure for each answer, in their order.
  std::vector<Figure> run() const;

 protected:
  std::string path_;
  std::size_t items_;
  MakeData make_data_;
  CountItems count_items_;  // Empty: `items_` says it.
  Answer::MakeWork make_limit_;
  std::deque<Answer> answers_;
  bool on_demand_ = false;
};

/// What a bench asks: the limit and every answer work on one `Data`, made when the question's turn comes and
/// dropped after it, so that a long run holds no more than one question in memory.
template <class Data>
class Question : public AnyQuestion {
 public:
  using AnyQuestion::AnyQuestion;

  /// Counts the items of a step in the data, where only that tells how many there are.
  Question& count_items(std::function<std::size_t(const Data&)> count) {
    count_items_ = [count = std::move(count)](const void* data) {
      return count(*static_cast<const Data*>(data));
    };
    return *this;
  }

  /// The same useful work over plain arrays, written by hand.
  Question& limit(std::function<Work(Data&)> make) {
    make_limit_ = erase(std::move(make));
    return *this;
  }

  /// Adds an answer under `name` below the question's path; under the path itself when it is empty.
  Answer& answer(const std::string& name, std::function<Work(Data&)> make) {
    return answers_.emplace_back(Answer{name.empty() ? path_ : path_ + "/" + name, erase(std::move(make))});
  }

  /// As above, by a `Doer` that is made of the data.
  template <class Doer>
  Question& limit() {
    return limit([](Data& data) { return work_by<Doer>(data); });
  }
  /// As above, by a `Doer` that is made of `how` and the data.
  template <class Doer, class... How>
  Answer& answer(const std::string& name, const How&... how) {
    return answer(name, [how...](Data& data) { return work_by<Doer>(how..., data); });
  }

 private:
  static Answer::MakeWork erase(std::function<Work(Data&)> make) {
    return [make = std::move(make)](void* data) { return make(*static_cast<Data*>(data)); };
  }
};

}  // namespace strata::bench
