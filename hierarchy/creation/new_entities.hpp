// NewEntities: many entities in the making, which all come to be or leave nothing behind.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <span>
#include <utility>
#include <vector>

#include "../../core/reserve.hpp"
#include "../../core/rollback.hpp"
#include "../../storage/store.hpp"
#include "../families/family_rows.hpp"
#include "../links/links.hpp"
#include "value_buffer.hpp"

namespace strata::detail {

/// Makes handles, families, rows and values, and remembers them until `keep` or `undo`. Of one creation:
/// first `issue` or `promise`, then families and rows that are reserved, then rows and values. Until they are
/// kept, no new entity is linked to an old one.
class NewEntities {
 public:
  NewEntities(Store& store, Links& links, FamilyRows& rows);
  NewEntities(const NewEntities&) = delete;
  NewEntities& operator=(const NewEntities&) = delete;
  ~NewEntities() { undo(); }

  /// Issues handles, and makes room for links between them and for `families` more families.
  /// Contract: there are slots for all of them.
  void issue(std::size_t count, std::size_t families);

  /// As `issue`, for entities whose rows are appended in the order of their handles, by `append_next`: new
  /// slots are made with their rows, and written once.
  /// Contract: there are slots for all of them.
  void promise(std::size_t count, std::size_t families);

  /// Returns: the handles issued.
  /// Contract: they were not promised.
  std::span<const Entity> handles() const { return handles_; }

  /// Returns: the number of handles issued or promised.
  std::size_t size() const { return handles_.size() + new_count_; }

  /// Returns: one of the handles issued or promised.
  Entity handle(std::size_t i) const {
    if (i < handles_.size()) return handles_[i];
    return {first_new_.index() + static_cast<std::uint32_t>(i - handles_.size()), first_new_.generation()};
  }

  /// Returns: the branch for so many new children of `parent`, an entity that is alive; for roots if it names
  /// nothing.
  Branch& branch_below(Entity parent, std::size_t children);

  /// Has the families to come laid out in that way, until `branch_below` is called.
  void set_layout(Layout layout) { layout_ = layout; }
  Layout layout() const { return layout_; }

  /// Gives a new entity, at depth `depth`, a family of the new children in [first, first + count).
  /// Returns: the branch for their rows.
  Branch& open_family(Entity parent, std::uint32_t depth, std::size_t first, std::uint32_t count) {
    Branch& branch = rows_.open_branch(parent.index(), depth, layout_, count);
    repeat_family(parent, first, count, branch);
    return branch;
  }

  /// Gives a new entity a family whose rows are in a branch that is open already.
  void repeat_family(Entity parent, std::size_t first, std::uint32_t count, const Branch& branch) noexcept {
    const auto create = [&](auto child_at) {
      links_.create_family(parent.index(), count, layout_, branch.number, child_at);
    };
    if (first < handles_.size()) {
      create([&](std::uint32_t i) { return handle(first + i).index(); });
    } else {
      create([child = handle(first).index()](std::uint32_t i) { return child + i; });
    }
  }

  /// The same, of children that have been issued.
  void repeat_family(Entity parent, std::span<const Entity> children, const Branch& branch) noexcept {
    links_.create_family(parent.index(), static_cast<std::uint32_t>(children.size()), layout_, branch.number,
                         [children](std::uint32_t i) { return children[i].index(); });
  }

  /// Promises the handles of `count` entities, and rows in the table of that archetype below `above`, or of roots
  /// if it names nothing.
  /// Contract: as `promise`; `above` is alive.
  Table& begin(Archetype& archetype, Entity above, std::size_t count);

  /// Makes room for `count` more rows.
  void reserve(Table& table, std::size_t count);

  /// Appends up to `most` of the rows reserved, for the entities that `next()` gives; their values are to be
  /// built by `build`, or as plain bytes.
  template <class NextEntity>
  RowRun append(Table& table, std::size_t most, NextEntity next) {
    return append_run(table, most, [&](const RowRun& run) {
      Place place{run.block, run.row};
      for (Entity& entity : entities_of(run)) {
        entity = next();
        store_.slots().place(entity.index(), place);
        ++place.row;
      }
    });
  }

