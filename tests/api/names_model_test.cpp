#include <doctest/doctest.h>
#include <strata/strata.hpp>

#include <algorithm>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../support/model_test.hpp"
#include "../support/tree_model.hpp"

namespace strata::test::names_model_test {

namespace {

constexpr std::string_view kTexts[] = {"a", "c/d", "a rather long name, with \\"};

/// The names of a tree, kept the dumb way: each with the moment since which it is below its parent.
struct NamesModel {
  struct Given {
    std::string text;
    std::size_t since;
  };

  TreeModel tree;
  std::map<Entity, Given> names;
  std::size_t moment = 0;
  bool unique = false;

  std::string name(Entity entity) const {
    const auto found = names.find(entity);
    return found != names.end() ? found->second.text : "";
  }
  /// Returns: the entity below a parent, or the root, that has had this name there for longest.
  Entity find_below(Entity parent, const std::string& text) const {
    Entity oldest;
    for (const auto& [entity, given] : names) {
      if (given.text != text || tree.parent(entity) != parent) continue;
      if (!oldest || given.since < names.at(oldest).since) oldest = entity;
    }
    return oldest;
  }
  bool is_free(Entity entity, Entity parent, const std::string& text) const {
    if (!unique || !parent || text.empty()) return true;
    const Entity other = find_below(parent, text);
    return !other || other == entity;
  }
  bool set(Entity entity, const std::string& text) {
    if (!tree.contains(entity) || text.empty() || !is_free(entity, tree.parent(entity), text)) return false;
    if (name(entity) != text) names[entity] = {text, moment++};
    return true;
  }
  void moved(Entity entity) {
    if (const auto found = names.find(entity); found != names.end()) found->second.since = moment++;
  }
  bool set_parent(Entity child, Entity parent) {
    if (!tree.can_set_parent(child, parent)) return false;
    if (tree.parent(child) == parent) return true;
    if (!is_free(child, parent, name(child))) return false;
    tree.set_parent(child, parent);
    moved(child);
    return true;
  }
  void clear_parent(Entity child) {
    if (!tree.parent(child)) return;
    tree.clear_parent(child);
    moved(child);
  }
  bool set_children(Entity parent, const std::vector<Entity>& children) {
    if (!tree.can_set_children(parent, children)) return false;
    for (const Entity a : children) {
      for (const Entity b : children) {
        if (unique && a != b && !name(a).empty() && name(a) == name(b)) return false;
      }
    }
    const std::vector<Entity> before = tree.children(parent);
    tree.set_children(parent, children);
    for (const Entity left : before) {
      if (tree.parent(left) != parent) moved(left);
    }
    for (const Entity child : children) {
      if (std::find(before.begin(), before.end(), child) == before.end()) moved(child);
    }
    return true;
  }
  void destroy(Entity entity) {
    for (const Entity below : tree.breadth_first(entity)) names.erase(below);
    if (tree.contains(entity)) tree.destroy(entity);
  }
  void destroy_alone(Entity entity) {
    const std::vector<Entity> orphans = tree.children(entity);
    names.erase(entity);
    tree.destroy_alone(entity);
    for (const Entity orphan : orphans) moved(orphan);
  }
  /// An entity and its parent.
  using Original = std::pair<Entity, Entity>;
  std::vector<Original> subtree(Entity root) const {
    std::vector<Original> originals;
    for (const Entity entity : tree.depth_first(root)) originals.push_back({entity, tree.parent(entity)});
    return originals;
  }
  /// Copies a subtree; the new handles are `copies`, in depth-first order.
  void copy(const std::vector<Original>& originals, Entity above, const std::vector<Entity>& copies) {
    std::map<Entity, Entity> copy_of;
    for (std::size_t i = 0; i < copies.size(); ++i) {
      const auto [original, parent] = originals[i];
      copy_of[original] = copies[i];
      const std::string text = name(original);
      const bool keeps = !text.empty() && (i != 0 || is_free(Entity(), above, text));
      tree.create(copies[i], i == 0 ? above : copy_of.at(parent));
      if (keeps) names[copies[i]] = {text, moment++};
    }
  }
  std::string path(Entity entity) const {
    std::string path;
    for (Entity at = entity; at; at = tree.parent(at)) {
      if (name(at).empty()) return "";
      std::string escaped;
      for (const char character : name(at)) {
        if (character == '/' || character == '\\') escaped += '\\';
        escaped += character;
      }
      path = at == entity ? escaped : escaped + '/' + path;
    }
    return path;
  }
};

class NamesTest {
 public:
  NamesTest(Bytes& bytes, Log& log)
      : bytes_(bytes),
        log_(log),
        unique_(bytes.chance(2)),
        world_(WorldOptions{.layout = static_cast<Layout>(bytes.below(3)),
                            .large_family = 3,
                            .sibling_names = unique_ ? SiblingNames::unique : SiblingNames::any}) {
    model_.unique = unique_;
    log_(unique_ ? "siblings have unique names" : "siblings have any names");
    if (bytes.chance(3)) {
      notified_ = world_.observers().on_parent_change([](Entity, Entity, Entity) {});
    }
  }

