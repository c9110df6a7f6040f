#include "../../core/component.hpp"

#include <doctest/doctest.h>

#include <array>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "../../core/entity_map.hpp"
#include "../support/components.hpp"
#include "../support/fragile.hpp"

namespace strata::test::component_test {

namespace {

template <class A, class B>
struct Pair {};

struct ThrowsWhenMoved {
  ThrowsWhenMoved() = default;
  ThrowsWhenMoved(ThrowsWhenMoved&&) noexcept(false) {}
};

struct OnlyOne {
  int number = 0;
  OnlyOne() = default;
  OnlyOne(OnlyOne&&) = default;
};

// Has a copy constructor that does not compile.
struct Claims {
  std::vector<std::unique_ptr<int>> values;
};

struct WithMember {
  Entity target;
  void remap_entities(const EntityMap& map) { target = map(target); }
};

struct WithFunction {
  Entity target;
};
void remap_entities(WithFunction& value, const EntityMap& map) {
  value.target = map(value.target);
}

}  // namespace

}  // namespace strata::test::component_test

template <>
inline constexpr bool strata::is_copyable<strata::test::component_test::Claims> = false;
template <>
inline constexpr strata::PoolOptions strata::pool_options_of<strata::test::component_test::OnlyOne> = {
    .removal = strata::Removal::stable, .entries_per_page = 256};

