#include "../../hierarchy/origins/origin_keeper.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "../support/model_test.hpp"
#include "subject.hpp"

namespace strata::test::origin_keeper_test {

using namespace detail;

namespace {

/// What is kept of a row, found without the code that reads it.
Place kept_place(const Origins& origins, std::uint32_t row) {
  if (origins.form == Origins::Form::places) {
    return {const_cast<Block*>(origins.blocks()[row]), origins.rows()[row]};
  }
  for (const OriginSegment& segment : origins.segments()) {
    if (row >= segment.first + segment.count) continue;
    if (row < segment.first) break;
    auto* const block = const_cast<Block*>(segment.origin);
    if (origins.form == Origins::Form::rows) return {block, origins.rows()[row]};
    const OriginGroup* group = origins.groups() + segment.first_group;
    for (std::uint32_t end = segment.first + group->count; end <= row; end += group->count) ++group;
    return {block, group->origin};
  }
  return {nullptr, 0};
}

struct Fixture : Subject {
  Query<const Health, Parent<const Health>> query{store, &hierarchy.parents()};

  explicit Fixture(Layout layout = Layout::per_level, std::uint32_t large_family = 256,
                   Defragmentation defragmentation = Defragmentation::manual)
      : Subject(layout, large_family, defragmentation) {}

  struct Cost {
    std::uint64_t blocks;
    std::uint64_t rows;
  };

  /// Has origins found; returns what that took.
  Cost prepare() {
    const PlanCost before = query.matcher().plan_cost();
    query.cascade().each([](const Health&, const Health*) {});
    const PlanCost& after = query.matcher().plan_cost();
    return {after.patches - before.patches, after.patched_rows - before.patched_rows};
  }

  /// Creates as many parents in each of two tables, and a family of each.
  std::vector<Entity> create_families(std::size_t parents, std::size_t children) {
    std::vector<Entity> all;
    for (std::size_t i = 0; i < 2 * parents; ++i) all.push_back(create({}, 0, i >= parents));
    for (const Entity parent : all) {
      for (std::size_t i = 0; i < children; ++i) create(parent, 0);
    }
    prepare();
    return all;
  }
  Entity first_child(Entity parent) const { return *hierarchy.children(parent).begin(); }
  void move(Entity child, Entity parent) { REQUIRE(hierarchy.set_parent(child, parent)); }

  const Origins& origins(Entity entity) const {
    const Origins* const kept = Relation::find_origins(*store.slots().find(entity).block);
    REQUIRE(kept != nullptr);
    return *kept;
  }

  /// Returns: the first row of a level whose origin is kept and is not its parent's place, as a sentence.
  std::string wrong() {
    std::string complaint;
    store.tables().for_each([&](const Table& table) {
      for (const Block* block = table.first_block(); block != nullptr; block = block->next) {
        const Origins* const kept = Relation::find_origins(*block);
        for (std::uint32_t row = 0; kept != nullptr && row < block->count; ++row) {
          const Entity entity = block->format->entities(*block)[row];
          const Place expected = store.slots().find(hierarchy.parent(entity));
          const Place place = kept_place(*kept, row);
          if (place.block != expected.block || place.row != expected.row)
            complaint = "the origin kept for entity " + to_string(entity) + " is not its parent's place";
        }
      }
    });
    return complaint.empty() ? broken() : complaint;
  }
};

/// A tree large enough that its blocks have all forms of origins, changed here and there.
class KeeperTest {
 public:
  KeeperTest(Bytes& bytes, Log& log, Layout layout, Defragmentation defragmentation, std::size_t fan_out)
      : subject_(layout, 64, defragmentation), bytes_(bytes), log_(log) {
    for (std::size_t i = 0; i < 600; ++i) {
      const Entity parent = i < 8 ? Entity() : entities_[(i - 8) / fan_out];
      entities_.push_back(subject_.create(parent, 0, i % 7 == 0));
    }
  }

