#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "../support/cascade_check.hpp"
#include "../support/hooked.hpp"
#include "../support/refusal.hpp"
#include "subject.hpp"
#include "tree_turns.hpp"

namespace strata::test::hierarchy_model_test {

using namespace detail;

namespace {

constexpr std::uint32_t kLargeFamily = 4;
constexpr std::size_t kMostEntities = 120;  // The model is slow.
constexpr std::size_t kMostActs = 3;        // Of code of the user, in a turn.

class HierarchyTest : private UserCode {
 public:
  HierarchyTest(Layout layout, Defragmentation defragmentation, Bytes& bytes, Log& log)
      : subject_(layout, kLargeFamily, defragmentation),
        bytes_(bytes),
        log_(log),
        turns_(subject_.hierarchy, subject_.store, {layout, kLargeFamily}, model_, bytes, log, *this) {
    hooks_->destroyed = [this](int) { act(true); };
    hooks_->moved = [this](int) { act(false); };
  }

  HierarchyTest(const HierarchyTest&) = delete;
  HierarchyTest& operator=(const HierarchyTest&) = delete;
  ~HierarchyTest() override { Hooks::all() = {}; }

  Disagreement turn() {
    // Cascades run only sometimes, so that what they rely on sees several changes at once.
    cascades_ = bytes_.chance(2);
    acts_left_ = kMostActs;
    if (cascades_ && bytes_.chance(4)) subject_.make_defragmentation_due();
    const Entity entity = pick();
    const Entity other = pick();
    switch (bytes_.below(8)) {
      case 0:
      case 1:
        return create(other);
      case 2:
        return change_component(entity);
      case 3:
        return bytes_.chance(4) ? shake(entity) : change_component(entity);
      default:
        return turns_.turn(entity, other);
    }
  }

  Disagreement compare() {
    for (const Entity entity : seen_) {
      if (subject_.store.alive(entity) != model_.contains(entity)) return "alive is wrong";
      if (Disagreement wrong = turns_.compare(entity, any(entity.index()))) return wrong;
    }
    ++compared_;
    if (Disagreement wrong = turns_.compare_walks(any(compared_))) return wrong;
    if (Disagreement wrong = compare_family(any(compared_))) return wrong;
    if (Disagreement wrong = cascades_ ? compare_cascades() : Disagreement()) return wrong;
    if (std::string broken = subject_.broken(); !broken.empty()) return broken;
    return wrong_;
  }

 private:
  // Code of the user: comparisons, and moves and destructors of Hooked.

  void compare(Entity a, Entity b) override {
    if (!subject_.store.alive(a) || subject_.hierarchy.parent(a) != subject_.hierarchy.parent(b))
      wrong_ = "a comparison is asked about others than siblings";
    act(true);
  }
  void model_is_ahead() override { is_ahead_ = true; }
  Disagreement ended() override {
    is_ahead_ = false;
    return wrong_;
  }

  void act(bool is_whole) {
    if (acts_left_ == 0) return;
    --acts_left_;
    const Entity entity = any(++acts_ * 7);
    Hierarchy& hierarchy = subject_.hierarchy;
    if (is_whole) {
      if (acts_left_ == 0) {  // Once a turn: it takes long.
        if (std::string broken = subject_.broken(); !broken.empty()) wrong_ = broken;
      }
      std::size_t rows = 0;
      one_parent_.each([&](Entity one, auto&&...) { rows += subject_.store.alive(one) ? 1 : 0; });
      if (one_parent_.count() != rows) wrong_ = "other rows are visited than counted";
      if (is_ahead_ && (subject_.store.alive(entity) != model_.contains(entity) ||
                        listed(hierarchy.children(entity)) != model_.children(entity))) {
        wrong_ = "a destructor does not see what the operation has done to " + to_string(entity);
      }
    } else if (!says(refusal([&] { (void)one_parent_.count(); }), "moves values")) {
      wrong_ = "a query is not refused while values are moved";
    }
    const std::string said = refusal([&] {
      if (acts_ % 5 == 0) hierarchy.destroy(entity, ChildPolicy::destroy);
      if (acts_ % 5 == 1) (void)hierarchy.set_parent(entity, any(acts_));
      if (acts_ % 5 == 2) hierarchy.clear_parent(entity);
      if (acts_ % 5 == 3) hierarchy.defragment(kAll);
      if (acts_ % 5 == 4) hierarchy.sort_children(entity, [](Entity, Entity) { return false; });
    });
    if (!says(said, "is under way")) wrong_ = "a change by code of the user is refused with \"" + said + '"';
  }

