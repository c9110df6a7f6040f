#include <doctest/doctest.h>
#include <strata/strata.hpp>

#include <algorithm>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "../support/refusal.hpp"
#include "../support/tree_model.hpp"
#include "change_watchers.hpp"

namespace strata::test::changes_model_test {

namespace {

class ChangesTest {
 public:
  ChangesTest(Layout layout, Bytes& bytes, Log& log)
      : world_(WorldOptions{.layout = layout, .large_family = 4}), bytes_(bytes), log_(log) {}

  Disagreement turn() {
    const Entity entity = pick();
    const Entity other = pick();
    const std::size_t kind = bytes_.below(20);
    if (kind < 3) {
      create(other);
    } else if (kind == 3) {
      destroy(entity);
    } else if (kind < 6) {
      move(entity, other);
    } else if (kind < 8) {
      toggle(entity);
    } else if (kind < 10) {
      bytes_.chance(2) ? write<ByRow>(entity, "row") : write<ByBlock>(entity, "block");
    } else if (kind == 10) {
      command(entity);
    } else if (kind == 11) {
      create_many(entity);
    } else if (kind == 12) {
      rearrange(entity);
    } else if (kind < 15) {
      write_by_query(entity);
    } else {
      return watch(watchers_[bytes_.below(watchers_.size())], other);
    }
    const Outcome sound = world_.validate();
    return sound ? wrong_ : sound.message();
  }

 private:
  void expect(bool condition, const char* what) {
    if (!condition) wrong_ = what;
  }
  Entity pick() { return seen_.empty() ? Entity(3, 1) : seen_[bytes_.below(seen_.size())]; }
  bool alive(Entity entity) const { return records_.contains(entity); }
  bool has(Entity entity, const char* kind) const {
    return alive(entity) && records_.at(entity).kinds.contains(kind);
  }

  /// Notes a write from outside the run that goes on for `by`.
  void wrote(Entity entity, const std::string& kind, const Watcher* by = nullptr) {
    if (!has(entity, kind.c_str())) return;
    for (Watcher& watcher : watchers_) {
      if (&watcher != by) watcher.new_writes[kind].insert(entity);
    }
  }
  void made(Entity entity, Entity parent, const Kinds& kinds, int by_row) {
    tree_.create(entity, parent);
    records_[entity] = {kinds, by_row};
    seen_.push_back(entity);
    wrote(entity, "row");
    wrote(entity, "block");
  }
  void forget(Entity entity, const std::string& kind) {
    for (Watcher& watcher : watchers_) watcher.new_writes[kind].erase(entity);
  }

  void create(Entity parent) {
    if (!alive(parent) || bytes_.chance(4)) parent = Entity();
    const int value = number();
    const std::size_t kind = bytes_.below(4);
    const auto create = [&](const Kinds& kinds, auto... values) {
      const Entity entity = parent ? world_.create(child_of(parent), values...) : world_.create(values...);
      log_("create ", entity, " under ", parent, " of kind ", kind);
      made(entity, parent, kinds, value);
    };
    if (kind == 0) create({"row"}, ByRow{value});
    if (kind == 1) create({"row", "block", "plain"}, ByRow{value}, ByBlock{}, Plain{});
    if (kind == 2) create({"block", "burning"}, ByBlock{}, Burning{});
    if (kind == 3) create({"plain", "row", "burning"}, Plain{}, ByRow{value}, Burning{});
  }
  int number() { return static_cast<int>(bytes_.below(100)); }

