#include "../../bench/scene/comparison.hpp"

#include <doctest/doctest.h>

#include "../../bench/scene/gltf_reader.hpp"

namespace scene::test {
namespace {

constexpr unsigned kFrame = 17;

/// A node's world transform from its chain of ancestors alone.
Affine expected_world(const Forest& forest, NodeIndex node) {
  Affine world(1.0F);
  for (; forest.parents[node] != kNoParent; node = forest.parents[node])
    world = compose(forest.locals[node], world);
  return compose(moved(forest.locals[node], kFrame), world);
}

void check_variant(std::unique_ptr<Variant> variant, const Forest& forest) {
  variant->frame(kFrame - 1);
  variant->frame(kFrame);
  const std::vector<Affine> actual = variant->world_transforms();
  REQUIRE(actual.size() == forest.size());
  for (NodeIndex node = 0; node < forest.size(); ++node) {
    CAPTURE(node);
    CHECK(relative_difference(expected_world(forest, node), actual[node]) <= kTolerance);
  }
}

Forest three_rovers() {
  return instanced(read_gltf(STRATA_SOURCE_ROOT "/bench/scenes/rover.gltf").forest, 3);
}

TEST_SUITE("bench/variants") {
  TEST_CASE("every variant computes the world transforms of this frame, not of the last") {
    const Forest forest = three_rovers();
    SUBCASE("tables default") {
      check_variant(make_tables(forest, strata::Layout::adaptive), forest);
    }
    SUBCASE("tables per_parent") {
      check_variant(make_tables(forest, strata::Layout::per_parent), forest);
    }
    SUBCASE("tables per_level") {
      check_variant(make_tables(forest, strata::Layout::per_level), forest);
    }
    SUBCASE("side store") {
      check_variant(make_side_store(forest), forest);
    }
    SUBCASE("arrays") {
      check_variant(make_arrays(forest), forest);
    }
  }

  TEST_CASE("several threads compute the world transforms of this frame, too, if levels are wide") {
    const Forest forest = instanced(read_gltf(STRATA_SOURCE_ROOT "/bench/scenes/rover.gltf").forest, 700);
    check_variant(make_tables(forest, strata::Layout::adaptive, 3), forest);
    check_variant(make_arrays(forest, 3), forest);
  }

  TEST_CASE("a table per level is fewer than a table per family, and the limit has none") {
    const Forest forest = three_rovers();
    const std::size_t per_parent = make_tables(forest, strata::Layout::per_parent)->footprint().tables;
    const std::size_t per_level = make_tables(forest, strata::Layout::per_level)->footprint().tables;
    CHECK(per_level < per_parent);
    CHECK(make_tables(forest, strata::Layout::adaptive)->footprint().tables < per_parent);
    CHECK(make_arrays(forest)->footprint().tables == 0);
  }

  TEST_CASE("bytes cover at least the two transforms of every node") {
    const Forest forest = three_rovers();
    const std::size_t least = 2 * sizeof(Affine) * forest.size();
    CHECK(make_tables(forest, strata::Layout::per_parent)->footprint().bytes >= least);
    CHECK(make_tables(forest, strata::Layout::per_level)->footprint().bytes >= least);
    CHECK(make_tables(forest, strata::Layout::adaptive)->footprint().bytes >= least);
    CHECK(make_side_store(forest)->footprint().bytes >= least);
    CHECK(make_arrays(forest)->footprint().bytes >= least);
  }

  TEST_CASE("a comparison gives figures of all five, the limit last with a ratio of one") {
    const std::vector<Figures> all = compare(three_rovers(), {9, 1});
    REQUIRE(all.size() == 5);
    for (const Figures& figures : all) {
      CHECK(figures.ns_per_node > 0);
      CHECK(figures.difference <= kTolerance);
    }
    CHECK(all.front().name == "tables default");
    CHECK(all.back().ratio == 1);
  }
}

}  // namespace
}  // namespace scene::test
