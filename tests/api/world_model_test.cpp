#include <doctest/doctest.h>
#include <strata/strata.hpp>

#include "../hierarchy/tree_turns.hpp"
#include "../support/failing_memory.hpp"
#include "world_bulk_turns.hpp"
#include "world_cascades.hpp"
#include "world_code_turns.hpp"
#include "world_knowledge_turns.hpp"
#include "world_mirror.hpp"
#include "world_recorder.hpp"

namespace strata::test::world_model_test {

namespace {

constexpr std::uint32_t kLargeFamily = 4;
constexpr std::size_t kMostEntities = 120;  // The model is slow.

class WorldTest {
 public:
  WorldTest(Layout layout, Defragmentation defragmentation, std::pmr::memory_resource* memory, Bytes& bytes,
            Log& log, WorldMirror& mirror)
      : pair_(WorldOptions{.layout = layout,
                           .memory = memory,
                           .large_family = kLargeFamily,
                           .defragmentation = defragmentation},
              bytes, log),
        turns_(pair_.world, detail::parts_of(pair_.world).store, {layout, kLargeFamily}, pair_.model.tree,
               bytes, log, hostility_),
        mirror_(mirror) {}

  WorldTest(const WorldTest&) = delete;
  WorldTest& operator=(const WorldTest&) = delete;
  ~WorldTest() {
    mirror_.act = [] {};  // The world ends after the queries of `hostility_`.
  }

  /// Has observers keep a copy of the world, which is empty.
  void watch(bool hostile) {
    mirror_.watch(world_);
    if (hostile) mirror_.act = [this] { hostility_.observe(); };
  }

  Disagreement turn() {
    // Cascades run only sometimes, so that what they rely on sees several changes at once.
    cascades_ = bytes_.chance(2);
    hostility_.begin_turn();
    switch (bytes_.below(36)) {
      case 0:
      case 1:
      case 2:
        return create();
      case 3:
        return create_at();
      case 4:
      case 5:
        return add();
      case 6:
        return remove();
      case 7:
      case 8:
        return hostility_.record_outside([&] { return recorder_.record(); });
      case 9:
        return flush();
      case 10:
        return bulk_.shrink();
      case 11:
        return bulk_.change();
      case 12:
        if (model_.tree.size() >= kMostEntities) return create();
        return bytes_.chance(3) ? bulk_.build() : bulk_.create_many();
      case 13:
        return bulk_.change_storage();
      case 14:
        return bulk_.create_root();
      case 15:
      case 16:
        return hostility_.arm();
      case 17:
      case 18:
      case 19:
        return code_.turn();
      case 21:
      case 22:
      case 23:
        return bulk_.change_many();
      case 24:
      case 25:
      case 26:
        return knowledge_.turn();
      case 20:
        return bytes_.chance(4) ? clear() : restore();
      default:
        return change_tree();
    }
  }

  Disagreement compare() {
    turns_.forget_dead();
    if (world_.size() != model_.tree.size()) return "size() is wrong";
    if (Disagreement wrong = mirror_.compare(pair_.seen)) return wrong;
    ++compared_;
    for (const Entity entity : pair_.seen) {
      if (Disagreement wrong = compare_components(entity)) return wrong;
      if (Disagreement wrong = bulk_.compare(entity)) return wrong;
      if (Disagreement wrong = knowledge_.compare(entity)) return wrong;
      if (Disagreement wrong = turns_.compare(entity, any(entity.index()))) return wrong;
    }
    if (Disagreement wrong = knowledge_.compare_all()) return wrong;
    if (Disagreement wrong = turns_.compare_walks(any(compared_))) return wrong;
    if (cascades_) {
      hostility_.rest();  // Cascades may defragment rows, and so move values.
      if (bytes_.chance(40)) {
        log_("cascade until defragmentation is due");
        queries_.repeat();
      }
      if (Disagreement wrong = queries_.check()) return wrong;
    }
    if (const Outcome sound = world_.validate(); !sound) return sound.message();
    return {};
  }

 private:
  Entity any(std::size_t number) const {
    return pair_.seen.empty() ? Entity() : pair_.seen[number % pair_.seen.size()];
  }

  Disagreement change_tree() {
    const Entity entity = pair_.pick();
    const Entity other = pair_.pick();
    Disagreement wrong = turns_.turn(entity, other);
    model_.forget_dead();
    return wrong;
  }

  Disagreement flush() {
    const Disagreement wrong = recorder_.flush();
    return wrong ? wrong : hostility_.ended();
  }

  Disagreement create() {
    const Entity parent = pair_.pick();
    const bool with_parent = bytes_.below(4) != 0;
    const bool many = bytes_.chance(8) && model_.tree.size() < kMostEntities;
    const std::size_t count = many ? bytes_.below(30) : 1;
    const bool with_values = bytes_.chance(2);
    log_("create ", count, with_parent ? " under " + to_string(parent) : " roots",
         with_values ? " with values" : "");
    for (std::size_t i = 0; i < count; ++i) {
      const int number = pair_.fresh();
      Entity entity;
      if (with_parent && !model_.alive(parent)) {
        return refused([&] { world_.create(child_of(parent), Health{number}); }, "a stale parent");
      }
      if (with_parent) {
        entity = with_values ? world_.create(child_of(parent), Health{number}, SparseHealth{number},
                                             Hooked(number), SparseHooked(number))
                             : world_.create(child_of(parent));
      } else {
        entity = with_values ? world_.create(Health{number}, SparseHealth{number}, Hooked(number),
                                             SparseHooked(number))
                             : world_.create();
      }
      if (pair_.known.contains(entity)) return "create issued " + to_string(entity) + " twice";
      pair_.born(entity, with_parent ? parent : Entity());
      if (with_values) {
        model_.numbers[entity] = {
            {kHealth, number}, {kSparseHealth, number}, {kHooked, number}, {kSparseHooked, number}};
      }
      if (Disagreement wrong = hostility_.ended()) return wrong;
    }
    return {};
  }
  Disagreement create_at() {
    const Entity entity = pair_.pick();
    log_("create at ", entity);
    const bool created = world_.create_at(entity);
    if (created && (!entity || pair_.known.contains(entity))) return "create_at revived " + to_string(entity);
    if (created) pair_.born(entity, {});
    return hostility_.ended();
  }

