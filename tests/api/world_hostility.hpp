// What hostile components, comparisons and visitors do in the model test of a world: the cells of callbacks.hpp.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <utility>

#include "../support/hooked.hpp"
#include "../support/refusal.hpp"
#include "../support/user_code.hpp"
#include "world_recorder.hpp"

namespace strata::test {

/// Reads, runs queries, records commands and tries to change the world while operations call code of the user.
class WorldHostility : public UserCode {
 public:
  WorldHostility(WorldPair& pair, WorldRecorder& recorder) : pair_(pair), recorder_(recorder) {
    Hooks::all().destroyed = [this](int) { destroy(); };
    Hooks::all().moved = [this](int) { move(); };
  }
  WorldHostility(const WorldHostility&) = delete;
  WorldHostility& operator=(const WorldHostility&) = delete;
  ~WorldHostility() override { Hooks::all() = {}; }

  /// Chooses what is done from now on.
  Disagreement arm() {
    looks_ = pair_.bytes.chance(2);
    const std::size_t deeds = pair_.bytes.below(8);
    records_ = (deeds & 1) != 0;
    changes_ = (deeds & 2) != 0;
    to_picked_ = (deeds & 4) != 0;
    command_ = pair_.bytes.below(WorldRecorder::kWays);
    kind_ = pair_.pick_kind();
    other_ = pair_.pick();
    entity_ = pair_.pick();
    pair_.log("from now on, code of the user ", looks_ ? "looks around, " : "",
              records_ ? "records from command " + std::to_string(command_) + " on, " : "",
              changes_ ? "tries changes, " : "", "of ",
              to_picked_ ? "what is changed" : to_string(entity_) + " and " + to_string(other_));
    return {};
  }

  void begin_turn() {
    left_ = kMostCalls;
    is_ahead_ = false;
  }
  /// Does nothing until the next turn.
  void rest() { left_ = 0; }
  /// Runs a call that records commands outside of an operation: what moves record then waits, too.
  template <class Record>
  Disagreement record_outside(Record record) {
    const Disagreement wrong = record();
    recorded_ = false;
    return wrong ? wrong : ended();
  }

  // Code that the library calls.

  void visit() { act(true, true); }
  /// In observers, which are called before and after a part of what a turn changes.
  void observe() {
    const bool was_ahead = std::exchange(is_ahead_, false);
    act(true, true);
    is_ahead_ = was_ahead;
  }
  void compare(Entity, Entity) override { act(true, true); }
  /// In these, rows or members are not what they are going to be.
  void fill() { act(false, true); }
  void compare_members() { act(false, true); }
  /// In this, values are being made.
  void make() { act(false, false); }

  void model_is_ahead() override { is_ahead_ = true; }
  bool has_recorded() const override { return recorded_; }
  Disagreement ended() override {
    is_ahead_ = false;
    if (wrong_) return wrong_;
    return std::exchange(recorded_, false) ? recorder_.applied() : Disagreement();
  }
  Disagreement interrupted() override {
    recorded_ = false;
    return ended();
  }

 private:
  static constexpr std::size_t kMostCalls = 4;  // Which do something, in a turn: looking around takes long.

  void destroy() {
    if (!pair_.quiet) act(true, true);
  }
  void move() {
    if (!pair_.quiet) act(false, false);
  }

  /// `is_whole`: all invariants hold; `queries`: queries may run.
  void act(bool is_whole, bool queries) {
    if (left_ == 0) return;
    --left_;
    if (looks_) look(is_whole, queries);
    if (changes_) try_change();
    if (records_) record();
  }

  void expect(bool condition, const std::string& what) {
    if (!condition && !wrong_) wrong_ = "code of the user: " + what;
  }