  void destroy(Entity entity) {
    if (!alive(entity)) return;
    const bool alone = bytes_.chance(2);
    log_("destroy ", entity, alone ? " alone" : "");
    std::vector<Entity> gone = tree_.breadth_first(entity);
    if (alone) gone = {entity};
    world_.destroy(entity, alone ? ChildPolicy::orphan : ChildPolicy::destroy);
    alone ? tree_.destroy_alone(entity) : tree_.destroy(entity);
    for (const Entity one : gone) {
      records_.erase(one);
      forget(one, "row");
      forget(one, "block");
    }
  }
  void move(Entity child, Entity parent) {
    const std::size_t way = bytes_.below(3);
    if (way == 0 && tree_.can_set_parent(child, parent)) {
      log_("set the parent of ", child, " to ", parent);
      expect(static_cast<bool>(world_.set_parent(child, parent)), "set_parent is refused");
      tree_.set_parent(child, parent);
    } else if (way == 1 && alive(child)) {
      log_("clear the parent of ", child);
      world_.clear_parent(child);
      tree_.clear_parent(child);
    } else if (way == 2 && alive(parent) && tree_.can_move_before(child, parent)) {
      log_("move ", child, " before ", parent);
      expect(static_cast<bool>(world_.move_child_before(child, parent)), "move_child_before is refused");
      tree_.move_before(child, parent);
    }
  }
  void rearrange(Entity entity) {
    const std::size_t way = bytes_.below(4);
    if (way != 0 || !alive(entity)) {
      log_("defragment");
      world_.defragment(way == 1 ? 3 : 1000);
    } else {
      const auto layout = static_cast<Layout>(bytes_.below(3));
      log_("set the layout below ", entity, " to ", static_cast<int>(layout));
      world_.set_layout(entity, layout);
    }
  }

  template <class T>
  void toggle_one(Entity entity, const std::string& kind) {
    if (has(entity, kind.c_str())) {
      log_("remove ", kind, " from ", entity);
      world_.remove<T>(entity);
      records_.at(entity).kinds.erase(kind);
      forget(entity, kind);
      return;
    }
    log_("add ", kind, " to ", entity);
    world_.add<T>(entity);
    records_.at(entity).kinds.insert(kind);
    if (kind == "row") records_.at(entity).by_row = 0;
    wrote(entity, kind);
  }
  void toggle(Entity entity) {
    if (!alive(entity)) return;
    const std::size_t kind = bytes_.below(4);
    if (kind == 0) toggle_one<ByRow>(entity, "row");
    if (kind == 1) toggle_one<ByBlock>(entity, "block");
    if (kind == 2) toggle_one<Plain>(entity, "plain");
    if (kind == 3) toggle_one<Burning>(entity, "burning");
  }

  template <class T>
  void write(Entity entity, const char* kind) {
    const std::size_t way = bytes_.below(6);
    T value{number()};
    log_("write ", kind, ' ', value.value, " of ", entity, " in way ", way);
    if (!has(entity, kind)) {
      expect(world_.find<T>(entity) == nullptr, "a value is found where there is none");
      return;
    }
    if (way == 0) world_.set(entity, value);
    if (way == 1) world_.get<T>(entity) = value;
    if (way == 2) *world_.find<T>(entity) = value;
    if (way == 3) *static_cast<T*>(world_.find(entity, world_.component<T>())) = value;
    if (way == 4) world_.add(entity, value);
    if (way == 5) world_.add(entity, world_.component<T>(), &value);
    if (std::string(kind) == "row") records_.at(entity).by_row = value.value;
    wrote(entity, kind);
  }
  void command(Entity entity) {
    const int value = number();
    log_("commands for ", entity, " with ", value);
    if (alive(entity)) {
      world_.commands().add(entity, ByRow{value});
      world_.commands().remove<Plain>(entity);
    }
    const Entity created = world_.commands().create(ByBlock{value}, ByRow{value});
    world_.flush();
    if (alive(entity)) {
      records_.at(entity).kinds.insert("row");
      records_.at(entity).kinds.erase("plain");
      records_.at(entity).by_row = value;
      wrote(entity, "row");
    }
    made(created, {}, {"block", "row"}, value);
  }
  void create_many(Entity entity) {
    if (!alive(entity) || records_.size() > 60) return;
    if (bytes_.chance(2)) {
      log_("build four below ", entity);
      const std::vector<std::uint32_t> parents{1, kNoParent, 1, kNoParent};
      const auto built =
          world_.build_hierarchy(child_of(entity), parents, std::vector<ByRow>(4), std::vector<Plain>(4));
      for (const std::size_t node : {1u, 3u}) made(built.entities[node], entity, {"row", "plain"}, 0);
      for (const std::size_t node : {0u, 2u})
        made(built.entities[node], built.entities[1], {"row", "plain"}, 0);
      return;
    }
    log_("instantiate ", entity);
    const std::vector<Entity> originals = tree_.breadth_first(entity);
    const std::vector<Entity> copies = world_.breadth_first(world_.instantiate(entity));
    std::map<Entity, Entity> copy_of;
    for (std::size_t i = 0; i < copies.size(); ++i) {
      copy_of[originals[i]] = copies[i];
      const Entity parent = i != 0 ? copy_of.at(tree_.parent(originals[i])) : Entity();
      const Record record = records_.at(originals[i]);
      made(copies[i], parent, record.kinds, record.by_row);
    }
  }

