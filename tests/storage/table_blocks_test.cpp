#include <doctest/doctest.h>

#include "rows_fixture.hpp"

namespace strata::test::table_blocks_test {

using namespace detail;

TEST_SUITE("storage/table_blocks") {
  TEST_CASE_FIXTURE(RowsFixture, "a cache is replaced by the next one, and freed with its block") {
    Archetype& archetype = this->archetype<Health>();
    const Entity entity = create(archetype);
    create(archetype);
    Block& block = *store.slots().find(entity).block;
    CHECK(block.cache == nullptr);
    const auto attach = [&](std::size_t bytes) {
      store.rows().attach(block, store.rows().create_cache(bytes));
    };
    attach(100);
    const BlockCache* const first = block.cache;
    REQUIRE(first != nullptr);
    CHECK(first->bytes >= 100);
    CHECK(!first->valid);
    const std::size_t failures = sweep_out_of_memory(
        memory, [&] { attach(1'000'000); }, [&] { CHECK(block.cache == first); });
    CHECK(failures > 0);
    CHECK(block.cache->bytes >= 1'000'000);
    const std::size_t before = memory.bytes();
    while (store.slots().find(entity).block == &block) create(archetype);
    CHECK(store.slots().find(entity).block->cache == nullptr);
    CHECK(memory.bytes() < before);
    CHECK(store.check_invariants().empty());
  }
}

}  // namespace strata::test::table_blocks_test
