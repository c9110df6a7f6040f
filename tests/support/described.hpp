// Components of every kind that members_of can describe.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "../../core/component.hpp"
#include "../../core/entity.hpp"

namespace strata::test {

enum class Colour : std::uint8_t { red, green, blue };

struct Price {
  std::int32_t amount = 0;
  double factor = 0;
};

/// Has padding, members of every kind, and a base class with a member.
struct Labelled {
  std::string label;
};
struct Item : Labelled {
  bool sold = false;
  Colour colour = Colour::red;
  std::array<float, 2> place{};
  std::int16_t grid[2][2] = {};
  Price price;
  std::vector<Price> offers;
  std::optional<std::string> note;
  Entity owner;
  std::vector<Entity> watchers;
};

/// Bytes without a meaning of their own.
struct Token {
  std::array<unsigned char, 4> digits{};
};

/// A chain of numbers with functions of its own that write and read it.
struct Chain {
  std::vector<int> links;
};

}  // namespace strata::test

template <>
inline constexpr auto strata::members_of<strata::test::Price> = strata::Members{
    member("amount", &strata::test::Price::amount), member("factor", &strata::test::Price::factor)};
template <>
inline constexpr auto strata::members_of<strata::test::Item> = strata::Members{
    member("label", &strata::test::Item::label),   member("sold", &strata::test::Item::sold),
    member("colour", &strata::test::Item::colour), member("place", &strata::test::Item::place),
    member("grid", &strata::test::Item::grid),     member("price", &strata::test::Item::price),
    member("offers", &strata::test::Item::offers), member("note", &strata::test::Item::note),
    member("owner", &strata::test::Item::owner),   member("watchers", &strata::test::Item::watchers)};
template <>
inline constexpr auto strata::members_of<strata::test::Token> = strata::AsBytes{};
template <>
inline constexpr auto strata::members_of<strata::test::Chain> =
    strata::OwnFormat{[](const strata::test::Chain& chain, strata::ByteWriter& writer) {
                        writer.write_size(chain.links.size());
                        for (const int link : chain.links) writer.write(link);
                      },
                      [](strata::test::Chain& chain, strata::ByteReader& reader) {
                        chain.links.assign(reader.read_count(sizeof(int)), 0);
                        for (int& link : chain.links) link = reader.read<int>();
                        return chain.links.empty() || chain.links.front() >= 0;
                      }};