  Disagreement turn() {
    const std::size_t changes = bytes_.chance(6) ? 1 + bytes_.below(60) : 1 + bytes_.below(3);
    const std::size_t kind = bytes_.below(9);
    const std::size_t step = 1 + bytes_.below(997);
    std::size_t at = bytes_.below(65536);
    for (std::size_t i = 0; i < changes; ++i, at += step) {
      change(kind, entities_[at % entities_.size()], entities_[at * 31 % entities_.size()]);
    }
    if (bytes_.chance(3)) return {};
    const std::size_t calm = bytes_.chance(8) ? 12 : 1;
    const bool due = bytes_.chance(8);
    log_("cascade ", calm, " times", due ? ", defragmentation if that is automatic" : "");
    if (due) subject_.make_defragmentation_due();
    for (std::size_t i = 0; i < calm; ++i) {
      if (i != 0) subject_.store.rows().changes().add_one();  // As if something had changed elsewhere.
      subject_.prepare();
    }
    const std::string wrong = subject_.wrong();
    return wrong.empty() ? Disagreement() : wrong;
  }

 private:
  void change(std::size_t kind, Entity entity, Entity other) {
    log_("change ", kind, " of ", entity, " and ", other);
    Hierarchy& hierarchy = subject_.hierarchy;
    if (kind <= 2) {
      static_cast<void>(hierarchy.set_parent(entity, other));
    } else if (kind == 3) {
      // Within the level, where it can be.
      const Entity sibling = hierarchy.parent(other);
      if (sibling) static_cast<void>(hierarchy.set_parent(entity, sibling));
    } else if (kind == 4) {
      if (subject_.store.alive(entity)) subject_.toggle_tag(entity);
    } else if (kind == 5) {
      hierarchy.destroy(entity, ChildPolicy::orphan);
    } else if (kind == 6) {
      if (hierarchy.child_count(entity) == 0) hierarchy.destroy(entity, ChildPolicy::destroy);
    } else if (kind == 7) {
      hierarchy.defragment(30);
    } else {
      entities_.push_back(subject_.create(subject_.store.alive(other) ? other : Entity(), 0));
    }
  }

