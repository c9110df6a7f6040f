#include "strata/zstd/zstd.hpp"

#include <doctest/doctest.h>
#include <strata/strata.hpp>

#include <sstream>
#include <string>
#include <vector>

#include "../support/refusal.hpp"
#include "../support/saved_chunks.hpp"
#include "saving_turns.hpp"

namespace strata::test::zstd_test {

namespace {

std::string saved(const World& world, const Codec* codec) {
  std::ostringstream out;
  const Outcome done = save(world, out, {.codec = codec});
  REQUIRE_MESSAGE(done, done.message());
  return out.str();
}
LoadedWorld loaded(const std::string& bytes, const World& known, const Codec* codec) {
  std::istringstream in(bytes);
  return load(in, known, {.codec = codec});
}

Disagreement compressed_worlds_come_back(Bytes& bytes, Log& log) {
  World world({.layout = static_cast<Layout>(bytes.below(3)), .large_family = 3});
  make_known(world);
  std::vector<Entity> entities;
  while (bytes.turn()) {
    if (!bytes.chance(10)) {
      apply_turn(entities, bytes, log, world);
      continue;
    }
    log("save and load");
    std::string file = saved(world, &zstd_codec);
    const LoadedWorld copy = loaded(file, world, &zstd_codec);
    if (!copy.outcome) return copy.outcome.message();
    if (digest(copy.world) != digest(world)) return "the digest is another one";
    const LoadedWorld plain = loaded(saved(world, nullptr), world, nullptr);
    if (saved(copy.world, &zstd_codec) != saved(plain.world, &zstd_codec))
      return "the copy is saved otherwise";
    file[bytes.below(file.size())] ^= static_cast<char>(1 + bytes.below(255));
    repair_chunks(file);
    const LoadedWorld other = loaded(file, world, &zstd_codec);
    if (const Outcome sound = other.world.validate(); !sound) return sound.message();
  }
  return {};
}

}  // namespace

TEST_SUITE("api/zstd") {
  STRATA_MODEL_TEST("a compressed world comes back, and a damaged one is refused or sound",
                    compressed_worlds_come_back, .runs = 40, .turns = 80);

  TEST_CASE("a file that zstd compresses is smaller, and says what it needs") {
    World world;
    for (int i = 0; i < 50'000; ++i) world.create(Price{i % 10, 0.5}, Speed{1, 2});
    const std::string plain = saved(world, nullptr);
    const std::string small = saved(world, &zstd_codec);
    CHECK(small.size() * 10 < plain.size());
    CHECK(digest(loaded(small, world, &zstd_codec).world) == digest(world));
    CHECK(says(loaded(small, world, nullptr).outcome.message(),
               "it is compressed with \"zstd\": pass that codec in LoadOptions::codec; strata/zstd/zstd.hpp "
               "has the one of zstd"));
  }
  TEST_CASE("a value of many equal bytes is not compressed more than a reader allows") {
    World world;
    Item item;
    item.label = std::string(20'000'000, 'x');
    const Entity entity = world.create(item);
    const std::string bytes = saved(world, &zstd_codec);
    CHECK(bytes.size() < 200'000);
    const LoadedWorld copy = loaded(bytes, world, &zstd_codec);
    REQUIRE_MESSAGE(copy.outcome, copy.outcome.message());
    CHECK(copy.world.get<Item>(entity).label == item.label);
  }
}

}  // namespace strata::test::zstd_test
