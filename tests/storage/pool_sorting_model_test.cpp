#include <doctest/doctest.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "../../storage/sorting/pool_sorting.hpp"
#include "../support/hooked.hpp"
#include "../support/model_test.hpp"
#include "sorting_fixture.hpp"

namespace strata::test::pool_sorting_model_test {

using namespace detail;

namespace {

// A pool and a list of its members with their numbers, in order. Members come and go between the steps of a
// sort.
template <class T>
class SortedPoolTest {
 public:
  SortedPoolTest(Bytes& bytes, Log& log) : bytes_(bytes), log_(log) {
    hooks_->moved = [this](int) { look(); };
  }

  Disagreement turn() {
    switch (bytes_.below(6)) {
      case 0:
        return insert();
      case 1:
        return erase();
      case 2:
        return sort();
      case 3:
        return sort_like();
      default:
        return step();
    }
  }

  Disagreement compare() const {
    const SparsePool& pool = subject_.pool;
    if (pool.size() != model_.size()) return "there are more or fewer members";
    for (std::uint32_t i = 0; i < pool.size(); ++i) {
      if (pool.entities()[i] != model_[i].second) return "the members are others, or in another order";
      if (subject_.number_at(i) != model_[i].first) return "a value went to another member";
    }
    if (const std::string broken = pool.check_invariants(); !broken.empty()) return broken;
    if (scope_.misuses() != 0) return "a value was misused";
    return wrong_;
  }

 private:
  using Member = std::pair<int, Entity>;

  static bool by_number(const Member& a, const Member& b) { return a.first < b.first; }
  /// What comparisons and moves see of the pool: values that are whole, or none.
  void look() {
    if (model_.empty()) return;
    const Entity entity = model_[++looks_ % model_.size()].second;
    const auto* const value = static_cast<const T*>(subject_.pool.find(entity));
    if (value != nullptr && number_in(*value) < 0) wrong_ = "half a value is found of " + to_string(entity);
  }
  void take_over() {
    model_.clear();
    for (std::uint32_t i = 0; i < subject_.pool.size(); ++i) {
      model_.emplace_back(subject_.number_at(i), subject_.pool.entities()[i]);
    }
  }