  Disagreement turn() {
    one_ = any();
    other_ = any();
    switch (bytes_.below(19)) {
      case 0:
      case 1:
      case 2:
        return create();
      case 3:
        return destroy();
      case 4:
      case 5:
      case 6:
        return set_parent();
      case 7:
        return clear_parent();
      case 8:
      case 13:
        return set_children();
      case 9:
        return move_before();
      case 10:
        return copy();
      case 11:
        return remove();
      case 12:
        return rarely();
      default:
        return set();
    }
  }

  Disagreement compare() const {
    const Names& names = world_.names();
    if (names.size() != model_.names.size()) return "the number of names is wrong";
    for (const Entity entity : issued_) {
      const std::string of = " of entity " + to_string(entity) + " is wrong";
      if (names.name(entity) != model_.name(entity)) return "the name" + of;
      if (names.path(entity) != model_.path(entity)) return "the path" + of;
      for (const std::string_view text : kTexts) {
        if (names.find(entity, Names::escape(text)) != model_.find_below(entity, std::string(text)))
          return "what is found below by \"" + std::string(text) + '"' + of;
      }
    }
    for (const std::string_view text : kTexts) {
      if (names.find(Names::escape(text)) != model_.find_below(Entity(), std::string(text)))
        return "the root that is found by \"" + std::string(text) + "\" is wrong";
    }
    const Outcome sound = world_.validate();
    return sound ? Disagreement() : sound.message();
  }

 private:
  Entity any() { return issued_.empty() ? Entity() : issued_[bytes_.below(issued_.size())]; }
  static Disagreement agree(bool mine, const Outcome& outcome) {
    if (mine == static_cast<bool>(outcome)) return {};
    return mine ? "was refused: " + outcome.message() : "was not refused";
  }