  void write_by_query(Entity marked) {
    const std::size_t way = bytes_.below(8);
    log_("write by a query in way ", way);
    Entities written;
    const auto note = [&](Entity entity, auto&&...) { written.insert(entity); };
    if (way == 0) world_.query<Entity, ByRow>().each(note);
    if (way == 1) world_.query<Entity, Maybe<ByRow>, const Plain>().each(note);
    if (way == 2) world_.query<Entity, const ByRow>().each([](auto&&...) {});
    if (way == 3) {
      world_.query<Entity, ByRow>().each_block([&](std::span<const Entity> entities, std::span<ByRow>) {
        written.insert(entities.begin(), entities.end());
      });
    }
    if (way == 4) world_.query<Entity, ByRow, const Burning>().each(note);
    if (way == 5) world_.query<Entity, const ByBlock, ByRow, Parent<const ByRow>>().cascade().each(note);
    if (way == 6) {
      world_.query<Entity, const Plain, Parent<ByRow>>().cascade(up).each(
          [&](Entity entity, const Plain&, ByRow*) { written.insert(tree_.parent(entity)); });
    }
    if (way == 7 && alive(marked)) {
      world_.add<Dirty>(marked);
      auto query = world_.query<Entity, ByRow>();
      query.cascade().propagate(note);
    }
    for (const Entity entity : written) wrote(entity, "row");
  }

  /// The matching entities of blocks in which nothing has happened since the watcher's last run.
  Entities untouched(const Watcher& watcher) const {
    std::set<const detail::Block*> touched;
    for (const Entity entity : watcher.all_new()) touched.insert(place_of(entity).first);
    Entities untouched;
    for (const auto& [entity, place] : watcher.places) {
      if (alive(entity) && place_of(entity) == place && !touched.contains(place.first)) {
        untouched.insert(entity);
      }
    }
    return untouched;
  }
  std::pair<const detail::Block*, std::uint32_t> place_of(Entity entity) const {
    const detail::Block* const block = detail::parts_of(world_).store.slots().find(entity).block;
    return {block, block->version};
  }

  void mark_added(bool recorded, Entity entity) {
    if (!recorded || !alive(entity)) return;
    records_.at(entity).kinds.insert("row");
    records_.at(entity).by_row = 7;
    wrote(entity, "row");
  }

