// BulkCreation: creates many entities with the same components and the same parent in one call.
#pragma once

#include <cstddef>
#include <span>

#include "../../core/rollback.hpp"
#include "../../storage/rows/unfinished_rows.hpp"
#include "../../storage/store_change.hpp"
#include "new_entities.hpp"

namespace strata::detail {

/// Creates many entities with the same components and the same parent in one call. BulkCreation first makes all rows,
/// then the values in them, then the links to the parent. If a step fails, nothing has been created. Constructors that
/// run during the call can look up only those new entities whose values are all built.
///
/// Contract: the objects that the constructor receives outlive this object.
/// Threads: only a thread that may change the store uses this object.
class BulkCreation {
 public:
  BulkCreation(Store& store, Links& links, FamilyRows& rows) : store_(store), new_(store, links, rows) {}

  /// Creates `count` entities as the last children of `above`, or as roots if `above` is a null handle. The new rows
  /// form runs: a run is adjacent rows in one block (piece of memory) of a table. For each run in turn, calls `build`
  /// and then `fill`. When this is done for all runs, calls `notify` for each run:
  /// - `build(NewEntities&, RowRun)` builds the values in the rows
  /// - `fill(NewEntities&, RowRun)` may change these values; at that time, look-ups by handle find the entities of the
  ///   run
  /// - `notify(first, entities)` reports the entities of the run; `first` is the number of entities in the runs before
  ///   this one
  /// Queries do not visit the new entities before the first `notify`. `runs_code` is whether `build` may run code of
  /// the program. If so, look-ups by handle do not find the entities of a run before its values are built. If not,
  /// `fill` must not look up entities of later runs: hiding their slots (16 bytes each) took half as long again as the
  /// creation of two components from three floats each.
  /// Contract: `above` is alive or null; nothing is being iterated; `notify` throws nothing.
  /// Errors: std::bad_alloc, and exceptions of `build` or `fill`; nothing has been created then.
  template <class Build, class Fill, class Notify>
  void create(Archetype& archetype, Entity above, std::size_t count, bool runs_code, Build build, Fill fill,
              Notify notify, CallSite at) {
    {
      const Store::Change change(store_, "create_many", above, at);
      if (above) store_.require_alive("create_many below", above, at);
      if (count == 0) return;
      // Building values may run user code. That code must not change the world, because the new rows are unfinished.
      const ChangeGuard::Operation operation(store_.guard(), "create_many");
      Rollback undo([&] { new_.undo(); });
      Table& table = new_.begin(archetype, above, count);
      UnfinishedRows unfinished(table, store_.rows().changes());
      // Append all rows before building values. Appending creates the handles that `begin` has chosen. Building values
      // may run user code that records commands, and a recorded command could otherwise take one of these handles.
      for (std::size_t left = count; left != 0;) left -= new_.append_next(table, left).count;
      if (runs_code) new_.hide_entities();
      unfinished.hide();
      for (const RowRun& run : new_.runs()) {
        {
          const ChangeGuard::Moving moving(store_.guard());
          build(new_, run);
        }
        if (runs_code) new_.show_entities(run);
        fill(new_, run);
      }
      unfinished.show();
      if (above) new_.attach_all(above);
      std::size_t notified = 0;
      for (const RowRun& run : new_.runs()) {
        notify(notified, entities_of(run));
        notified += run.count;
      }
      undo.dismiss();
      notify_listener();
      new_.keep();
    }
    store_.notification_ended();
  }

 private:
  void notify_listener() noexcept {
    if (!store_.listened()) return;
    for (const RowRun& run : new_.runs()) store_.listener()->created(entities_of(run));
  }

  Store& store_;
  NewEntities new_;  // A member, so that it keeps its scratch memory between calls.
};

}  // namespace strata::detail
