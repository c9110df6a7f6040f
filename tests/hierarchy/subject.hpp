// A hierarchy under test: with its store, its memory, and components to create entities with.
#pragma once

#include <string>

#include "../../hierarchy/creation/forest.hpp"
#include "../../hierarchy/families/branches.hpp"
#include "../../hierarchy/families/defragmenter.hpp"
#include "../../hierarchy/hierarchy.hpp"
#include "../../query/query.hpp"
#include "../support/components.hpp"
#include "../support/failing_memory.hpp"

namespace strata::test {

using namespace detail;

/// Whether a value is the one expected, or neither exists. A small value that is only read may be a copy.
template <class T>
bool same(const T* value, const void* expected) {
  if (value == nullptr || expected == nullptr) return value == expected;
  return *value == *static_cast<const T*>(expected);
}

struct Subject {
  FailingMemory memory;
  Store store{&memory};
  Hierarchy hierarchy;
  ComponentId health = store.registry().id_of<Health>();
  ComponentId name = store.registry().id_of<Name>();
  ComponentId frozen = store.registry().id_of<Frozen>();

  explicit Subject(Layout layout, std::uint32_t large_family = 4,
                   Defragmentation defragmentation = Defragmentation::manual)
      : hierarchy(store, {layout, large_family, defragmentation}) {}

  /// Has the next cascade defragment, if the hierarchy defragments by itself.
  void make_defragmentation_due() { hierarchy.defragmenter().add_loss(std::uint64_t{1} << 40); }

  /// Creates a root, or a child of `parent`, with that Health; some are tagged, so that families have several
  /// tables.
  Entity create(Entity parent, int number, bool tagged = false) {
    Archetype& plain = store.archetypes().with(store.archetypes().empty(), health);
    Archetype& archetype = tagged ? store.archetypes().with(plain, frozen) : plain;
    const Entity entity = (parent ? hierarchy.create_below(parent, archetype)
                                  : store.create_row(archetype, store.tables().root()))
                              .entity;
    ::new (store.find(entity, health)) Health{number};
    return entity;
  }

  /// Adds or removes the tag: the entity's row moves to another table.
  void toggle_tag(Entity entity) {
    if (!store.remove(entity, frozen)) store.add(entity, frozen);
  }

  const Table& table(Entity entity) const { return table_of(*store.slots().find(entity).block); }
  bool shares_level(Entity entity) const { return Branches::is_level(table(entity).branch()); }

  std::string broken() const {
    const std::string complaint = store.check_invariants();
    return complaint.empty() ? hierarchy.check_invariants() : complaint;
  }
};

}  // namespace strata::test
