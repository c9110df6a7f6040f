#include "../../hierarchy/creation/instantiator.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "../../hierarchy/hierarchy.hpp"
#include "../support/failing_memory.hpp"
#include "../support/model_test.hpp"
#include "../support/tree_model.hpp"
#include "../support/values.hpp"

namespace strata::test::instantiator_test {

using namespace detail;

namespace {

constexpr Layout kLayouts[] = {Layout::per_parent, Layout::per_level, Layout::adaptive};

/// Refers to another entity.
struct Target {
  Entity entity;
  void remap_entities(const EntityMap& map) { entity = map(entity); }
};
struct SparseTarget : Target {};

}  // namespace

}  // namespace strata::test::instantiator_test

template <>
inline constexpr strata::Storage strata::storage_of<strata::test::instantiator_test::SparseTarget> =
    strata::Storage::sparse;

namespace strata::test::instantiator_test {

namespace {

struct Subject {
  FailingMemory memory;
  Store store{&memory};
  Hierarchy hierarchy;
  std::vector<Kind> kinds = copyable_kinds();
  ComponentId target = store.registry().id_of<Target>();
  ComponentId sparse_target = store.registry().id_of<SparseTarget>();

  explicit Subject(Layout layout) : hierarchy(store, {.layout = layout, .large_family = 4}) {}

  std::vector<Kind> copyable_kinds() {
    std::vector<Kind> all = all_kinds(store.registry());
    std::erase_if(all, [&](const Kind& kind) { return !store.registry()[kind.id].can_copy(); });
    return all;
  }

  Entity create(Entity parent) {
    Archetype& archetype = store.archetypes().empty();
    return (parent ? hierarchy.create_below(parent, archetype)
                   : store.create_row(archetype, store.tables().root()))
        .entity;
  }
  void add(Entity entity, const Kind& kind, int number) {
    const Store::Added added = store.add(entity, kind.id);
    if (!kind.tag && !added.existed) kind.make(added.value, number);
  }
  void refer(Entity entity, Entity other) {
    ::new (store.add(entity, target).value) Target{other};
    ::new (store.add(entity, sparse_target).value) SparseTarget{{other}};
  }
  std::string broken() const {
    const std::string complaint = store.check_invariants();
    return complaint.empty() ? hierarchy.check_invariants() : complaint;
  }
};

constexpr std::size_t kHealth = 0;  // Kinds of Subject::kinds.
constexpr std::size_t kCounted = 2;

/// What an entity has, beside its place in the tree.
struct Contents {
  std::map<std::size_t, int> numbers;  // By kind.
  Entity target;
};

class CopyTest {
 public:
  CopyTest(Layout layout, Bytes& bytes, Log& log) : subject_(layout), bytes_(bytes), log_(log) {}

  Disagreement turn() {
    const Entity entity = pick();
    const Entity other = pick();
    switch (bytes_.below(16)) {
      case 0:
        return destroy(entity);
      case 1:
      case 2:
        return set_parent(entity, other);
      case 3:
      case 4:
      case 5: {
        const Entity above = model_.parent(entity);
        return copy(above && bytes_.chance(2) ? above : entity, other, bytes_.below(4));
      }
      case 6:
      case 7:
        refer(entity, other);
        return {};
      case 8:
      case 9:
      case 10:
        add(entity, bytes_.below(subject_.kinds.size()), static_cast<int>(bytes_.below(100)));
        return {};
      default:
        create(other);
        return {};
    }
  }

  Disagreement compare() {
    std::size_t alive = 0;
    for (const auto& [entity, contents] : contents_) {
      if (subject_.store.alive(entity) != model_.contains(entity)) return to_string(entity) + " is gone";
      if (!model_.contains(entity)) continue;
      ++alive;
      if (Disagreement wrong = compare(entity, contents)) return wrong;
    }
    if (subject_.store.slots().in_use() != alive) return "the number of entities is wrong";
    if (std::string broken = subject_.broken(); !broken.empty()) return broken;
    return {};
  }

 private:
  Entity pick() {
    if (contents_.empty()) return {};
    if (model_.size() != 0 && !bytes_.chance(10)) {
      std::vector<Entity> alive;
      for (const auto& [entity, contents] : contents_) {
        if (model_.contains(entity)) alive.push_back(entity);
      }
      return alive[bytes_.below(alive.size())];
    }
    return std::next(contents_.begin(), static_cast<std::ptrdiff_t>(bytes_.below(contents_.size())))->first;
  }

