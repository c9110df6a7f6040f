#include <doctest/doctest.h>
#include <strata/strata.hpp>

#include <algorithm>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "../support/failing_memory.hpp"
#include "saving_turns.hpp"

namespace strata::test::parts_model_test {

namespace {

/// What can be seen of a subtree, in words, apart from handles and from what is outside: entities are numbered.
class Seen {
 public:
  Seen(const World& world, Entity root) : world_(world) {
    for (const Entity entity : world.depth_first(root)) entities_.push_back(entity);
    for (const Entity entity : entities_) describe(entity);
  }
  const std::string& text() const { return text_; }

 private:
  std::string number_of(Entity entity) const {
    const auto found = std::find(entities_.begin(), entities_.end(), entity);
    return found != entities_.end() ? ' ' + std::to_string(found - entities_.begin()) : "";
  }

  void describe(Entity entity) {
    std::vector<std::string> facts;
    facts.push_back("named " + std::string(world_.names().name(entity)) + " below" +
                    (entity != entities_[0] ? number_of(world_.parent(entity)) : ""));
    for (const ConstComponentValue& component : world_.components(entity)) {
      const ComponentInfo& info = world_.component_info(component.id);
      // The states that come from above, and tags of targets.
      if (info.name.ends_with(" above") || info.name == "strata::Disabled" || info.name == "strata::Prefab" ||
          info.name.starts_with("strata:target") || info.name.starts_with("strata::Pair"))
        continue;
      const bool is_plain = info.value != nullptr && info.remap == nullptr;
      facts.push_back(info.name + (is_plain ? strata::to_text(*info.value, component.value) : ""));
    }
    const auto* const item = world_.find<Item>(entity);
    if (item != nullptr) facts.push_back(item->label + number_of(item->owner));
    for (std::size_t i = 0; item != nullptr && i < item->watchers.size(); ++i)
      facts.push_back("watched by" + number_of(item->watchers[i]));
    add_pairs<Likes>(entity, facts);
    add_pairs<Near>(entity, facts);
    add_pairs<Docked>(entity, facts);
    add_pairs<Team>(entity, facts);
    std::sort(facts.begin(), facts.end());
    for (const std::string& fact : facts) text_ += fact + ", ";
    text_ += std::to_string(*world_.layer(entity)) + '\n';
  }
  template <class R>
  void add_pairs(Entity entity, std::vector<std::string>& facts) {
    for (const Entity target : world_.relations().targets<R>(entity)) {
      if (number_of(target).empty()) continue;
      facts.push_back(std::string(name_of<R>) + number_of(target));
      if constexpr (!is_tag<R>) facts.back() += strata::to_text(*world_.relations().find<R>(entity, target));
    }
  }

  const World& world_;
  std::vector<Entity> entities_;
  std::string text_;
};

/// Returns: what is seen of a subtree that was written to a file and read again.
std::string read_back(const World& world, Entity root) {
  std::stringstream file;
  const Outcome done = save(world, root, file, {.outside = OutsideReferences::null});
  REQUIRE_MESSAGE(done, done.message());
  ExtractedPart loaded = load_part(file, world);
  REQUIRE_MESSAGE(loaded.outcome, loaded.outcome.message());
  World alone;
  const InsertedPart inserted = insert(alone, loaded.part);
  REQUIRE_MESSAGE(inserted.outcome, inserted.outcome.message());
  if (const Outcome sound = alone.validate(); !sound) FAIL(sound.message());
  return Seen(alone, inserted.roots[0]).text();
}

/// Returns: a copy of a world, without a subtree.
World without(const World& world, Entity root) {
  std::stringstream file;
  const Outcome done = save(world, file);
  REQUIRE_MESSAGE(done, done.message());
  LoadedWorld copy = load(file, world);
  copy.world.destroy(root);
  return std::move(copy.world);
}

/// Random subtrees leave a world, and come back at another place or come to another world.
class Moves {
 public:
  explicit Moves(Bytes& bytes)
      : first_({.layout = static_cast<Layout>(bytes.below(3)), .large_family = 3}),
        second_({.layout = static_cast<Layout>(bytes.below(3)), .large_family = 3}) {
    if (bytes.chance(3)) second_.set_storage<Item>(Storage::sparse);
  }

  Disagreement run(Bytes& bytes, Log& log) {
    while (bytes.turn()) {
      if (entities_.empty() || !bytes.chance(8)) {
        apply_turn(entities_, bytes, log, first_);
        continue;
      }
      const Entity root = entities_[bytes.below(entities_.size())];
      const std::string why = bytes.chance(3) ? move_away(root, log) : move_within(root, bytes, log);
      if (!why.empty()) return why;
      std::erase_if(entities_, [&](Entity entity) { return !first_.alive(entity); });
    }
    return {};
  }

 private:
  std::string check_worlds() const {
    for (const World* world : {&first_, &second_}) {
      if (const Outcome sound = world->validate(); !sound) return sound.message();
    }
    return "";
  }

  /// Takes a subtree out.
  /// Returns: what is wrong with what is left.
  std::string take(Entity root, OutsideReferences outside, ExtractedPart& taken) {
    const World rest = without(first_, root);
    const std::size_t before = first_.size();
    taken = extract(first_, root, {.outside = outside});
    if (!taken.outcome) return taken.outcome.message();
    if (first_.size() + taken.part.size() < before) return "entities are lost";
    for (const WorldDifference& difference : find_differences(rest, first_)) return difference.sentence;
    return check_worlds();
  }

  std::string move_within(Entity root, Bytes& bytes, Log& log) {
    log("move the subtree of ", root);
    const std::string before = Seen(first_, root).text();
    if (read_back(first_, root) != before) return "another subtree is loaded than was saved";

    ExtractedPart taken{Outcome::done(), {}};
    if (std::string why = take(root, OutsideReferences::keep, taken); !why.empty()) return why;
    Entity parent;
    if (const auto all = first_.roots(); !all.empty() && bytes.chance(2))
      parent = all[bytes.below(all.size())];
    const InsertedPart put = insert(first_, taken.part, parent);
    if (!put.outcome) return put.outcome.message();
    if (put.roots.size() != 1 || first_.parent(put.roots[0]) != parent) return "it is below another parent";
    if (!taken.part.empty()) return "the part has entities left";
    if (Seen(first_, put.roots[0]).text() != before) return "it is another subtree now";
    for (const Entity entity : first_.depth_first(put.roots[0])) entities_.push_back(entity);
    return check_worlds();
  }

  std::string move_away(Entity root, Log& log) {
    log("move the subtree of ", root);
    const std::string before = Seen(first_, root).text();
    if (read_back(first_, root) != before) return "another subtree is loaded than was saved";
    ExtractedPart taken{Outcome::done(), {}};
    if (std::string why = take(root, OutsideReferences::null, taken); !why.empty()) return why;
    const InsertedPart put = insert(second_, taken.part);
    if (!put.outcome) return put.outcome.message();
    if (Seen(second_, put.roots[0]).text() != before) return "it is another subtree there";
    return check_worlds();
  }

  World first_;
  World second_;
  std::vector<Entity> entities_;
};

Disagreement subtrees_move(Bytes& bytes, Log& log) {
  return Moves(bytes).run(bytes, log);
}

}  // namespace

TEST_SUITE("api/parts") {
  STRATA_MODEL_TEST("a subtree is the same after it was moved, and the rest of its world is, too",
                    subtrees_move, .runs = 60, .turns = 80);
}

}  // namespace strata::test::parts_model_test