  void look(bool is_whole, bool queries) {
    if (is_whole) require_whole();
    if (queries) {
      look_by_query();
    } else {
      expect(says(refusal([&] { (void)healths_.count(); }), "makes or moves values"),
             "a query is not refused");
    }
    for (const Entity entity : pair_.seen) {
      for (const std::size_t kind : kLookedAt) {
        if (!kTypedKinds[kind].has(pair_.world, entity)) continue;
        // Half a value would have no number.
        expect(kTypedKinds[kind].read(pair_.world, entity) >= 0,
               std::string("half a value is found: ") + kTypedKinds[kind].name + " of " + to_string(entity));
        expect(!queries || pair_.world.alive(entity), "a value of a stale entity is found");
      }
    }
    if (is_whole && is_ahead_ && !recorded_) look_at_all();
  }
  void require_whole() {
    const Outcome whole = pair_.world.validate();
    expect(static_cast<bool>(whole), whole.message());
  }
  void look_by_query() {
    std::size_t rows = 0;
    healths_.each([&](Entity entity, const Health& health, const Hooked* hooked, const Health* above) {
      ++rows;
      expect(pair_.world.alive(entity), "a visited entity is not alive");
      expect(health.points == kTypedKinds[kHealth].read(pair_.world, entity), "a visited value is another's");
      expect(hooked == nullptr || hooked->number() >= 0, "a visited value is not whole");
      expect(above == nullptr || pair_.world.alive(pair_.world.parent(entity)),
             "a visited parent is not alive");
    });
    expect(rows == healths_.count(), "count is wrong");
    std::size_t members = 0;
    for ([[maybe_unused]] auto [entity, sparse] : members_) {
      ++members;
      expect(pair_.world.alive(entity) && sparse.points >= 0, "a visited member is not alive");
    }
    expect(members == members_.count(), "count of members is wrong");
  }
  /// Compares everything with the model, which has the outcome of the operation.
  void look_at_all() {
    expect(pair_.world.size() == pair_.model.tree.size(), "size() is wrong");
    for (const Entity entity : pair_.seen) {
      const bool alive = pair_.model.alive(entity);
      const std::string of = " of " + to_string(entity) + " is wrong";
      expect(pair_.world.alive(entity) == alive, "alive" + of);
      expect(pair_.world.parent(entity) == pair_.model.tree.parent(entity), "parent" + of);
      expect(pair_.world.child_count(entity) == pair_.model.tree.children(entity).size(), "child_count" + of);
      for (std::size_t kind = 0; kind < kTypedKinds.size(); ++kind) {
        const int number = alive ? pair_.model.number(entity, kind) : -1;
        if (kTypedKinds[kind].tag) {
          expect(kTypedKinds[kind].has(pair_.world, entity) == (number != -1), kTypedKinds[kind].name + of);
        } else {
          expect(kTypedKinds[kind].read(pair_.world, entity) == number, kTypedKinds[kind].name + of);
        }
      }
    }
  }

  Entity first() const { return to_picked_ ? pair_.picked : entity_; }

  void record() {
    recorded_ = true;
    const Disagreement wrong = recorder_.record({command_++ % WorldRecorder::kWays, first(), other_, kind_});
    if (wrong) expect(false, *wrong);
  }

  void try_change() {
    const std::string said = refusal([&] { change(change_++ % kChanges); });
    // Some are about components of the side store alone, which is what their contracts ask first.
    expect(says(said, "is under way") || says(said, "is iterating") || says(said, "is stored in tables"),
           "change " + std::to_string((change_ - 1) % kChanges) + " is refused with: \"" + said + "\"");
  }
  static constexpr std::size_t kChanges = 28;
  void change(std::size_t which) {
    World& world = pair_.world;
    const Entity entity = first();
    const auto order = [](Entity a, Entity b) { return b < a; };
    const std::array<std::function<void()>, kChanges> changes{
        [&] { world.destroy(entity); },
        [&] { world.create(Health{1}); },
        [&] { world.add(entity, SparseHealth{1}); },
        [&] { world.remove<SparseHooked>(other_); },
        [&] { (void)world.set_parent(entity, other_); },
        [&] { world.destroy_children(entity); },
        [&] { world.remove<Hooked>(entity); },
        [&] { world.clear_parent(entity); },
        [&] { world.flush(); },
        [&] { world.pool<StableHooked>().clear(); },
        [&] { world.create(child_of(entity)); },
        [&] { (void)world.move_child_before(entity, other_); },
        [&] { world.sort_children(entity, order); },
        [&] { world.set_layout(entity, Layout::per_level); },
        [&] { world.defragment(); },
        [&] { world.shrink(); },
        [&] { world.remove<Health>(entity); },
        [&] { switch_storage(world, kTypedKinds[kind_]); },
        [&] { world.create_many(3, Health{1}, SparseHealth{2}); },
        [&] { world.pool<SparseCounted>().sort(order); },
        [&] { (void)world.create_at(Entity(30, 1)); },
        [&] { world.pool<StableHooked>().compact(); },
        [&] {
          (void)world.set_children(entity, {&other_, 1});
        },
        [&] { (void)world.restore(other_); },
        [&] { world.clear(); },
        [&] { world.destroy(std::span<const Entity>(&other_, 1)); },
        [&] { world.add<Wide>(std::span<const Entity>(&other_, 1)); },
        [&] { world.remove<Health>(std::span<const Entity>(&other_, 1)); },
    };
    changes[which]();
  }

  static constexpr std::array kLookedAt{kHealth, kSparseHealth, kCounted,     kSparseCounted,
                                        kHooked, kSparseHooked, kStableHooked};

  WorldPair& pair_;
  WorldRecorder& recorder_;
  Query<Entity, const Health, Maybe<const Hooked>, Parent<const Health>> healths_ =
      pair_.world.query<Entity, const Health, Maybe<const Hooked>, Parent<const Health>>();
  Query<Entity, const SparseHealth> members_ = pair_.world.query<Entity, const SparseHealth>();
  Disagreement wrong_;
  bool looks_ = false;
  bool records_ = false;
  bool changes_ = false;
  bool to_picked_ = false;
  std::size_t command_ = 0;
  std::size_t change_ = 0;
  std::size_t kind_ = 0;
  Entity entity_;
  Entity other_;
  std::size_t left_ = 0;
  bool is_ahead_ = false;
  bool recorded_ = false;  // During an operation, which applies it when it ends.
};

}  // namespace strata::test