  Disagreement watch(Watcher& watcher, Entity other) {
    const bool nested = bytes_.chance(4) && has(other, "row");
    const bool nested_run = bytes_.chance(8);
    const bool records = bytes_.chance(4);
    const bool throws = bytes_.chance(6) && watcher.written.empty();
    log_("look for changes: ", watcher.name, nested ? ", a write meanwhile" : "",
         nested_run ? ", a query meanwhile" : "", records ? ", recording" : "",
         throws ? ", until it throws" : "");
    Entities expected = watcher.all_new();
    if (watcher.subtrees) {
      for (const Entity entity : watcher.all_new()) {
        const std::vector<Entity> below = tree_.breadth_first(entity);
        expected.insert(below.begin(), below.end());
      }
    }
    std::erase_if(expected, [&](Entity entity) { return !watcher.matches(records_.at(entity)); });
    const Entities passed_over = watcher.subtrees ? Entities() : untouched(watcher);
    const std::size_t count = watcher.count();
    const auto new_writes = std::exchange(watcher.new_writes, {});

    std::vector<Entity> visited;
    Disagreement wrong;
    const auto visit = [&](Entity entity, const ByRow* row) {
      if (row != nullptr && row->value != records_.at(entity).by_row) wrong = "a value is not the model's";
      visited.push_back(entity);
      for (const std::string& kind : watcher.written) wrote(entity, kind, &watcher);
      if (watcher.written.contains("row")) ++records_.at(entity).by_row;
      if (throws && visited.size() == 3) throw std::runtime_error("enough");
      if (visited.size() != 1) return;
      if (!says(refusal([&] { world_.destroy(entity); }), "is iterating")) wrong = "a change is not refused";
      if (records) world_.commands().add(other, ByRow{7});
      if (nested) {
        static_cast<void>(world_.get<ByRow>(other));
        wrote(other, "row");
      }
      if (nested_run) {
        world_.query<Entity, ByRow>().each([&](Entity one, ByRow&) { wrote(one, "row"); });
      }
    };
    try {
      watcher.run(visit);
    } catch (const std::runtime_error&) {
      // The next run visits again whatever this one was to visit.
      for (const auto& [kind, entities] : new_writes) {
        watcher.new_writes[kind].insert(entities.begin(), entities.end());
      }
      world_.flush();
      mark_added(records && !visited.empty(), other);
      return wrong;
    }
    if (wrong) return wrong;
    const bool in_order = std::is_sorted(visited.begin(), visited.end(),
                                         [&](Entity a, Entity b) { return tree_.depth(a) < tree_.depth(b); });
    if (watcher.by_depth && !in_order) return "an entity was visited before one that is less deep";
    const auto expects_others = [&] { return records && !visited.empty(); };
    if (expects_others()) {
      // What was recorded is applied by now: the rows may be elsewhere.
      Disagreement disagreement = watcher.compare({visited, expected, passed_over, true}, records_);
      mark_added(true, other);
      for (const auto& [entity, record] : records_) watcher.places.erase(entity);
      return disagreement;
    }
    for (const auto& [entity, record] : records_) watcher.places[entity] = place_of(entity);
    const bool meanwhile = !visited.empty() && (nested || nested_run);
    if (!meanwhile && visited.size() != count) return "count is not the number of those visited";
    return watcher.compare({visited, expected, passed_over, meanwhile}, records_);
  }

  World world_;
  Bytes& bytes_;
  Log& log_;
  TreeModel tree_;
  Records records_;
  std::vector<Entity> seen_;
  Disagreement wrong_;
  std::vector<Watcher> watchers_ = watchers_of(world_);
};

template <Layout layout>
Disagreement changes_agree(Bytes& bytes, Log& log) {
  ChangesTest test(layout, bytes, log);
  while (bytes.turn()) {
    if (Disagreement wrong = test.turn()) return wrong;
  }
  return {};
}

}  // namespace

TEST_SUITE("api/changes") {
  STRATA_MODEL_TEST("changed visits what was written, with a table per parent",
                    changes_agree<Layout::per_parent>, .runs = 50);
  STRATA_MODEL_TEST("changed visits what was written, with a table per level",
                    changes_agree<Layout::per_level>, .runs = 50);
  STRATA_MODEL_TEST("changed visits what was written, with tables for large families",
                    changes_agree<Layout::adaptive>, .runs = 50);
}

}  // namespace strata::test::changes_model_test
