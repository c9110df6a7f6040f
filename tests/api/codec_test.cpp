#include "../../hierarchy/saving/codec.hpp"

#include <doctest/doctest.h>
#include <strata/strata.hpp>

#include <algorithm>
#include <cstring>
#include <sstream>
#include <string>
#include <vector>

#include "../support/described.hpp"
#include "../support/refusal.hpp"
#include "../support/saved_chunks.hpp"

namespace strata::test::codec_test {

namespace {

/// Compresses bytes that are all equal, and no others.
constexpr Codec kOneByte{.name = "one byte",
                         .compress = [](std::span<const std::byte> from, ByteWriter& to) -> bool {
                           to.write_bytes(from.data(), 1);
                           return std::ranges::all_of(from, [&](std::byte byte) { return byte == from[0]; });
                         },
                         .decompress = [](std::span<const std::byte> from, std::span<std::byte> to) -> bool {
                           if (from.size() != 1) return false;
                           std::ranges::fill(to, from[0]);
                           return true;
                         }};
/// Does not compress, but turns all bits.
constexpr Codec kTurned{.name = "turned",
                        .compress = [](std::span<const std::byte> from, ByteWriter& to) -> bool {
                          for (const std::byte byte : from.subspan(0, from.size() / 2))
                            to.write(static_cast<std::uint8_t>(~byte));
                          return std::equal(from.begin(),
                                            from.begin() + static_cast<std::ptrdiff_t>(from.size() / 2),
                                            from.end() - static_cast<std::ptrdiff_t>(from.size() / 2));
                        },
                        .decompress = [](std::span<const std::byte> from, std::span<std::byte> to) -> bool {
                          if (from.size() * 2 != to.size()) return false;
                          for (std::size_t i = 0; i < to.size(); ++i) to[i] = ~from[i % from.size()];
                          return true;
                        }};

std::vector<std::byte> bytes_of(std::size_t size, int value) {
  return std::vector<std::byte>(size, static_cast<std::byte>(value));
}
std::vector<std::byte> compressed(const Codec& codec, std::span<const std::byte> content) {
  ByteWriter to;
  detail::write_compressed(codec, content, to);
  return {to.written().begin(), to.written().end()};
}
/// Returns: what is read; empty if it is refused.
std::vector<std::byte> read(const Codec& codec, std::span<const std::byte> from) {
  detail::PlainList<std::byte> content(std::pmr::new_delete_resource());
  if (!detail::read_compressed(codec, from, content)) return {};
  return {content.begin(), content.end()};
}

World sample(int entities) {
  World world;
  for (int i = 0; i < entities; ++i) world.create(Price{0, 0});
  return world;
}
std::string saved(const World& world, const Codec* codec) {
  std::ostringstream out;
  REQUIRE(save(world, out, {.codec = codec}));
  return out.str();
}
LoadedWorld loaded(const std::string& bytes, const World& known, const Codec* codec) {
  std::istringstream in(bytes);
  return load(in, known, {.codec = codec});
}

}  // namespace

TEST_SUITE("api/codec") {
  TEST_CASE("what is compressed comes back, and never grows more than the ratio") {
    for (const std::size_t size : {0u, 1u, 127u, 128u, 129u, 1000u, 100'000u, 1'000'000u}) {
      const std::vector<std::byte> content = bytes_of(size, 7);
      const std::vector<std::byte> small = compressed(kOneByte, content);
      CHECK(read(kOneByte, small) == content);
      CHECK(small.size() * detail::kMostRatio >= size);
      CHECK(small.size() <= size + 1);
      if (size >= 1000) CHECK(small.size() <= size / detail::kMostRatio + 20);
    }
    std::vector<std::byte> uneven = bytes_of(1000, 7);
    uneven[500] = std::byte{8};
    CHECK(compressed(kOneByte, uneven).size() == 1001);
    CHECK(read(kOneByte, compressed(kOneByte, uneven)) == uneven);
    CHECK(read(kTurned, compressed(kTurned, bytes_of(1000, 3))) == bytes_of(1000, 3));
  }
  TEST_CASE("sizes that the bytes do not allow are refused before memory is taken") {
    const std::vector<std::byte> sound = compressed(kOneByte, bytes_of(1000, 7));
    for (std::size_t size = 0; size < 17; ++size)
      CHECK(read(kOneByte, std::span(sound).subspan(0, size)).empty());
    const auto with = [&](std::size_t at, std::uint64_t number) {
      std::vector<std::byte> wrong = sound;
      std::memcpy(wrong.data() + at, &number, 8);
      return read(kOneByte, wrong);
    };
    CHECK(with(1, std::uint64_t{1} << 20).empty());
    CHECK(with(1, std::uint64_t{1} << 40).empty());
    CHECK(with(1, ~std::uint64_t{0}).empty());
    CHECK(with(9, 2).empty());
    CHECK(with(9, ~std::uint64_t{0}).empty());
    CHECK(with(1, 900).size() == 900);
    std::vector<std::byte> unknown = sound;
    unknown[0] = std::byte{2};
    CHECK(read(kOneByte, unknown).empty());
  }
  TEST_CASE("a compressed world is read with its codec, and refused without") {
    const World world = sample(3000);
    const std::string bytes = saved(world, &kOneByte);
    const LoadedWorld copy = loaded(bytes, world, &kOneByte);
    REQUIRE_MESSAGE(copy.outcome, copy.outcome.message());
    CHECK(digest(copy.world) == digest(world));
    CHECK(saved(copy.world, nullptr) == saved(world, nullptr));
    CHECK(says(loaded(bytes, world, nullptr).outcome.message(),
               "it is compressed with \"one byte\": pass that codec in LoadOptions::codec"));
    CHECK(says(loaded(bytes, world, &kTurned).outcome.message(), "it is compressed with \"one byte\""));
    CHECK(loaded(saved(world, nullptr), world, &kOneByte).outcome);
  }
  TEST_CASE("parts of worlds are compressed, too") {
    World world = sample(1);
    const Entity root = world.roots().front();
    for (int i = 0; i < 3000; ++i) world.create(child_of(root), Price{0, 0});
    std::ostringstream out;
    std::ostringstream plain;
    REQUIRE(save(world, root, out, {.codec = &kOneByte}));
    REQUIRE(save(world, root, plain));
    CHECK(out.str().starts_with(plain.str().substr(0, 12)));
    CHECK(out.str() != plain.str());
    std::istringstream in(out.str());
    CHECK(says(load_below(world, in).outcome.message(), "it is compressed with \"one byte\""));
    in.clear();
    in.seekg(0);
    const InsertedPart inserted = load_below(world, in, root, {.codec = &kOneByte});
    REQUIRE_MESSAGE(inserted.outcome, inserted.outcome.message());
    CHECK(world.size() == 2 * 3001);
  }
  TEST_CASE("each byte of a compressed world changed, and each length: refused, or a sound world") {
    const World world = sample(40);
    const std::string bytes = saved(world, &kOneByte);
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      CHECK(!loaded(bytes.substr(0, i), world, &kOneByte).outcome);
      for (const int turned : {1, 128}) {
        std::string wrong = bytes;
        wrong[i] = static_cast<char>(wrong[i] ^ turned);
        CHECK(!loaded(wrong, world, &kOneByte).outcome);
        repair_chunks(wrong);
        const LoadedWorld copy = loaded(wrong, world, &kOneByte);
        if (copy.outcome) CHECK(copy.world.validate());
      }
    }
  }
}

}  // namespace strata::test::codec_test
