#include "../../core/values/value_bytes.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "../../core/entity_map.hpp"
#include "../../core/values/value_text.hpp"
#include "../support/described.hpp"
#include "../support/failing_memory.hpp"

namespace strata::test::value_bytes_test {

namespace {

struct Alarm {};

using detail::value_type_of;
using strata::to_text;

Item sample() {
  Item item;
  item.label = "a \"lamp\"\n";
  item.sold = true;
  item.colour = Colour::blue;
  item.place = {0.1f, -2};
  item.grid[1][0] = -7;
  item.price = {std::numeric_limits<std::int32_t>::min(), 1e300};
  item.offers = {{1, 0.5}, {2, 0.25}};
  item.note = "";
  item.owner = Entity(3, 1);
  item.watchers = {Entity(), Entity(4, 2)};
  return item;
}

template <class T>
std::vector<std::byte> bytes_of(const T& value) {
  ByteWriter writer;
  detail::write_values(value_type_of<T>(), &value, 1, writer);
  return {writer.written().begin(), writer.written().end()};
}

/// Returns: whether the bytes, and no more, are a value; reads it.
template <class T>
bool read(std::span<const std::byte> bytes, T& value) {
  ByteReader reader(bytes);
  return detail::read_values(value_type_of<T>(), &value, 1, reader) && reader.left() == 0;
}

}  // namespace

}  // namespace strata::test::value_bytes_test

template <>
inline constexpr auto strata::members_of<strata::test::value_bytes_test::Alarm> = strata::Members{};

namespace strata::test::value_bytes_test {

TEST_SUITE("core/value_bytes") {
  TEST_CASE("a value of every kind is written and read again") {
    const Item item = sample();
    Item copy;
    REQUIRE(read(bytes_of(item), copy));
    CHECK(to_text(copy) == to_text(item));
    CHECK(!find_difference(copy, item));
    CHECK(bytes_of(copy) == bytes_of(item));
    Chain chain{{1, 2, 3}};
    Chain other{{9}};
    REQUIRE(read(bytes_of(chain), other));
    CHECK(other.links == chain.links);
  }
  TEST_CASE("bytes that are too few are refused, and change no more than values") {
    const Item item = sample();
    const std::vector<std::byte> bytes = bytes_of(item);
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      Item copy;
      CHECK(!read(std::span(bytes).first(size), copy));
    }
  }
  TEST_CASE("any changed byte is refused, or gives a value that is written again as it was read") {
    const std::vector<std::byte> bytes = bytes_of(sample());
    for (std::size_t at = 0; at < bytes.size(); ++at) {
      for (const unsigned mask : {1u, 2u, 0x80u, 0xFFu}) {
        std::vector<std::byte> changed = bytes;
        changed[at] ^= static_cast<std::byte>(mask);
        Item copy;
        if (read(changed, copy)) CHECK(bytes_of(copy) == changed);
      }
    }
  }
  TEST_CASE("the same value has the same hash, whatever its padding, and another one another") {
    std::array<unsigned char, sizeof(Price)> memory;
    memory.fill(0xAB);
    auto* const price = ::new (memory.data()) Price;
    price->amount = 3;
    price->factor = 2;
    const Price other{3, 2};
    const Price more{3, 2.5};
    const auto hash = [](const Price& value) {
      return detail::hash_values(value_type_of<Price>(), &value, 1);
    };
    CHECK(hash(*price) == hash(other));
    CHECK(hash(other) != hash(more));
    CHECK(hash(other) == 7559257279738945558u);  // On every machine.
  }
  TEST_CASE("a bool of a file is true or false") {
    bool value = false;
    CHECK(!read(std::array{std::byte{2}}, value));
    CHECK(read(std::array{std::byte{1}}, value));
    CHECK(value);
  }
  TEST_CASE("an optional of a type without members is read at the end of the bytes") {
    const std::optional<Alarm> set{Alarm{}};
    std::optional<Alarm> copy;
    CHECK(read(bytes_of(set), copy));
    CHECK(copy.has_value());
    CHECK(read(bytes_of(std::optional<Alarm>()), copy));
    CHECK(!copy.has_value());
    CHECK(!read(std::array{std::byte{2}}, copy));
  }
  TEST_CASE("a type's own function may refuse") {
    Chain chain;
    CHECK(!read(bytes_of(Chain{{-1}}), chain));
  }
  TEST_CASE("a short text does not ask for much memory") {
    std::vector<std::optional<std::array<double, 4000>>> large;
    const std::vector<std::byte> bytes(40'000, std::byte{0});
    std::vector<std::byte> named{std::byte{0xBE}, std::byte{0xB8}, std::byte{2}};  // So many elements.
    named.insert(named.end(), bytes.begin(), bytes.end());
    CHECK(!read(named, large));
    CHECK(large.empty());
  }
  TEST_CASE("bytes that were decompressed from few ask for no more memory than 512 KiB for each of these") {
    std::vector<std::optional<std::array<double, 1'000>>> large;
    std::vector<std::byte> bytes(128'000, std::byte{0});  // As from a file of 1,000 bytes.
    ByteWriter count;
    count.write_size(bytes.size() - 3);
    std::ranges::copy(count.written(), bytes.begin());
    const auto reads = [&](std::size_t stored) {
      large.clear();
      ByteReader reader(bytes, stored);
      return detail::read_values(value_type_of<decltype(large)>(), &large, 1, reader);
    };
    CHECK(!reads(1'000));  // They would take a gigabyte.
    CHECK(large.empty());
    CHECK(reads(3'000));
    CHECK(large.size() == bytes.size() - 3);
  }
  TEST_CASE("handles in members are replaced") {
    Item item = sample();
    const std::vector<Entity> from{Entity(3, 1), Entity(4, 2)};
    const std::vector<Entity> to{Entity(30, 1), Entity(40, 1)};
    const std::vector<std::uint32_t> positions{9, 9, 9, 0, 1};
    detail::remap_references(value_type_of<Item>(), &item, 1, EntityMap(from, to, positions));
    CHECK(item.owner == to[0]);
    CHECK(item.watchers == std::vector{Entity(), to[1]});
    CHECK((describe<Item>().remap != nullptr));
    CHECK((describe<Price>().remap == nullptr));
  }
  TEST_CASE("a type that is described at run time is written as one that is described by its C++ type") {
    const ValueType amount{.kind = ValueKind::integer, .size = 4};
    const ValueType factor{.kind = ValueKind::real, .size = 8};
    const std::vector<ValueMember> members{{"amount", &amount, offsetof(Price, amount)},
                                           {"factor", &factor, offsetof(Price, factor)}};
    const ValueType type{.kind = ValueKind::structure, .size = sizeof(Price), .members = members};
    const Price price{4, 0.1};
    CHECK(detail::find_fault(type).empty());
    CHECK(to_text(type, &price) == to_text(price));
    CHECK(detail::hash_values(type, &price, 1) == detail::hash_values(value_type_of<Price>(), &price, 1));
  }
}

}  // namespace strata::test::value_bytes_test
