// NewEntities: creates many entities at once, all or none.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <span>
#include <utility>
#include <vector>

#include "../../core/reserve.hpp"
#include "../../core/rollback.hpp"
#include "../../storage/store.hpp"
#include "../links/links.hpp"
#include "../links/policies.hpp"
#include "value_buffer.hpp"

namespace strata::detail {

class FamilyRows;

/// Creates many entities together, and can undo that: records their handles, families, rows and values until
/// `keep` or `undo`. A creation first calls `issue` or `reserve_handles`, then reserves families (the
/// children of one parent) and rows, then makes rows and values. Contract of `undo`: no
/// new entity has been linked to an existing one.
class NewEntities {
 public:
  NewEntities(Store& store, Links& links, FamilyRows& rows);
  NewEntities(const NewEntities&) = delete;
  NewEntities& operator=(const NewEntities&) = delete;
  ~NewEntities() { undo(); }

  /// Issues handles, and reserves links for them and for `families` more families.
  /// Contract: there are slots for all of them.
  void issue(std::size_t count, std::size_t families);

  /// Does what `issue` does, for entities whose rows are appended by `append_next` in the order of their
  /// handles. Handles with recycled slots are issued at once; handles with new slots are only determined. New
  /// slots are made together with their rows, so each is written only once.
  /// Contract: there are slots for all of them.
  void reserve_handles(std::size_t count, std::size_t families);

  /// Returns: the handles issued.
  /// Contract: they were issued by `issue`.
  std::span<const Entity> handles() const { return handles_; }

  /// Returns: the number of handles issued or reserved.
  std::size_t size() const { return handles_.size() + new_count_; }

  /// Returns: handle number `i` of those issued or reserved.
  Entity handle(std::size_t i) const {
    if (i < handles_.size()) return handles_[i];
    return {first_new_.index() + static_cast<std::uint32_t>(i - handles_.size()), first_new_.generation()};
  }

  /// Returns: the branch (see Branches) for the rows of `children` new children of `parent`, which is alive;
  /// of new roots if `parent` is a null handle. May move the rows of the present children.
  Branch& branch_below(Entity parent, std::size_t children);

  /// Sets the layout of the families opened from now on, until `branch_below` is called.
  void set_layout(Layout layout) { layout_ = layout; }
  Layout layout() const { return layout_; }

  /// Makes the new entities with the handle numbers [first, first + count) the children of the new entity
  /// `parent`, which has the depth `depth`.
  /// Returns: the branch for the rows of these children, created if needed.
  Branch& open_family(Entity parent, std::uint32_t depth, std::size_t first, std::uint32_t count);

  /// Makes the new entities with the handle numbers [first, first + count) the children of the new entity
  /// `parent`. Their rows are in `branch`, which exists already.
  void repeat_family(Entity parent, std::size_t first, std::uint32_t count, const Branch& branch) noexcept;

  /// Makes the new entities `children`, whose handles have been issued, the children of the new entity
  /// `parent`. Their rows are in `branch`.
  void repeat_family(Entity parent, std::span<const Entity> children, const Branch& branch) noexcept;

  /// Begins a creation of `count` children of `above`, or of roots if `above` is a null handle: reserves
  /// their handles and their rows.
  /// Returns: the table of the rows.
  /// Contract: as `reserve_handles`; `above` is alive or null.
  Table& begin(Archetype& archetype, Entity above, std::size_t count);

  /// Reserves `count` more rows in a table.
  void reserve(Table& table, std::size_t count);

  /// Appends up to `most` of the reserved rows, for the entities that `next()` returns. The caller then
  /// builds their values, by `build` or as plain bytes.
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

  /// Appends up to `most` of the reserved rows, for the entities whose handles come next.
  /// Returns: the rows, which are adjacent.
  RowRun append_next(Table& table, std::size_t most);

  /// Hides the entities of a run of rows, or of all rows, if building their values may run user code.
  /// Look-ups do not find them until `show_entities`.
  void hide_entities(const RowRun& run) noexcept;
  void hide_entities() noexcept {
    for (const RowRun& run : runs_) hide_entities(run);
  }
  void show_entities(const RowRun& run) noexcept;
  void show_entities() noexcept {
    for (const RowRun& run : runs_) show_entities(run);
  }

  /// Calls `visit()`. Queries do not visit the new members of pools during the call.
  template <class Visit>
  void without_members(Visit visit) {
    for (Joined& joined : pools_) joined.size = joined.pool->visit_only(joined.size);
    const Rollback show([&] {
      for (Joined& joined : pools_) joined.size = joined.pool->visit_only(joined.size);
    });
    visit();
  }

  /// Makes `undo` turn the handles stale, because the caller has seen them. Otherwise the same handles are
  /// issued again.
  void show_handles() noexcept { shown_ = true; }

  /// Makes the entities of all appended rows the last children of `above`, in their order.
  /// Contract: the creation was begun by `begin` with this parent.
  void attach_all(Entity above) noexcept;

  /// Returns: all rows appended, in their order.
  std::span<const RowRun> runs() const { return runs_; }

  /// Calls `build(values)`, which builds `count` values of a component there, and records them for `undo`.
  /// Contract: if `build` throws, it has destroyed the values that it built.
  template <class Build>
  void build(const ComponentInfo& component, void* values, std::uint32_t count, Build build) {
    if (component.destroy == nullptr) return build(values);
    reserve_record();
    build(values);
    record({&component, values, count});
  }

  /// Records that new entities are going to become members of a pool, so that `undo` removes them.
  void reserve_members(SparsePool& pool);

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

  /// Makes everything that was created permanent.
  void keep() noexcept;

  /// Removes everything that was created, in reverse order. Look-ups do not find the entities while their
  /// values are destroyed.
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
    /// The number of members before; while the new members are hidden, the number with them.
    std::uint32_t size;
  };
  struct Built {
    const ComponentInfo* component;
    void* values;
    std::uint32_t count;
  };

  void reserve_record();
  void record(const Built& built) noexcept;
  std::uint32_t highest_index() const;
  void destroy_values() noexcept;
  void take_handles_back() noexcept;

  Store& store_;
  Links& links_;
  FamilyRows& rows_;
  Layout layout_;  // Of the families opened next.
  std::pmr::vector<Entity> handles_;
  Entity first_new_;  // First reserved handle with a new slot; the others follow by index.
  std::size_t new_count_ = 0;
  bool shown_ = false;
  std::size_t next_ = 0;             // Number of the next handle to get a row.
  std::pmr::vector<Table*> tables_;  // Tables with reserved rows.
  std::pmr::vector<RowRun> runs_;
  std::pmr::vector<Built> built_;   // Values of components that have a destructor.
  std::pmr::vector<Joined> pools_;  // Pools that got new members.
};

}  // namespace strata::detail