  Disagreement create() {
    if (issued_.size() >= 14) return {};
    const bool below = world_.alive(one_) && !bytes_.chance(3);
    issued_.push_back(below ? world_.create(child_of(one_)) : world_.create());
    model_.tree.create(issued_.back(), below ? one_ : Entity());
    log_("create ", issued_.back(), " below ", model_.tree.parent(issued_.back()));
    return {};
  }
  Disagreement destroy() {
    const std::size_t kind = bytes_.below(5);
    log_("destroy ", one_, " in way ", kind);
    if (kind == 0 && model_.tree.contains(one_)) {
      model_.destroy_alone(one_);
      world_.destroy(one_, ChildPolicy::orphan);
    } else if (kind == 1) {
      for (const Entity child : model_.tree.children(one_)) model_.destroy(child);
      world_.destroy_children(one_);
    } else if (kind == 2) {
      model_.destroy(one_);
      model_.destroy(other_);
      world_.destroy(std::vector{one_, other_});
    } else if (kind == 3) {
      model_.destroy(one_);
      world_.destroy(one_);
    } else if (!world_.alive(one_) && one_) {
      if (world_.restore(one_)) model_.tree.create(one_);
    }
    return {};
  }
  Disagreement set_parent() {
    log_("set_parent ", one_, " ", other_);
    if (!bytes_.chance(3)) return agree(model_.set_parent(one_, other_), world_.set_parent(one_, other_));
    const bool both = model_.tree.contains(one_);
    const bool done = model_.set_parent(one_, other_);
    world_.commands().set_parent(one_, other_);
    world_.flush();
    return !both || done == world_.commands().refusals().empty() ? Disagreement()
                                                                 : "the command ends otherwise";
  }
  Disagreement clear_parent() {
    log_("clear_parent ", one_);
    if (model_.tree.contains(one_)) model_.clear_parent(one_);
    world_.clear_parent(one_);
    return {};
  }
  Disagreement set_children() {
    std::vector<Entity> children{other_};
    for (std::size_t i = 1 + bytes_.below(3); i > 0; --i) children.push_back(any());
    log_("set ", children.size(), " children of ", one_, ": ", children[0], " ", children.back());
    return agree(model_.set_children(one_, children), world_.set_children(one_, children));
  }
  Disagreement move_before() {
    log_("move ", one_, " before ", other_);
    bool moved = model_.tree.can_move_before(one_, other_);
    if (moved) moved = model_.set_parent(one_, model_.tree.parent(other_));
    if (moved) model_.tree.move_before(one_, other_);
    return agree(moved, world_.move_child_before(one_, other_));
  }
  Disagreement copy() {
    if (!world_.alive(one_) || issued_.size() >= 10) return {};
    const Entity above = world_.alive(other_) && !bytes_.chance(3) ? other_ : Entity();
    log_("copy ", one_, " below ", above, " twice");
    const auto copies = above ? world_.instantiate(child_of(above), one_, 2) : world_.instantiate(one_, 2);
    const auto originals = model_.subtree(one_);
    for (const Entity root : copies) {
      std::vector<Entity> made;
      for (const Entity entity : world_.depth_first(root)) made.push_back(entity);
      if (made.size() != originals.size()) return "a copy has another size";
      model_.copy(originals, above, made);
      issued_.insert(issued_.end(), made.begin(), made.end());
    }
    return {};
  }
  Disagreement set() {
    const std::string text(bytes_.chance(20) ? "" : kTexts[bytes_.below(std::size(kTexts))]);
    log_("name ", one_, " \"", text, '"');
    if (!bytes_.chance(4)) return agree(model_.set(one_, text), world_.names().set(one_, text));
    const bool alive = model_.tree.contains(one_);
    const bool done = model_.set(one_, text);
    world_.commands().set_name(one_, text);
    world_.flush();
    return !alive || done == world_.commands().refusals().empty() ? Disagreement()
                                                                  : "the command ends otherwise";
  }
  Disagreement remove() {
    log_("remove the name of ", one_);
    const bool had = model_.names.erase(one_) != 0;
    return world_.names().remove(one_) == had ? Disagreement() : "remove answers wrongly";
  }
  Disagreement rarely() {
    const std::size_t kind = bytes_.below(8);
    if (kind == 0) {
      log_("clear");
      world_.clear();
      model_.names.clear();
      model_.tree.clear();
    } else if (kind < 4) {
      log_("shrink");
      world_.shrink();
    } else if (kind < 6) {
      log_("move the world");
      World other = std::move(world_);
      world_ = std::move(other);
    }
    return {};
  }

  Bytes& bytes_;
  Log& log_;
  bool unique_;
  World world_;
  Subscription notified_;
  NamesModel model_;
  std::vector<Entity> issued_;
  Entity one_, other_;
};

Disagreement names_agree(Bytes& bytes, Log& log) {
  if (!bytes.turn()) return {};
  NamesTest test(bytes, log);
  return take_turns(test, bytes);
}

}  // namespace

TEST_SUITE("api/names") {
  STRATA_MODEL_TEST("names behave like a map from paths to entities", names_agree, .runs = 100, .turns = 60);
}

}  // namespace strata::test::names_model_test