  struct Record {
    int health = -1;
    int name = -1;
    bool frozen = false;
  };

  Entity any(std::size_t number) const { return seen_.empty() ? Entity() : seen_[number % seen_.size()]; }
  Entity pick() {
    if (seen_.empty() || bytes_.chance(24)) return {static_cast<std::uint32_t>(bytes_.below(30)), 1};
    // Mostly a live one: to the dead, nothing much can happen.
    const std::size_t first = bytes_.below(seen_.size());
    for (std::size_t i = first; i < seen_.size(); ++i) {
      if (model_.contains(seen_[i])) return seen_[i];
    }
    return seen_[first];
  }

  Disagreement create(Entity parent) {
    const bool tagged = bytes_.chance(3);
    const bool many = bytes_.chance(6) && model_.size() < kMostEntities;
    const std::size_t count = many ? 1 + bytes_.below(40) : 1;
    if (!model_.contains(parent)) parent = Entity();
    log_("create ", count, " under ", parent, tagged ? ", tagged" : "");
    for (std::size_t i = 0; i < count; ++i) {
      const int number = static_cast<int>(seen_.size());
      const Entity entity = subject_.create(parent, number, tagged);
      model_.create(entity, parent);
      records_[entity] = {number, -1, tagged};
      seen_.push_back(entity);
    }
    return {};
  }

  Disagreement change_component(Entity entity) {
    const std::size_t kind = bytes_.below(4);
    log_("add or remove component ", kind, " of ", entity);
    if (!model_.contains(entity)) return {};
    Record& record = records_[entity];
    Store& store = subject_.store;
    const int number = 1000 + static_cast<int>(entity.index());
    if (kind == 0) {
      subject_.toggle_tag(entity);
      record.frozen = !record.frozen;
    } else if (kind == 3) {
      if (store.remove(entity, hooked_)) return {};
      alignas(Hooked) std::array<std::byte, sizeof(Hooked)> room;
      store.add(entity, hooked_, ::new (room.data()) Hooked(number));
    } else if (kind == 1) {
      const bool had = store.remove(entity, subject_.health);
      if (!had) ::new (store.add(entity, subject_.health).value) Health{number};
      record.health = had ? -1 : number;
    } else {
      const bool had = store.remove(entity, subject_.name);
      if (!had) ::new (store.add(entity, subject_.name).value) Name{static_cast<std::uint64_t>(number)};
      record.name = had ? -1 : number;
    }
    return {};
  }

  /// Moves rows more often than the log of moves holds.
  Disagreement shake(Entity entity) {
    log_("move the rows of ", entity, " and its children 300 times");
    std::vector<Entity> moving = model_.children(entity);
    if (model_.contains(entity)) moving.push_back(entity);
    for (std::size_t i = 0; !moving.empty() && i < 300 / moving.size() + 1; ++i) {
      for (const Entity each : moving) {
        subject_.toggle_tag(each);
        records_[each].frozen = !records_[each].frozen;
      }
    }
    return {};
  }

  const Record& parent_record(Entity entity) const {
    static const Record none;
    const Entity parent = model_.parent(entity);
    return parent ? records_.at(parent) : none;
  }
  /// Compares the queries of one entity's children with asking each of them.
  Disagreement compare_family(Entity parent) {
    const std::string of = " of the children of " + to_string(parent) + " is wrong";
    std::vector<Entity> expected;
    for (const Entity child : model_.children(parent)) {
      if (records_.at(child).health != -1) expected.push_back(child);
    }
    auto family = one_parent_.children_of(parent);
    std::vector<Entity> visited;
    bool right = true;
    family.each([&](Entity entity, const Health& own, const Health* above) {
      visited.push_back(entity);
      right = right && own.points == records_.at(entity).health;
      right = right && (above != nullptr ? above->points : -1) == records_.at(parent).health;
    });
    if (visited != expected) return "each" + of;
    if (!right) return "a value" + of;
    visited.clear();
    for (const auto& row : family) visited.push_back(std::get<0>(row));
    if (visited != expected) return "a range" + of;
    if (family.count() != expected.size()) return "count" + of;
    if (family.first() != (expected.empty() ? Entity() : expected.front())) return "first" + of;
    for (const Entity entity : seen_) {
      const bool matches = std::find(expected.begin(), expected.end(), entity) != expected.end();
      if (family.contains(entity) != matches) return "contains(" + to_string(entity) + ")" + of;
      const bool explained = family.explain(entity).find(" matches") != std::string::npos;
      if (explained != matches) return "explain" + of + ": " + family.explain(entity);
    }
    return {};
  }