  Disagreement clear() {
    log_("clear");
    const std::size_t expected = model_.tree.size();
    model_.tree.clear();
    model_.forget_dead();
    hostility_.model_is_ahead();
    return world_.clear() == expected ? hostility_.ended() : "clear answered wrongly";
  }
  Disagreement restore() {
    const Entity entity = pair_.pick();
    log_("restore ", entity);
    const Outcome restored = world_.restore(entity);
    // The world may have issued handles that it has shown to nothing, while it made entities and failed.
    const bool used = pair_.is_used(entity.index());
    if (restored ? used || !entity : pair_.known.contains(entity) && !used) {
      return "restore answered wrongly: " + restored.message();
    }
    if (restored) pair_.restored(entity);
    if (!restored && restored.message().find(to_string(entity)) == std::string::npos)
      return "the refusal does not name the entity: " + restored.message();
    return hostility_.ended();
  }

  Disagreement add() {
    const Entity entity = pair_.pick();
    const std::size_t kind = pair_.pick_kind();
    log_("add ", kTypedKinds[kind].name, " to ", entity);
    const int number = pair_.fresh();
    if (!model_.alive(entity)) {
      return refused([&] { kTypedKinds[kind].add(world_, entity, number); }, "add to a stale entity");
    }
    model_.numbers[entity][kind] = number;
    hostility_.model_is_ahead();
    kTypedKinds[kind].add(world_, entity, number);
    return hostility_.ended();
  }
  Disagreement remove() {
    const Entity entity = pair_.pick();
    const std::size_t kind = pair_.pick_kind();
    log_("remove ", kTypedKinds[kind].name, " from ", entity);
    const bool expected = model_.alive(entity) && model_.numbers[entity].erase(kind) == 1;
    hostility_.model_is_ahead();
    if (kTypedKinds[kind].remove(world_, entity) != expected) return "remove answered wrongly";
    return hostility_.ended();
  }

  template <class Call>
  Disagreement refused(Call call, const char* what) {
    pair_.quiet = true;  // Values end that have never been in the world.
    const bool refused = !refusal(call).empty();
    pair_.quiet = false;
    if (refused) return {};
    return std::string(what) + " was not refused";
  }

  Disagreement compare_components(Entity entity) const {
    const bool alive = model_.alive(entity);
    if (world_.alive(entity) != alive) return "alive(" + to_string(entity) + ") is wrong";
    for (std::size_t kind = 0; kind < kTypedKinds.size(); ++kind) {
      const int number = model_.number(entity, kind);
      const auto what = [&] { return std::string(kTypedKinds[kind].name) + " of " + to_string(entity); };
      if (kTypedKinds[kind].has(world_, entity) != (number != -1)) return "has is wrong for " + what();
      if (!kTypedKinds[kind].tag && kTypedKinds[kind].read(world_, entity) != number)
        return what() + " is wrong";
    }
    return {};
  }

  WorldPair pair_;
  World& world_ = pair_.world;
  WorldModel& model_ = pair_.model;
  Bytes& bytes_ = pair_.bytes;
  Log& log_ = pair_.log;
  WorldRecorder recorder_{pair_};
  WorldCascades queries_{pair_};
  WorldHostility hostility_{pair_, recorder_};
  WorldBulkTurns bulk_{pair_, hostility_};
  WorldCodeTurns code_{pair_, hostility_};
  WorldKnowledgeTurns knowledge_{pair_, hostility_};
  TreeTurns<World> turns_;
  WorldMirror& mirror_;
  bool cascades_ = true;
  std::size_t compared_ = 0;
};

Disagreement worlds_agree(Bytes& bytes, Log& log) {
  const CountedScope scope;
  const int hooked = live_hooked;
  FailingMemory memory;
  WorldMirror mirror;
  {
    const Layout layout = kLayouts[bytes.turn() ? bytes.below(kLayouts.size()) : 0];
    log("layout ", name_of_layout(layout));
    const Defragmentation defragmentation =
        bytes.chance(4) ? Defragmentation::manual : Defragmentation::automatic;
    WorldTest test(layout, defragmentation, &memory, bytes, log, mirror);
    if (bytes.chance(2)) test.watch(bytes.chance(2));
    if (Disagreement wrong = take_turns(test, bytes)) return wrong;
  }
  if (Disagreement wrong = mirror.ended()) return wrong;
  if (memory.blocks() != 0) return "memory was leaked";
  if (!memory.complaint().empty()) return memory.complaint();
  if (live_hooked != hooked) return "a value that calls hooks was leaked or destroyed twice";
  if (scope.leaked() != 0) return "a value was leaked or destroyed twice";
  if (scope.misuses() != 0) return "a value was used after its end";
  return {};
}

}  // namespace

TEST_SUITE("api/world") {
  STRATA_MODEL_TEST("a world behaves like a forest of maps, whatever the layout", worlds_agree, .runs = 50,
                    .turns = 90);
}

}  // namespace strata::test::world_model_test