  void create(Entity parent) {
    if (!model_.contains(parent)) parent = Entity();
    const Entity entity = subject_.create(parent);
    log_("create ", entity, " below ", parent);
    model_.create(entity, parent);
    contents_[entity] = {};
    // Most entities are of one archetype, so that clusters have many members.
    const int number = static_cast<int>(contents_.size());
    for (const std::size_t kind : {kHealth, kCounted}) add(entity, kind, number);
  }
  void add(Entity entity, std::size_t kind, int number) {
    if (!model_.contains(entity) || contents_[entity].numbers.contains(kind)) return;
    log_("add ", subject_.kinds[kind].name, " to ", entity);
    subject_.add(entity, subject_.kinds[kind], number);
    contents_[entity].numbers[kind] = number;
  }
  void refer(Entity entity, Entity other) {
    if (!model_.contains(entity)) return;
    log_("let ", entity, " refer to ", other);
    subject_.refer(entity, other);
    contents_[entity].target = other;
  }
  Disagreement destroy(Entity entity) {
    log_("destroy ", entity);
    if (subject_.hierarchy.destroy(entity, ChildPolicy::destroy) != model_.contains(entity)) return "destroy";
    if (model_.contains(entity)) model_.destroy(entity);
    return {};
  }
  Disagreement set_parent(Entity child, Entity parent) {
    log_("set the parent of ", child, " to ", parent);
    const bool expected = model_.can_set_parent(child, parent);
    if (static_cast<bool>(subject_.hierarchy.set_parent(child, parent)) != expected) return "set_parent";
    if (expected) model_.set_parent(child, parent);
    return {};
  }

  Disagreement copy(Entity root, Entity above, std::size_t count) {
    if (!model_.contains(root) || model_.size() + model_.breadth_first(root).size() * count > 250) return {};
    if (!model_.contains(above)) above = Entity();
    log_("copy ", root, ' ', count, " times below ", above);
    const std::vector<Entity> originals = model_.breadth_first(root);
    std::vector<Entity> roots(count);
    subject_.hierarchy.instantiate(root, above, roots);
    for (const Entity copy : roots) {
      if (Disagreement wrong = check_copy(originals, copy, above)) return wrong;
    }
    return {};
  }

  /// Tells the model of a copy, whose handles only the subject can name.
  Disagreement check_copy(const std::vector<Entity>& originals, Entity copy, Entity above) {
    const std::vector<Entity> copies = subject_.hierarchy.breadth_first(copy);
    if (copies.size() != originals.size()) return "the size of a copy is wrong";
    std::map<Entity, Entity> copy_of;
    for (std::size_t i = 0; i < copies.size(); ++i) {
      if (model_.contains(copies[i])) return "a copy has the handle of another entity";
      copy_of[originals[i]] = copies[i];
    }
    for (const Entity original : originals) {
      const Entity parent = original == originals.front() ? above : copy_of[model_.parent(original)];
      model_.create(copy_of[original], parent);
      Contents contents = contents_[original];
      if (copy_of.contains(contents.target)) contents.target = copy_of[contents.target];
      contents_[copy_of[original]] = contents;
    }
    return {};
  }

  Disagreement compare(Entity entity, const Contents& contents) {
    const std::string of = " of " + to_string(entity) + " is wrong";
    const ChildRange children = subject_.hierarchy.children(entity);
    if (std::vector<Entity>(children.begin(), children.end()) != model_.children(entity)) {
      return "the list of children" + of;
    }
    if (subject_.hierarchy.parent(entity) != model_.parent(entity)) return "the parent" + of;
    if (subject_.hierarchy.depth(entity) != model_.depth(entity)) return "the depth" + of;
    for (std::size_t kind = 0; kind < subject_.kinds.size(); ++kind) {
      const auto expected = contents.numbers.find(kind);
      const Kind& shape = subject_.kinds[kind];
      if (subject_.store.has(entity, shape.id) != (expected != contents.numbers.end()))
        return shape.name + of;
      if (expected == contents.numbers.end() || shape.tag) continue;
      if (shape.read(subject_.store.find(entity, shape.id)) != expected->second) return shape.name + of;
    }
    const auto* target = static_cast<const Target*>(subject_.store.find(entity, subject_.target));
    const auto* sparse =
        static_cast<const SparseTarget*>(subject_.store.find(entity, subject_.sparse_target));
    if ((target != nullptr ? target->entity : Entity()) != contents.target) return "the target" + of;
    if ((sparse != nullptr ? sparse->entity : Entity()) != contents.target) return "the sparse target" + of;
    return {};
  }

