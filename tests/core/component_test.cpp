#include "../../core/component.hpp"

#include <doctest/doctest.h>

#include <array>
#include <new>
#include <string>

#include "../support/components.hpp"

using namespace strata;
using namespace strata::test;

namespace {

template <class A, class B>
struct Pair {};

struct ThrowsWhenMoved {
  ThrowsWhenMoved() = default;
  ThrowsWhenMoved(ThrowsWhenMoved&&) noexcept(false) {}
};

static_assert(Component<Position> && Component<Owner> && Component<Wide> && Component<Frozen>);
static_assert(!Component<ThrowsWhenMoved>);
static_assert(!Component<const Position> && !Component<Position&> && !Component<Position*> &&
              !Component<int[3]>);
static_assert(storage_of<Position> == Storage::table && storage_of<SparsePosition> == Storage::sparse);

template <class T>
ComponentDescription sound(T change) {
  ComponentDescription description = describe<Position>();
  change(description);
  return description;
}

}  // namespace

TEST_SUITE("core/component") {
  TEST_CASE("a type describes itself") {
    const ComponentDescription position = describe<Position>();
    CHECK(position.name == "strata::test::Position");
    CHECK(position.size == sizeof(Position));
    CHECK(position.alignment == alignof(Position));
    CHECK(position.storage == Storage::table);
    CHECK(describe<SparsePosition>().storage == Storage::sparse);
    CHECK(describe<Wide>().alignment == 64);
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
    const ComponentDescription counted = describe<Counted>();
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
    const ComponentDescription raw{.name = "raw", .size = 4, .alignment = 4};
    std::array<int, 2> from{1, 2};
    std::array<int, 2> to{};
    raw.relocate_values(to.data(), from.data(), 2);
    raw.destroy_values(to.data(), 2);
    CHECK(to == from);
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
  }
}