  /// Appends up to `most` of the rows reserved, for the promised entities that come next.
  RowRun append_next(Table& table, std::size_t most);

  /// Lets entities whose rows are being made not be found, where building values may run any code; until they are shown.
  void hide_entities(const RowRun& run) noexcept;
  void hide_entities() noexcept {
    for (const RowRun& run : runs_) hide_entities(run);
  }
  void show_entities(const RowRun& run) noexcept;
  void show_entities() noexcept {
    for (const RowRun& run : runs_) show_entities(run);
  }

  /// Calls `visit()` while the members that have joined pools are not visited by queries.
  template <class Visit>
  void without_members(Visit visit) {
    for (Joined& joined : pools_) joined.size = joined.pool->visit_only(joined.size);
    const Rollback show([&] {
      for (Joined& joined : pools_) joined.size = joined.pool->visit_only(joined.size);
    });
    visit();
  }

  /// Has handles that came to nothing grow stale when they are taken back, because the caller has seen them;
  /// otherwise the same ones are issued again.
  void show_handles() noexcept { shown_ = true; }

  /// Makes the entities of all rows the last children of `above`, in their order.
  /// Contract: they were promised, with a family for `above`, and their rows are in the branch below it.
  void attach_all(Entity above) noexcept;

  /// Returns: all rows appended, in their order.
  std::span<const RowRun> runs() const { return runs_; }

  /// Has `build(void* to)` build values of a component where they belong; if it throws, it has destroyed
  /// those it made.
  template <class Build>
  void build(const ComponentInfo& component, void* values, std::uint32_t count, Build build) {
    if (component.destroy == nullptr) return build(values);
    reserve_one(built_);
    build(values);
    built_.push_back({&component, values, count});
  }

  /// Notes that handles become members of a pool.
  void reserve_members(SparsePool& pool) {
    for (const Joined& joined : pools_) {
      if (joined.pool == &pool) return;
    }
    reserve_one(pools_);
    pools_.push_back({&pool, pool.size()});
  }

  /// Makes an entity a member of a pool, with the value that `build(void* to)` builds in `buffer`.
  template <class Build>
  void insert(SparsePool& pool, Entity entity, ValueBuffer& buffer, Build build) {
    reserve_members(pool);
    const ComponentInfo& component = pool.component();
    if (component.is_tag()) {
      pool.insert(entity);
      return;
    }
    void* const value = buffer.get();
    build(value);
    Rollback destroy([&] { component.destroy_values(value, 1); });
    void* const place = pool.insert(entity).value;
    destroy.dismiss();
    component.relocate_values(place, value, 1);
  }

  /// Lets everything made stay.
  void keep() noexcept;

  /// Unmakes everything, the last first.
  void undo() noexcept;

 private:
  template <class Name>
  RowRun append_run(Table& table, std::size_t most, Name name) {
    reserve_one(runs_);
    runs_.push_back(store_.rows().append_run(table, static_cast<std::uint32_t>(most), name));
    return runs_.back();
  }

  struct Joined {
    SparsePool* pool;
    std::uint32_t size;  ///< Before; while its new members are not visited, with them.
  };
  struct Built {
    const ComponentInfo* component;
    void* values;
    std::uint32_t count;
  };

  std::uint32_t highest_index() const;
  void take_handles_back() noexcept;

  Store& store_;
  Links& links_;
  FamilyRows& rows_;
  Layout layout_;  // Of the families to come.
  std::pmr::vector<Entity> handles_;
  Entity first_new_;  // Of those promised that are not recycled; they follow by index.
  std::size_t new_count_ = 0;
  bool shown_ = false;
  std::size_t next_ = 0;             // The promised handle whose row comes next.
  std::pmr::vector<Table*> tables_;  // In which rows are reserved.
  std::pmr::vector<RowRun> runs_;
  std::pmr::vector<Built> built_;   // Of components that have to be destroyed.
  std::pmr::vector<Joined> pools_;  // That handles became members of.
};

}  // namespace strata::detail
