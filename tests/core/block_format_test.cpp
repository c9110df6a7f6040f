#include "../../core/block_format.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "../../core/contract.hpp"
#include "../support/components.hpp"
#include "../support/failing_memory.hpp"

namespace strata::test::column_format_test {

using namespace detail;

namespace {

struct Odd {
  char bytes[3];
};

struct Fixture {
  std::pmr::memory_resource* memory = std::pmr::new_delete_resource();
  Registry registry{memory};

  template <class... Ts>
  BlockFormat format() {
    const std::array<ComponentId, sizeof...(Ts)> ids{registry.id_of<Ts>()...};
    return BlockFormat(Signature(ids, memory), registry, memory);
  }
};

}  // namespace

TEST_SUITE("core/block_format") {
  TEST_CASE_FIXTURE(Fixture, "columns start aligned and do not overlap, whatever the capacity") {
    const BlockFormat format = this->format<Odd, Position, Wide, Name, Frozen>();
    for (const std::uint32_t capacity : {1u, 2u, 3u, 4u, 7u, 64u}) {
      std::size_t end = 0;
      for (const Column& column : format.columns()) {
        const std::size_t begin = std::size_t{column.prefix} * capacity;
        CHECK(begin % column.component->alignment == 0);
        const std::size_t entities = std::size_t{format.entity_prefix()} * capacity;
        CHECK((begin == end || (entities == end && begin == end + sizeof(Entity) * capacity)));
        end = begin + std::size_t{column.size} * capacity;
      }
      CHECK(format.entity_prefix() * capacity % alignof(Entity) == 0);
    }
    CHECK(format.row_bytes() == 3 + 12 + 64 + 8 + sizeof(Entity));
    CHECK(format.alignment() == 64);
  }
  TEST_CASE_FIXTURE(Fixture, "a tag is in the format without a column") {
    const BlockFormat format = this->format<Position, Frozen>();
    CHECK(format.contains(registry.id_of<Frozen>()));
    CHECK(format.prefix_of(registry.id_of<Frozen>()) == BlockFormat::kTag);
    CHECK(format.columns().size() == 1);
    CHECK(format.prefix_of(registry.id_of<Velocity>()) == BlockFormat::kAbsent);
  }
  TEST_CASE_FIXTURE(Fixture, "components of any id are found, in memory that does not grow with the ids") {
    std::vector<ComponentId> ids;
    for (std::uint32_t i = 0; i < 20'000; ++i) {
      ids.push_back(
          registry.add({.name = "component " + std::to_string(i), .size = i % 3 * 4, .alignment = 4}));
    }
    FailingMemory counted;
    for (const std::vector<std::uint32_t>& chosen : std::vector<std::vector<std::uint32_t>>{
             {19'999}, {0, 19'999}, {1, 3, 4, 63, 64, 65, 100, 101, 5000, 5001, 6400, 12'800, 19'999}}) {
      std::vector<ComponentId> wanted;
      for (const std::uint32_t index : chosen) wanted.push_back(ids[index]);
      const std::size_t before = counted.bytes();
      const BlockFormat format(Signature(wanted, memory), registry, &counted);
      CHECK(counted.bytes() - before < 300 + wanted.size() * 100);
      std::size_t columns = 0;
      for (const ComponentId id : ids) {
        const bool present = std::find(wanted.begin(), wanted.end(), id) != wanted.end();
        const bool tag = registry[id].is_tag();
        const std::uint32_t prefix = format.prefix_of(id);
        if (format.contains(id) != present || (prefix == BlockFormat::kAbsent) == present ||
            (prefix == BlockFormat::kTag) != (present && tag)) {
          FAIL("component " << to_index(id));
        }
        columns += present && !tag ? 1 : 0;
      }
      CHECK(format.columns().size() == columns);
      for (const Column& column : format.columns()) CHECK(format.prefix_of(column.id) == column.prefix);
      CHECK(format.prefix_of(Registry::kUnknown) == BlockFormat::kAbsent);
      CHECK(!format.contains(Registry::kUnknown));
    }
  }
  TEST_CASE_FIXTURE(Fixture, "a format of nothing has the entities alone") {
    const BlockFormat format = this->format<>();
    CHECK(format.row_bytes() == sizeof(Entity));
    CHECK(!format.contains(registry.id_of<Position>()));
  }
  TEST_CASE_FIXTURE(Fixture, "a value is found by its component and its row") {
    const BlockFormat format = this->format<Position, Name>();
    constexpr std::uint32_t kRows = 4;
    alignas(64) std::array<std::byte, kRows*(12 + 8 + 8)> columns{};
    Block block{};
    block.columns = columns.data();
    block.capacity = kRows;
    const auto offset = [&](void* value) { return static_cast<std::byte*>(value) - columns.data(); };
    CHECK(offset(format.find(block, 1, registry.id_of<Name>())) == 8);
    CHECK(offset(format.find(block, 2, registry.id_of<Position>())) == 4 * (8 + 8) + 2 * 12);
    CHECK(format.find(block, 0, registry.id_of<Velocity>()) == nullptr);
  }
  TEST_CASE_FIXTURE(Fixture, "a full block is large for small rows and small for large ones") {
    CHECK(this->format<Position>().full_capacity() == 16384);
    const ComponentId huge = registry.add({.name = "huge", .size = 1 << 20, .alignment = 8});
    const BlockFormat format(Signature(std::span(&huge, 1), memory), registry, memory);
    CHECK(format.full_capacity() == 16);
  }
  TEST_CASE_FIXTURE(Fixture, "the columns that two formats share are found from the first to the last") {
    const BlockFormat format = this->format<Position, Health, Counted, Name>();
    const BlockFormat other = this->format<Velocity, Health, Frozen, Odd, Counted, Position>();
    SharedColumns shared(other);
    std::size_t found = 0;
    for (const Column& column : format.columns()) {
      const Column* const there = shared.find(column);
      CHECK((there != nullptr) == other.contains(column.id));
      if (there == nullptr) continue;
      CHECK(there->id == column.id);
      CHECK(there->prefix == other.prefix_of(column.id));
      ++found;
    }
    CHECK(found == 3);
    const BlockFormat nothing = this->format<>();
    CHECK(SharedColumns(nothing).find(format.columns().front()) == nullptr);
  }
}

}  // namespace strata::test::column_format_test
