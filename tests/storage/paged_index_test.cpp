#include "../../storage/side_store/paged_index.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "../support/failing_memory.hpp"

namespace strata::test::paged_index_test {

using namespace detail;

namespace {

struct IndexFixture {
  FailingMemory memory;
  Memberships joined{std::pmr::new_delete_resource()};
  PagedIndex index;
  std::vector<Entity> members;

  explicit IndexFixture(std::uint32_t entries_per_page)
      : index((joined.reserve_pools(1), entries_per_page), &joined, 0, &memory) {}

  void enter(std::uint32_t at) {
    index.reserve(at);
    REQUIRE(index.try_enter(at, static_cast<std::uint32_t>(members.size())));
    members.emplace_back(at, 1);
  }
  void leave_last() {
    index.leave(members.back().index());
    members.pop_back();
  }
  std::string broken() const { return index.check_invariants(members); }
};

}  // namespace

TEST_SUITE("storage/paged_index") {
  TEST_CASE("an entry without a page is absent, like one on a page that was never set") {
    IndexFixture f(64);
    CHECK(f.index.find(0) == PagedIndex::kAbsent);
    CHECK(f.index.find(0xFFFF'FFFF) == PagedIndex::kAbsent);
    CHECK(!f.index.try_enter(3, 0));
    f.enter(1000);
    for (const std::uint32_t at : {0u, 999u, 1001u, 1024u, 5000u})
      CHECK(f.index.find(at) == PagedIndex::kAbsent);
    CHECK(f.index.find(1000) == 0);
    CHECK(!f.index.try_enter(0, 1));
    CHECK(!f.index.try_enter(1000, 1));
    f.index.move(1000, 7);
    CHECK(f.index.find(1000) == 7);
  }
  TEST_CASE("pages of every size come with their first member and go with their last, but for one") {
    for (const std::uint32_t entries : {64u, 256u, 4096u, 65'536u}) {
      CAPTURE(entries);
      IndexFixture f(entries);
      constexpr std::size_t kArrays = 2;
      for (std::uint32_t page = 0; page < 5; ++page) f.enter(page * entries + page);
      CHECK(f.memory.blocks() == kArrays + 5);
      CHECK(f.index.reserved() == f.memory.bytes());
      CHECK(f.broken() == "");
      while (f.members.size() > 2) f.leave_last();
      CHECK(f.memory.blocks() == kArrays + 2 + 1);
      const std::size_t allocations = f.memory.allocations();
      f.enter(9 * entries % (5 * entries));
      f.leave_last();
      CHECK(f.memory.allocations() == allocations);
      CHECK(f.broken() == "");
      f.index.clear(f.members);
      f.members.clear();
      CHECK(f.broken() == "");
      f.index.shrink();
      CHECK(f.memory.bytes() == 0);
      CHECK(f.index.reserved() == 0);
      CHECK(f.broken() == "");
    }
  }
  TEST_CASE("an index keeps that it was entered once its entry is gone") {
    IndexFixture f(64);
    f.enter(130);
    CHECK(f.joined.contains(130, Memberships::Mark(0)));
    f.leave_last();
    CHECK(f.joined.contains(130, Memberships::Mark(0)));
    CHECK(!f.joined.contains(131, Memberships::Mark(0)));
  }
  TEST_CASE("out of memory leaves every entry as it was") {
    IndexFixture f(64);
    f.enter(1);
    const std::size_t failures = sweep_out_of_memory(
        f.memory, [&] { f.index.reserve(70'000); }, [&] { CHECK(f.broken() == ""); });
    CHECK(failures == 2);
    CHECK(f.index.has_page(70'000));
    CHECK(f.index.find(1) == 0);
  }
  TEST_CASE(
      "of many, those that are entered are listed, and those that are not, on one page and on several") {
    IndexFixture f(64);
    for (const std::uint32_t at : {3u, 5u, 60u, 70u, 200u}) f.enter(at);
    const auto expect = [&](const std::vector<std::uint32_t>& indices) {
      std::vector<Entity> asked;
      std::vector<std::uint32_t> entered;
      std::vector<std::uint32_t> others;
      for (const std::uint32_t index : indices) {
        const auto number = static_cast<std::uint32_t>(asked.size());
        (f.index.find(index) != PagedIndex::kAbsent ? entered : others).push_back(number);
        asked.emplace_back(index, 1);
      }
      std::vector<std::uint32_t> listed(asked.size());
      const auto first = [&](std::uint32_t count) {
        return std::vector<std::uint32_t>(listed.begin(), listed.begin() + count);
      };
      CHECK(first(f.index.list_many<true>(asked, listed.data())) == entered);
      CHECK(first(f.index.list_many<false>(asked, listed.data())) == others);
    };
    expect({});
    expect({1, 3, 4, 5, 60});
    expect({3, 70, 5});
    expect({3, 4, 70, 100, 200, 10'000});
    expect({10'000, 3});
  }
}

}  // namespace strata::test::paged_index_test