  Disagreement insert() {
    const auto count = 1 + bytes_.below(8);
    log_("insert ", count);
    for (std::size_t i = 0; i < count; ++i) {
      const Entity entity(static_cast<std::uint32_t>(next_++ * 37 % 20'011), 1);
      const int number = static_cast<int>(next_ * 7919 % 31);
      subject_.insert(entity, number);
      model_.emplace_back(number, entity);
    }
    return {};
  }
  Disagreement erase() {
    if (model_.empty()) return {};
    const std::size_t which = bytes_.below(model_.size());
    log_("erase at ", which);
    subject_.pool.erase(model_[which].second);
    model_[which] = model_.back();
    model_.pop_back();
    return {};
  }

  template <class Way>
  Disagreement sort_by(Way way, std::size_t fail_at, bool contradicts) {
    std::size_t left = fail_at;
    const auto less = [&](const T& a, const T& b) {
      if (left-- == 0) throw Enough();
      look();
      return contradicts ? (random_ = random_ * 1664525 + 1013904223) >> 31 != 0
                         : number_in(a) < number_in(b);
    };
    try {
      sort_pool<T>(subject_.pool, less, way);
    } catch (const Enough&) {
      return compare();  // As it was.
    }
    const auto before = model_;
    take_over();
    is_scrambled_ = contradicts;
    if (contradicts) return same_members(before);
    if (std::string wrong = wrong_order(before, model_, is_stable<Way>); !wrong.empty()) return wrong;
    return {};
  }
  Disagreement sort() {
    const std::size_t way = bytes_.below(5);
    const std::size_t fail_at = bytes_.chance(3) ? bytes_.below(60) : 0xFFFF'FFFF;
    const bool contradicts = bytes_.chance(4);
    log_("sort, way ", way, ", failing at ", fail_at, contradicts ? ", by contradictions" : "");
    if (way == 0) return sort_by(sorting::Stable{}, fail_at, contradicts);
    if (way == 1) return sort_by(sorting::ByPermutation{}, fail_at, contradicts);
    // std::sort does not survive contradictions.
    if (way == 2 && !contradicts) return sort_by(sorting::InPlace{StdSort{}}, fail_at, false);
    if (way == 2) return sort_by(sorting::InPlace{}, fail_at, true);
    if (way == 3) return sort_by(sorting::BySwaps{}, fail_at, contradicts);
    return sort_by(sorting::Insertion{}, fail_at, contradicts);
  }
  Disagreement same_members(std::vector<Member> before) const {
    std::vector<Member> after = model_;
    std::sort(after.begin(), after.end());
    std::sort(before.begin(), before.end());
    return after == before ? Disagreement() : "a member was lost, or has another's value";
  }
  Disagreement sort_like() {
    log_("sort like every second one, turned round");
    PoolFixture<Health> other;
    std::vector<Member> expected;
    for (std::size_t i = model_.size(); i-- > 0;) {
      if (i % 2 != 0) continue;
      other.insert(model_[i].second, 0);
      expected.push_back(model_[i]);
    }
    for (std::size_t i = 1; i < model_.size(); i += 2) expected.push_back(model_[i]);
    sort_pool_like(subject_.pool, other.pool);
    model_ = std::move(expected);
    return {};
  }
  Disagreement step() {
    const std::size_t budget = bytes_.below(120);
    log_("step with ", budget);
    std::size_t comparisons = 0;
    const auto less = [&](const T& a, const T& b) {
      ++comparisons;
      look();
      return number_in(a) < number_in(b);
    };
    const bool sorted = sort_pool_step<T>(subject_.pool, less, budget);
    const auto before = model_;
    take_over();
    std::size_t moves = 0;
    for (std::size_t i = 0; i < model_.size(); ++i) moves += model_[i] != before[i] ? 1 : 0;
    if (comparisons + moves > budget) return "a step cost more than its budget";
    // What lies behind a step is in order, but for a sort by contradictions.
    if (!is_scrambled_ && inversions(model_) > inversions(before)) return "a step made the order worse";
    is_scrambled_ = is_scrambled_ && !sorted;
    if (sorted && !std::is_sorted(model_.begin(), model_.end(), by_number)) {
      return "a step says that all is in order, and it is not";
    }
    return same_members(before);
  }
  static std::size_t inversions(const std::vector<Member>& members) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < members.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) count += by_number(members[i], members[j]) ? 1 : 0;
    }
    return count;
  }

  Bytes& bytes_;
  Log& log_;
  CountedScope scope_;
  HookScope hooks_;
  PoolFixture<T> subject_;
  std::vector<Member> model_;
  std::size_t next_ = 1;
  std::uint32_t random_ = 1;
  bool is_scrambled_ = false;
  std::size_t looks_ = 0;
  Disagreement wrong_;
};

template <class T>
Disagreement sorted_pools_agree(Bytes& bytes, Log& log) {
  SortedPoolTest<T> test(bytes, log);
  while (bytes.turn()) {
    if (const Disagreement wrong = test.turn()) return wrong;
    if (const Disagreement wrong = test.compare()) return wrong;
  }
  return {};
}

}  // namespace

TEST_SUITE("storage/pool_sorting") {
  STRATA_MODEL_TEST("a pool that is sorted now and then, in steps or at once, is a list with numbers",
                    sorted_pools_agree<Counted>, .runs = 75, .turns = 100);
  STRATA_MODEL_TEST("so is one whose moves look at the pool", sorted_pools_agree<SparseHooked>, .runs = 80,
                    .turns = 100);
  STRATA_MODEL_TEST("so is a stable one", sorted_pools_agree<StableHooked>, .runs = 80, .turns = 100);
}

}  // namespace strata::test::pool_sorting_model_test
