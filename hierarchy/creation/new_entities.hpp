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

/// Creates handles, families, rows and values, and records them until `keep` or `undo`. One creation calls
/// `issue` or `promise` first, then reserves families and rows, then makes rows and values. Until `keep`, no
/// new entity is linked to an existing one.
class NewEntities {
 public:
  NewEntities(Store& store, Links& links, FamilyRows& rows);
  NewEntities(const NewEntities&) = delete;
  NewEntities& operator=(const NewEntities&) = delete;
  ~NewEntities() { undo(); }

  /// Issues handles, and reserves links for them and for `families` more families.
  /// Contract: there are slots for all of them.
  void issue(std::size_t count, std::size_t families);

  /// As `issue`, for entities whose rows are appended by `append_next` in the order of their handles. New
  /// slots are made together with their rows, so each is written only once.
  /// Contract: there are slots for all of them.
  void reserve_handles(std::size_t count, std::size_t families);

  /// Returns: the handles issued.
  /// Contract: they were issued, not promised.
  std::span<const Entity> handles() const { return handles_; }

  /// Returns: the number of handles issued or promised.
  std::size_t size() const { return handles_.size() + new_count_; }

  /// Returns: one of the handles issued or promised.
  Entity handle(std::size_t i) const {
    if (i < handles_.size()) return handles_[i];
    return {first_new_.index() + static_cast<std::uint32_t>(i - handles_.size()), first_new_.generation()};
  }

  /// Returns: the branch for so many new children of `parent`, which is alive; for new roots if it is a null
  /// handle.
  Branch& branch_below(Entity parent, std::size_t children);

  /// Sets the layout of the families opened from now on, until `branch_below` is called.
  void set_layout(Layout layout) { layout_ = layout; }
  Layout layout() const { return layout_; }

  /// Gives a new entity at depth `depth` a family: the new children in [first, first + count).
  /// Returns: the branch for their rows.
  Branch& open_family(Entity parent, std::uint32_t depth, std::size_t first, std::uint32_t count);

  /// Gives a new entity a family whose rows are in a branch that is already open.
  void repeat_family(Entity parent, std::size_t first, std::uint32_t count, const Branch& branch) noexcept;

  /// As above, for children whose handles have been issued.
  void repeat_family(Entity parent, std::span<const Entity> children, const Branch& branch) noexcept;

  /// Promises the handles of `count` entities, and reserves rows in the archetype's table below `above`; for
  /// roots if `above` is a null handle.
  /// Contract: as `promise`; `above` is alive.
  Table& begin(Archetype& archetype, Entity above, std::size_t count);

  /// Reserves `count` more rows.
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

  /// Appends up to `most` of the reserved rows for the next promised entities.
  RowRun append_next(Table& table, std::size_t most);

  /// Hides entities whose rows are being built, if building values may run user code. Lookups do not
  /// find them until they are shown.
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

  /// Makes the entities of all rows the last children of `above`, in their order.
  /// Contract: they were promised with a family for `above`, and their rows are in the branch below it.
  void attach_all(Entity above) noexcept;

  /// Returns: all rows appended, in their order.
  std::span<const RowRun> runs() const { return runs_; }

  /// Calls `build(void* to)` to build values of a component in place. If it throws, it has destroyed the
  /// values that it built.
  template <class Build>
  void build(const ComponentInfo& component, void* values, std::uint32_t count, Build build) {
    if (component.destroy == nullptr) return build(values);
    reserve_record();
    build(values);
    record({&component, values, count});
  }

  /// Records that handles become members of a pool.
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

  /// Removes everything that was created, in reverse order. Look-ups do not find the entities while their values are
  /// destroyed.
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
  Entity first_new_;  // First promised entity that is not recycled; the others follow by index.
  std::size_t new_count_ = 0;
  bool shown_ = false;
  std::size_t next_ = 0;             // Index of the next promised handle to get a row.
  std::pmr::vector<Table*> tables_;  // Tables with reserved rows.
  std::pmr::vector<RowRun> runs_;
  std::pmr::vector<Built> built_;   // Values of components that have a destructor.
  std::pmr::vector<Joined> pools_;  // Pools that got new members.
};

}  // namespace strata::detail