  /// The number of the nearest ancestor that has one.
  int nearest_number(Entity entity, int Record::*number) const {
    for (const Entity above : model_.ancestors(entity)) {
      if (records_.at(above).*number != -1) return records_.at(above).*number;
    }
    return -1;
  }
  Disagreement compare_cascades() {
    using Numbers = std::optional<std::vector<int>>;
    const auto one = [&](Entity entity) -> Numbers {
      const Record& own = records_.at(entity);
      if (own.health == -1) return {};
      return std::vector{own.health, parent_record(entity).health};
    };
    const auto two = [&](Entity entity) -> Numbers {
      const Record& above = parent_record(entity);
      return std::vector{records_.at(entity).health, above.health, above.name};
    };
    const auto some = [&](Entity entity) -> Numbers {
      if (!records_.at(entity).frozen) return {};
      return std::vector{parent_record(entity).name};
    };
    const auto above = [&](Entity entity) -> Numbers {
      return std::vector{parent_record(entity).health, nearest_number(entity, &Record::health),
                         nearest_number(entity, &Record::name)};
    };
    // Which query comes first after changes has all of them to find out about.
    Disagreement wrong;
    for (std::size_t i = 0; !wrong && i < 4; ++i) {
      const std::size_t query = (i + compared_) % 4;
      wrong = query == 0   ? check_cascades(one_parent_, model_, one)
              : query == 1 ? check_cascades(two_parents_, model_, two)
              : query == 2 ? check_cascades(frozen_, model_, some)
                           : check_cascades(nearest_, model_, above);
    }
    return wrong;
  }

  HookScope hooks_;
  Subject subject_;
  ComponentId hooked_ = subject_.store.registry().id_of<Hooked>();
  Bytes& bytes_;
  Log& log_;
  TreeModel model_;
  TreeTurns<Hierarchy> turns_;
  std::map<Entity, Record> records_;
  std::vector<Entity> seen_;
  bool cascades_ = true;
  std::size_t compared_ = 0;
  std::size_t acts_ = 0;
  std::size_t acts_left_ = 0;
  bool is_ahead_ = false;
  Disagreement wrong_;
  const Relation* parents_ = &subject_.hierarchy.parents();
  Query<Entity, const Health, Parent<const Health>> one_parent_{subject_.store, parents_};
  Query<Entity, Maybe<const Health>, Parent<const Health>, Parent<const Name>> two_parents_{subject_.store,
                                                                                            parents_};
  Query<Entity, With<Frozen>, Parent<const Name>> frozen_{subject_.store, parents_};
  Query<Entity, Parent<const Health>, Up<const Health>, Up<const Name>> nearest_{subject_.store, parents_};
};

Disagreement hierarchies_agree(Bytes& bytes, Log& log) {
  const Layout layout = kLayouts[bytes.turn() ? bytes.below(kLayouts.size()) : 0];
  log("layout ", name_of_layout(layout));
  const Defragmentation defragmentation =
      bytes.chance(2) ? Defragmentation::automatic : Defragmentation::manual;
  HierarchyTest test(layout, defragmentation, bytes, log);
  return take_turns(test, bytes);
}

}  // namespace

TEST_SUITE("hierarchy/hierarchy") {
  STRATA_MODEL_TEST("a hierarchy behaves like a map from child to parent, whatever the layout",
                    hierarchies_agree, .runs = 30, .turns = 80);
}

}  // namespace strata::test::hierarchy_model_test