  Subject subject_;
  Bytes& bytes_;
  Log& log_;
  TreeModel model_;
  std::map<Entity, Contents> contents_;
};

Disagreement copies_agree(Bytes& bytes, Log& log) {
  const std::size_t picked = bytes.turn() ? bytes.below(std::size(kLayouts)) : 0;
  const Layout layout = kLayouts[picked];
  log("layout ", picked);
  const CountedScope scope;
  {
    CopyTest test(layout, bytes, log);
    if (Disagreement wrong = take_turns(test, bytes)) return wrong;
  }
  if (!scope.clean()) return "values were not destroyed once each";
  return {};
}

}  // namespace

TEST_SUITE("hierarchy/instantiator") {
  STRATA_MODEL_TEST("a copied subtree is one created by hand", copies_agree, .runs = 60, .turns = 80);

  TEST_CASE("layouts that were set in the subtree are set in the copies, and hold below them") {
    for (const Layout world : kLayouts) {
      for (const Layout chosen : kLayouts) {
        CAPTURE(static_cast<int>(world));
        CAPTURE(static_cast<int>(chosen));
        Subject subject(world);
        const Entity root = subject.create({});
        const Entity child = subject.create(root);
        const Entity leaf = subject.create(child);
        const Entity inner = subject.create(child);
        const Entity below = subject.create(inner);
        subject.hierarchy.set_layout(child, chosen);
        subject.hierarchy.set_layout(below, Layout::per_parent);
        const std::size_t failures = [&] {
          std::vector<Entity> copies(3);
          const std::size_t failed = sweep_out_of_memory(
              subject.memory, [&] { subject.hierarchy.instantiate(root, Entity(), copies); },
              [&] { CHECK(subject.hierarchy.check_invariants() == ""); });
          for (const Entity copy : copies) {
            std::vector<Entity> nodes;
            for (const Entity node : subject.hierarchy.depth_first(copy)) nodes.push_back(node);
            REQUIRE(nodes.size() == 5);
            CHECK(subject.hierarchy.layout_below(nodes[0]) == world);
            CHECK(subject.hierarchy.layout_below(nodes[1]) == chosen);
            CHECK(subject.hierarchy.layout_below(nodes[2]) == chosen);
            CHECK(subject.hierarchy.layout_below(nodes[3]) == chosen);
            CHECK(subject.hierarchy.layout_below(nodes[4]) == Layout::per_parent);
            // It is the node's own: another parent does not change it.
            const Entity other = subject.create({});
            subject.hierarchy.set_layout(other, Layout::per_level);
            REQUIRE(subject.hierarchy.set_parent(nodes[1], other));
            CHECK(subject.hierarchy.layout_below(nodes[3]) == chosen);
          }
          return failed;
        }();
        CHECK(failures > 0);
        CHECK(subject.hierarchy.layout_below(leaf) == chosen);
        CHECK(subject.hierarchy.check_invariants() == "");
        CHECK(subject.store.check_invariants() == "");
      }
    }
  }
  TEST_CASE("copying one unit again and again allocates nothing once there is room") {
    Subject subject(Layout::per_level);
    const Entity unit = subject.create({});
    const Entity arm = subject.create(unit);
    subject.create(arm);
    subject.create(arm);
    subject.add(arm, subject.kinds[0], 1);
    subject.refer(unit, arm);
    std::vector<Entity> copies(50);
    const auto cycle = [&] {
      subject.hierarchy.instantiate(unit, Entity(), copies);
      for (const Entity copy : copies) subject.hierarchy.destroy(copy, ChildPolicy::destroy);
    };
    cycle();
    cycle();
    const std::size_t before = subject.memory.allocations();
    for (int i = 0; i < 10; ++i) cycle();
    CHECK(subject.memory.allocations() == before);
    CHECK(subject.broken().empty());
  }
  TEST_CASE("many copies fill several blocks") {
    for (const Layout layout : kLayouts) {
      Subject subject(layout);
      const Kind huge = kind_of<Huge>(subject.store.registry(), "Huge");
      const Entity unit = subject.create({});
      std::vector<Entity> parts;
      for (int i = 0; i < 5; ++i) {
        parts.push_back(subject.create(unit));
        subject.add(parts.back(), huge, i);
      }
      std::vector<Entity> copies(40);
      subject.hierarchy.instantiate(unit, Entity(), copies);
      for (const Entity copy : copies) {
        int number = 0;
        for (const Entity part : subject.hierarchy.children(copy)) {
          CHECK(huge.read(subject.store.find(part, huge.id)) == number++);
        }
        CHECK(number == 5);
      }
      CHECK(subject.broken().empty());
    }
  }
  TEST_CASE("a deep chain is copied without recursion") {
    Subject subject(Layout::per_level);
    const Entity top = subject.create({});
    Entity end = top;
    for (int depth = 1; depth < 5'000; ++depth) end = subject.create(end);
    Entity copy;
    subject.hierarchy.instantiate(top, end, {&copy, 1});
    CHECK(subject.hierarchy.depth(copy) == 5'000);
    CHECK(subject.hierarchy.breadth_first(top).size() == 10'000);
  }
  TEST_CASE("a component that cannot be copied is refused with both names, before anything is made") {
    Subject subject(Layout::per_parent);
    const Entity unit = subject.create({});
    const Entity part = subject.create(unit);
    for (const Kind& kind : {kind_of<Owner>(subject.store.registry(), "Owner"),
                             kind_of<SparseOwner>(subject.store.registry(), "SparseOwner")}) {
      subject.add(part, kind, 1);
      Entity copy;
      std::string message;
      try {
        subject.hierarchy.instantiate(unit, Entity(), {&copy, 1});
      } catch (const ContractViolation& violation) {
        message = violation.what();
      }
      CHECK(message.find(to_string(part)) != std::string::npos);
      CHECK(message.find(kind.name) != std::string::npos);
      CHECK(subject.store.slots().in_use() == 2);
      subject.store.remove(part, kind.id);
    }
    CHECK(subject.broken().empty());
  }
}

}  // namespace strata::test::instantiator_test