namespace strata::test::component_test {

namespace {

static_assert(Component<Position> && Component<Owner> && Component<Wide> && Component<Frozen>);
static_assert(!Component<ThrowsWhenMoved>);
static_assert(!Component<const Position> && !Component<Position&> && !Component<Position*> &&
              !Component<int[3]>);
static_assert(storage_of<Position> == Storage::table && storage_of<SparsePosition> == Storage::sparse);

template <class T>
ComponentInfo sound(T change) {
  ComponentInfo description = describe<Position>();
  change(description);
  return description;
}

}  // namespace

TEST_SUITE("core/component") {
  TEST_CASE("a type describes itself") {
    const ComponentInfo position = describe<Position>();
    CHECK(position.name == "strata::test::Position");
    CHECK(position.size == sizeof(Position));
    CHECK(position.alignment == alignof(Position));
    CHECK(position.storage == Storage::table);
    CHECK(describe<SparsePosition>().storage == Storage::sparse);
    CHECK(describe<Wide>().alignment == 64);
  }
  TEST_CASE("a type chooses the options of its pool") {
    CHECK(describe<Position>().pool == PoolOptions{});
    CHECK(describe<OnlyOne>().pool.removal == Removal::stable);
    CHECK(describe<OnlyOne>().pool.entries_per_page == 256);
    CHECK(describe<OnlyOne>().pool.value_page_bytes == 16 * 1024);
  }
  TEST_CASE("options of a pool that make no sense are refused, with the name of the component") {
    ComponentInfo odd{.name = "odd", .size = 4, .alignment = 4, .storage = Storage::sparse};
    for (const std::uint32_t entries : {64u, 4096u, 65'536u}) {
      odd.pool.entries_per_page = entries;
      CHECK(check_description(odd) == "");
    }
    for (const std::uint32_t entries : {0u, 1u, 32u, 100u, 4097u, 131'072u, 0xFFFF'FFFFu}) {
      odd.pool.entries_per_page = entries;
      CHECK(check_description(odd) == "component \"odd\" asks for pages of " + std::to_string(entries) +
                                          " entries, which is not a power of two from 64 to 65536");
    }
    odd.pool = {};
    for (const std::uint32_t bytes : {0u, 63u, 1000u, 1u << 25, 0xFFFF'FFFFu}) {
      odd.pool.value_page_bytes = bytes;
      CHECK(check_description(odd) ==
            "component \"odd\" asks for pages of " + std::to_string(bytes) +
                " bytes of values, which is not a power of two from 64 to 16777216");
    }
    odd.pool = {.removal = static_cast<Removal>(7)};
    CHECK(check_description(odd) == "component \"odd\" names an unknown way of removal from its pool");
  }
  TEST_CASE("an empty type is a tag without a size") {
    CHECK(describe<Frozen>().is_tag());
    CHECK(!describe<Health>().is_tag());
  }
  TEST_CASE("two types never share a name") {
    CHECK(name_of<Pair<int[2], Position>> != name_of<Pair<int[2], Velocity>>);
    CHECK(name_of<Pair<Position, int>> != name_of<Pair<Position, long>>);
  }
  TEST_CASE("relocating moves each value and ends the old one") {
    const CountedScope scope;
    const ComponentInfo counted = describe<Counted>();
    struct Room {
      alignas(Counted) std::byte bytes[3 * sizeof(Counted)];
    };
    Room from;
    Room to;
    auto* values = reinterpret_cast<Counted*>(from.bytes);
    for (int i = 0; i < 3; ++i) new (values + i) Counted(i);
    counted.relocate_values(to.bytes, from.bytes, 3);
    CHECK(scope.leaked() == 3);
    for (int i = 0; i < 3; ++i) CHECK(reinterpret_cast<Counted*>(to.bytes)[i].value() == i);
    counted.destroy_values(to.bytes, 3);
    CHECK(scope.clean());
  }
  TEST_CASE("a description without operations is moved as bytes") {
    const ComponentInfo raw{.name = "raw", .size = 4, .alignment = 4};
    std::array<int, 2> from{1, 2};
    std::array<int, 2> to{};
    raw.relocate_values(to.data(), from.data(), 2);
    raw.destroy_values(to.data(), 2);
    CHECK(to == from);
  }
  TEST_CASE("a type says whether and how it is copied") {
    CHECK(describe<Position>().can_copy());
    CHECK(!describe<Position>().copy);
    CHECK(bool{describe<Counted>().copy != nullptr});
    CHECK(describe<Frozen>().can_copy());
    CHECK(!describe<Owner>().can_copy());
    CHECK(!describe<OnlyOne>().can_copy());
    CHECK(!describe<Claims>().can_copy());
  }
  TEST_CASE("a described component without a copy is bytes only if it moves and ends as bytes") {
    ComponentInfo raw{.name = "raw", .size = 4, .alignment = 4};
    CHECK(raw.can_copy());
    raw.destroy = describe<Counted>().destroy;
    CHECK(!raw.can_copy());
    raw.copy = describe<Counted>().copy;
    CHECK(raw.can_copy());
    CHECK(check_description(raw).empty());
    raw.copyable = false;
    CHECK(!raw.can_copy());
    CHECK(!check_description(raw).empty());
  }
  TEST_CASE("copying builds values beside those that stay, and a copy that throws leaves none") {
    const CountedScope scope;
    const ComponentInfo description = describe<Fragile>();
    struct Room {
      alignas(Fragile) std::byte bytes[3 * sizeof(Fragile)];
    };
    Room from;
    Room to;
    for (int i = 0; i < 3; ++i) new (reinterpret_cast<Fragile*>(from.bytes) + i) Fragile(i);
    const std::size_t failures = sweep_throwing_copies(
        [&] { description.copy_values(to.bytes, from.bytes, 3); }, [&] { CHECK(scope.leaked() == 3); });
    CHECK(failures == 3);
    for (int i = 0; i < 3; ++i) CHECK(reinterpret_cast<Fragile*>(to.bytes)[i].value() == i);
    description.destroy_values(to.bytes, 3);
    description.destroy_values(from.bytes, 3);
    CHECK(scope.clean());
  }
  TEST_CASE("a reference is replaced by a member or by a function beside the type") {
    const std::array originals{Entity(0, 1)};
    const std::array copies{Entity(1, 1)};
    const std::array<std::uint32_t, 1> positions{0};
    const EntityMap map(originals, copies, positions);
    std::array<WithMember, 2> members{WithMember{Entity(0, 1)}, WithMember{Entity(7, 1)}};
    describe<WithMember>().remap(members.data(), 2, map);
    CHECK(members[0].target == Entity(1, 1));
    CHECK(members[1].target == Entity(7, 1));
    WithFunction function{Entity(0, 1)};
    describe<WithFunction>().remap(&function, 1, map);
    CHECK(function.target == Entity(1, 1));
    CHECK(!describe<Position>().remap);
  }
  TEST_CASE("what is wrong with a description is said in a sentence that names it") {
    CHECK(check_description(describe<Position>()).empty());
    const auto complaint = [](auto change) { return check_description(sound(change)); };
    CHECK(!complaint([](auto& d) { d.name.clear(); }).empty());
    const std::string alignment = complaint([](auto& d) { d.alignment = 3; });
    CHECK(alignment.find("strata::test::Position") != std::string::npos);
    CHECK(!complaint([](auto& d) { d.alignment = 0; }).empty());
    CHECK(!complaint([](auto& d) { d.size = 13; }).empty());
    CHECK(!complaint([](auto& d) { d.size = std::size_t{1} << 40; }).empty());
    CHECK(!complaint([](auto& d) { d.storage = static_cast<Storage>(9); }).empty());
    CHECK(!complaint([](auto& d) { d.tracking = static_cast<Tracking>(9); }).empty());
  }
  TEST_CASE("changes are tracked of values in tables alone") {
    ComponentInfo described{.name = "raw", .size = 4, .alignment = 4, .tracking = Tracking::rows};
    CHECK(check_description(described).empty());
    described.storage = Storage::sparse;
    CHECK(check_description(described).find("\"raw\"") != std::string::npos);
    described.storage = Storage::table;
    described.size = 0;
    CHECK(check_description(described).find("tag") != std::string::npos);
    CHECK(describe<Position>().tracking == Tracking::none);
  }
}

}  // namespace strata::test::component_test
