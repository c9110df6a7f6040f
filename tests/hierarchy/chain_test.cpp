#include <doctest/doctest.h>

#include <cstdint>

#include "../support/sanitized.hpp"
#include "subject.hpp"
#include "tree_turns.hpp"

namespace strata::test::chain_test {

using namespace detail;

namespace {

constexpr std::uint32_t kLength = kLongChain;

/// A chain of single children below a root, and another root. Steps that are not linear in the length make
/// this test last for minutes.
struct Chain {
  Subject subject;
  Entity top;
  Entity second;  // The child of `top`.
  Entity bottom;
  Entity elsewhere;
  Query<Health, Parent<const Health>> query{subject.store, &subject.hierarchy.parents()};

  explicit Chain(Layout layout) : subject(layout) {
    elsewhere = subject.create({}, 0);
    bottom = top = subject.create({}, 0);
    for (std::uint32_t i = 1; i < kLength; ++i) {
      bottom = subject.create(bottom, 0);
      if (i == 1) second = bottom;
    }
  }

  /// Gives every entity its depth, found from its parent's value.
  /// Returns: the sum of the depths.
  std::uint64_t sum_depths() {
    std::uint64_t sum = 0;
    query.cascade().each([&](Health& own, const Health* parents) {
      own.points = parents != nullptr ? parents->points + 1 : 0;
      sum += static_cast<std::uint64_t>(own.points);
    });
    return sum;
  }
  /// Takes the depths away again, upwards.
  /// Returns: how many entities came after their parent, or with another one's value.
  std::uint32_t count_wrong_upwards() {
    std::uint32_t wrong = 0;
    query.cascade(up).each([&](Health& own, const Health* parents) {
      if (own.points != (parents != nullptr ? parents->points + 1 : 0)) ++wrong;
      own.points = -1;
    });
    return wrong;
  }
};

constexpr std::uint64_t sum_below(std::uint64_t n) {
  return n * (n - 1) / 2;
}

void check_chain(Layout layout) {
  CAPTURE(name_of_layout(layout));
  Chain chain(layout);
  Hierarchy& hierarchy = chain.subject.hierarchy;
  CHECK(hierarchy.depth(chain.bottom) == kLength - 1);
  CHECK(chain.sum_depths() == sum_below(kLength));
  CHECK(chain.count_wrong_upwards() == 0);

  REQUIRE(hierarchy.set_parent(chain.top, chain.elsewhere));
  CHECK(hierarchy.depth(chain.bottom) == kLength);
  CHECK(chain.sum_depths() == sum_below(kLength + 1));
  CHECK(!hierarchy.set_parent(chain.elsewhere, chain.bottom));
  REQUIRE(hierarchy.clear_parent(chain.top));
  CHECK(chain.sum_depths() == sum_below(kLength));

  // Within a level: all but the top change their ancestors, and none its depth.
  REQUIRE(hierarchy.set_parent(chain.second, chain.elsewhere));
  CHECK(chain.sum_depths() == sum_below(kLength));
  REQUIRE(hierarchy.set_parent(chain.second, chain.top));
  CHECK(chain.sum_depths() == sum_below(kLength));

  CHECK(hierarchy.defragment(3 * kLength));
  CHECK(chain.sum_depths() == sum_below(kLength));
  CHECK(chain.subject.broken() == "");
  CHECK(hierarchy.destroy(chain.top, ChildPolicy::destroy));
  CHECK(!chain.subject.store.alive(chain.bottom));
  CHECK(chain.sum_depths() == 0);
  CHECK(chain.subject.broken() == "");
}

void check_layout_change(Layout from, Layout to) {
  CAPTURE(name_of_layout(from));
  CAPTURE(name_of_layout(to));
  Chain chain(from);
  chain.subject.hierarchy.set_layout(chain.top, to);
  CHECK(chain.subject.hierarchy.layout_below(chain.bottom) == to);
  CHECK(chain.sum_depths() == sum_below(kLength));
  CHECK(chain.subject.broken() == "");
  CHECK(chain.subject.hierarchy.destroy_children(chain.top) == 1);
  CHECK(!chain.subject.store.alive(chain.bottom));
}

}  // namespace

TEST_SUITE("hierarchy/chain") {
  TEST_CASE("a long chain is cascaded over, moved and destroyed, a table per parent") {
    check_chain(Layout::per_parent);
  }
  TEST_CASE("a long chain is cascaded over, moved and destroyed, a table per level") {
    check_chain(Layout::per_level);
  }
  TEST_CASE("a long chain is cascaded over, moved and destroyed, in adaptive tables") {
    check_chain(Layout::adaptive);
  }
  TEST_CASE("a long chain changes its layout") {
    check_layout_change(Layout::per_parent, Layout::per_level);
    check_layout_change(Layout::per_level, Layout::per_parent);
  }
}

}  // namespace strata::test::chain_test