  Fixture subject_;
  Bytes& bytes_;
  Log& log_;
  std::vector<Entity> entities_;
};

Disagreement origins_agree(Bytes& bytes, Log& log) {
  if (!bytes.turn()) return {};
  const Layout layout = bytes.chance(2) ? Layout::per_level : Layout::adaptive;
  const Defragmentation defragmentation =
      bytes.chance(2) ? Defragmentation::automatic : Defragmentation::manual;
  KeeperTest test(bytes, log, layout, defragmentation, 1 + bytes.below(9));
  while (bytes.turn()) {
    if (Disagreement wrong = test.turn()) return wrong;
  }
  return {};
}

}  // namespace

TEST_SUITE("hierarchy/origin_keeper") {
  TEST_CASE_FIXTURE(Fixture, "a child with another parent is one row, in groups too") {
    const std::vector<Entity> parents = create_families(20, 10);
    const Entity child = first_child(parents[3]);
    CHECK(origins(child).form == Origins::Form::groups);
    CHECK(origins(child).segments().size() == 2);
    move(child, parents[30]);
    const Cost cost = prepare();
    CHECK(cost.blocks == 1);
    CHECK(cost.rows == 1);
    CHECK(origins(child).form == Origins::Form::groups);
    CHECK(origins(child).segments().size() == 4);
    CHECK(wrong() == "");
    move(child, parents[3]);
    CHECK(prepare().rows == 1);
    CHECK(origins(child).segments().size() == 2);
    CHECK(wrong() == "");
  }
  TEST_CASE_FIXTURE(Fixture, "a child with another parent is one row where rows are kept one by one") {
    const std::vector<Entity> parents = create_families(100, 2);
    const Entity child = first_child(parents[3]);
    CHECK(origins(child).form == Origins::Form::rows);
    for (const std::size_t to : {std::size_t{5}, std::size_t{150}, std::size_t{3}}) {
      move(child, parents[to]);
      CHECK(prepare().rows == 1);
      CHECK(origins(child).segments().size() == (to == 150 ? 4 : 2));
      CHECK(wrong() == "");
    }
    CHECK(prepare().blocks == 0);
  }
  TEST_CASE_FIXTURE(Fixture, "a parent that moves is as many rows as it has children") {
    const std::vector<Entity> parents = create_families(20, 10);
    toggle_tag(parents[19]);  // The last row of its table: no other row moves.
    const Cost cost = prepare();
    CHECK(cost.blocks == 1);
    CHECK(cost.rows == 10);
    CHECK(wrong() == "");
  }
  TEST_CASE_FIXTURE(Fixture, "many changes make places, which become runs again when it is calm") {
    const std::vector<Entity> parents = create_families(100, 10);
    const Entity child = first_child(parents[0]);
    for (std::size_t i = 0; i < 60; ++i) move(first_child(parents[i]), parents[199 - i]);
    CHECK(prepare().rows == 60);
    CHECK(origins(child).form == Origins::Form::places);
    CHECK(wrong() == "");
    // Reading origins that are right changes nothing.
    for (int i = 0; i < 12; ++i) CHECK(prepare().rows == 0);
    CHECK(origins(child).form == Origins::Form::places);
    for (int i = 0; i < 12; ++i) {
      store.rows().changes().add_one();  // Something changes elsewhere.
      CHECK(prepare().rows == 0);
    }
    CHECK(origins(child).form != Origins::Form::places);
    CHECK(wrong() == "");
  }
  TEST_CASE_FIXTURE(Fixture,
                    "nothing is kept where parents lie all over, until rows have been brought together") {
    std::vector<Entity> parents;
    for (int i = 0; i < 80; ++i) parents.push_back(create({}, 0, i % 2 == 0));
    for (const Entity parent : parents) create(parent, 0);
    CHECK(prepare().rows == 80);
    const Block& block = *store.slots().find(first_child(parents[0])).block;
    CHECK(Relation::find_origins(block) == nullptr);
    CHECK(prepare().rows == 0);
    move(first_child(parents[3]), parents[5]);
    CHECK(prepare().rows == 0);
    CHECK(Relation::find_origins(block) == nullptr);
    CHECK(hierarchy.defragment(1000));
    prepare();
    CHECK(origins(first_child(parents[0])).are_runs());
    CHECK(wrong() == "");
  }
  TEST_CASE_FIXTURE(Fixture, "where more than a quarter of the rows has changed, all are found anew") {
    const std::vector<Entity> parents = create_families(20, 10);
    for (std::size_t i = 0; i < 11; ++i) toggle_tag(parents[19 - i]);
    const Cost cost = prepare();
    CHECK(cost.blocks == 1);
    CHECK(cost.rows == 400);
    CHECK(wrong() == "");
  }
  TEST_CASE_FIXTURE(Fixture, "rows that are gone from the end are cut off, and patch nothing") {
    for (const std::size_t children : {std::size_t{2}, std::size_t{10}}) {
      const std::vector<Entity> parents = create_families(40, children);
      for (std::size_t i = 0; i < 15; ++i) {
        const Block& level = *store.slots().find(first_child(parents[0])).block;
        hierarchy.destroy(level.format->entities(level)[level.count - 1], ChildPolicy::destroy);
        CHECK(prepare().blocks == 0);
        CHECK(origins(first_child(parents[0])).count == level.count);
        CHECK(wrong() == "");
      }
      for (const Entity parent : parents) hierarchy.destroy(parent, ChildPolicy::destroy);
    }
  }
  TEST_CASE_FIXTURE(Fixture, "rows that come from another table are found one by one") {
    const std::vector<Entity> parents = create_families(20, 10);
    const Entity tagged = create(parents[0], 0, true);
    prepare();
    toggle_tag(tagged);
    const Cost cost = prepare();
    CHECK(cost.blocks == 1);
    CHECK(cost.rows == 1);
    CHECK(origins(tagged).count == 401);
    CHECK(wrong() == "");
  }
  TEST_CASE_FIXTURE(Fixture, "changes without memory to keep them fail, and are found by the next cascade") {
    const std::vector<Entity> parents = create_families(100, 3);
    for (std::size_t i = 0; i < 40; ++i) move(first_child(parents[i]), parents[199 - i]);
    const std::size_t failures = sweep_out_of_memory(
        memory, [&] { prepare(); }, [&] { CHECK(broken() == ""); });
    CHECK(failures > 0);
    CHECK(wrong() == "");
  }
  STRATA_MODEL_TEST("what is kept is where the parents are, whatever has changed", origins_agree, .runs = 60,
                    .turns = 60);
}

}  // namespace strata::test::origin_keeper_test
