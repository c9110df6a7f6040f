#include "forest_builder.hpp"

#include <algorithm>

#include "../../storage/given_values.hpp"
#include "../states/state_flags.hpp"

namespace strata::detail {
namespace {

/// Builds the values of one component for the `count` nodes from position `position` on in breadth-first order. `to` is
/// uninitialised memory.
void gather(const ForestColumn& column, const ForestOrder& order, std::uint32_t position, std::uint32_t count,
            void* to) {
  const std::uint32_t* const nodes = order.nodes();
  column.gather(to, column.source, nodes != nullptr ? nodes + position : nullptr, position, count);
}

}  // namespace

Outcome ForestBuilder::build(const Forest& forest, Entity above, std::span<Entity> entities) {
  std::string refusal = refuse_sizes(forest, entities.size());
  if (!refusal.empty()) return Outcome::refused(std::move(refusal));
  const ForestOrder order(forest.parents, store_.memory());
  if (!order.refusal().empty()) return Outcome::refused(order.refusal());
  if (order.size() == 0) return Outcome::done();
  for (const ForestColumn& column : forest.columns) {
    require_outside(store_, "build_hierarchy", column.id, column.source);
  }

  // Copying or making a value may run user code. That code must not change the world, because the new entities are half
  // built.
  const ChangeGuard::Moving moving(store_.guard());
  const bool may_be_disabled = above && store_.tree_listened();
  plan(order, may_be_disabled ? archetype_below(store_, forest.archetype, above.index()) : forest.archetype,
       above);
  build_rows(order, entities);
  const bool runs_code = runs_user_code(forest);
  if (runs_code) made_.hide_entities();
  for (const ForestColumn& column : forest.columns) {
    if (store_.registry()[column.id].storage == Storage::sparse) {
      fill_side_store(order, column);
    } else {
      build_values(order, column);
    }
  }
  if (runs_code) made_.show_entities();
  if (above) attach_roots(order, above);
  made_.keep();
  return Outcome::done();
}

/// Returns: whether copying or making the values of a column runs user code. That code must not find the new entities,
/// because not all of their values exist yet.
bool ForestBuilder::runs_user_code(const Forest& forest) const {
  return std::ranges::any_of(forest.columns, [&](const ForestColumn& column) {
    return column.calls_program || store_.registry()[column.id].copy != nullptr;
  });
}

std::string ForestBuilder::refuse_sizes(const Forest& forest, std::size_t entities) const {
  if (entities != forest.parents.size()) {
    return "the span for the entities has " + std::to_string(entities) + " elements for " +
           std::to_string(forest.parents.size()) + " nodes";
  }
  for (const ForestColumn& column : forest.columns) {
    if (column.count == forest.parents.size()) continue;
    return "the column of \"" + store_.registry()[column.id].name + "\" has " + std::to_string(column.count) +
           " values for " + std::to_string(forest.parents.size()) + " nodes";
  }
  return "";
}

/// Prepares what must exist before the first row is made: the handles of the new entities, their links, the tables, and
/// room for the rows. `above` is the parent of the forest's roots, or a null handle.
void ForestBuilder::plan(const ForestOrder& order, Archetype& archetype, Entity above) {
  const std::size_t families = order.families().size() + (above ? 1 : 0);
  store_.slots().require_room(order.size());
  // `branch_below` may move the rows of the present children of `above`. Moving values may run user code, which may
  // record commands that take free handles. So this function chooses the handles of the new entities after that call.
  Branch& top = made_.branch_below(above, order.root_count());
  if (archetype.format().relocates()) {
    // Making room for the new rows may move the values of other rows of this archetype. Moving them may run user code,
    // which may take free handles. So create the handles of the new entities now, instead of only reserving them.
    made_.issue(order.size(), families);
  } else {
    made_.reserve_handles(order.size(), families);
  }
  plan_rows(archetype, top, order.root_count());
  std::uint32_t depth = top.rank;
  std::uint32_t level_end = order.root_count();
  std::uint32_t first = order.root_count();
  // `open_family` also writes the links from parents to children. A separate loop for the links would mostly wait for
  // their memory. In this loop, the processor can execute `plan_rows` while it waits.
  for (const auto& [parent, end] : order.families()) {
    if (parent >= level_end) {
      level_end = first;
      ++depth;
    }
    plan_rows(archetype, made_.open_family(made_.handle(parent), depth, first, end - first), end - first);
    first = end;
  }
  for (const Stretch& stretch : stretches_) made_.reserve(*stretch.table, stretch.count);
}

/// Plans that the rows of the next `count` nodes in breadth-first order go to one table: that of `archetype` in the set
/// of tables `branch`. The plan is `stretches_`; `build_rows` carries it out.
void ForestBuilder::plan_rows(Archetype& archetype, Branch& branch, std::uint32_t count) {
  if (stretches_.empty() || stretches_.back().branch != &branch) {
    stretches_.push_back({&store_.tables().get(archetype, branch), &branch, 0});
  }
  stretches_.back().count += count;
}

/// Appends a row for each node, in breadth-first order, to the tables in `stretches_`. Writes the entity of node i of
/// the forest to `entities[i]`.
void ForestBuilder::build_rows(const ForestOrder& order, std::span<Entity> entities) {
  std::uint32_t position = 0;
  for (const Stretch& stretch : stretches_) {
    for (const std::uint32_t end = position + stretch.count; position < end;) {
      const RowRun run = made_.append_next(*stretch.table, end - position);
      const Entity* const made = entities_of(run).data();
      if (order.nodes() == nullptr) {
        std::copy_n(made, run.count, entities.data() + position);
      } else {
        const std::uint32_t* const nodes = order.nodes() + position;
        for (std::uint32_t i = 0; i < run.count; ++i) entities[nodes[i]] = made[i];
      }
      position += run.count;
    }
  }
}

void ForestBuilder::build_values(const ForestOrder& order, const ForestColumn& column) {
  const ComponentInfo& component = store_.registry()[column.id];
  if (component.is_tag()) return;
  std::uint32_t position = 0;
  for (const RowRun& run : made_.runs()) {
    std::byte* const values =
        run.block->value(run.block->format->prefix_of(column.id), run.row, component.size);
    made_.build(component, values, run.count,
                [&](void* to) { gather(column, order, position, run.count, to); });
    position += run.count;
  }
}

void ForestBuilder::fill_side_store(const ForestOrder& order, const ForestColumn& column) {
  SparsePool& pool = store_.side().get(column.id);
  const ComponentInfo& component = pool.component();
  ValueBuffer buffer(component, store_.memory());
  for (std::uint32_t position = 0; position < order.size(); ++position) {
    made_.insert(pool, made_.handle(position), buffer,
                 [&](void* to) { gather(column, order, position, 1, to); });
  }
}

void ForestBuilder::attach_roots(const ForestOrder& order, Entity above) {
  links_.add_new(made_.handle(order.root_count() - 1).index());
  for (std::uint32_t i = 0; i < order.root_count(); ++i) {
    links_.attach(made_.handle(i).index(), above.index());
  }
}

}  // namespace strata::detail
