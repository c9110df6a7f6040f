#include "forest_builder.hpp"

namespace strata {
namespace {

const void* value_of(const ForestColumn& column, std::size_t size, std::uint32_t node) {
  return static_cast<const std::byte*>(column.values) + size * node;
}

/// Copies the values of the nodes at `count` positions from `position` on.
void gather(const ForestColumn& column, std::size_t size, const ForestOrder& order, std::uint32_t position,
            std::uint32_t count, void* to) {
  if (order.nodes() != nullptr) {
    column.gather(to, column.values, order.nodes() + position, count);
  } else {
    column.gather(to, value_of(column, size, position), nullptr, count);
  }
}

}  // namespace

BuiltHierarchy ForestBuilder::build(const Forest& forest, Entity above) {
  BuiltHierarchy built{Outcome::done(), {}};
  std::string refusal = refuse_columns(forest);
  if (!refusal.empty()) return {Outcome::refused(std::move(refusal)), {}};
  const ForestOrder order(forest.parents, store_.memory());
  if (!order.refusal().empty()) return {Outcome::refused(order.refusal()), {}};
  if (order.size() == 0) return built;

  built.entities.resize(order.size());
  // Copying a value may run any code: it may not change what is half made.
  const Store::IterationLock lock(store_);
  plan(order, forest.archetype, above);
  build_rows(order, forest.columns);
  for (const ForestColumn& column : forest.columns) {
    if (store_.registry()[column.id].storage == Storage::sparse) fill_side_store(order, column);
  }
  const std::span<const Entity> handles = made_.handles();
  if (above) links_.attach_all(handles.first(order.root_count()), above.index());
  if (order.nodes() == nullptr) {
    std::copy(handles.begin(), handles.end(), built.entities.begin());
  } else {
    for (std::uint32_t i = 0; i < order.size(); ++i) built.entities[order.nodes()[i]] = handles[i];
  }
  made_.keep();
  return built;
}

std::string ForestBuilder::refuse_columns(const Forest& forest) const {
  for (const ForestColumn& column : forest.columns) {
    if (column.count == forest.parents.size()) continue;
    return "the column of \"" + store_.registry()[column.id].name + "\" has " + std::to_string(column.count) +
           " values for " + std::to_string(forest.parents.size()) + " nodes";
  }
  return "";
}

/// Makes handles, families, branches and tables, and room for the rows.
void ForestBuilder::plan(const ForestOrder& order, Archetype& archetype, Entity above) {
  made_.issue(order.size(), order.family_count() + (above ? 1 : 0));
  Branch& top = made_.branch_below(above, order.root_count());
  plan_rows(archetype, top, order.root_count());
  const std::span<const Entity> handles = made_.handles();
  std::uint32_t depth = top.rank;
  std::uint32_t level_end = order.root_count();
  for (std::uint32_t position = 0; position < order.size(); ++position) {
    if (position == level_end) {
      level_end = order.first_child(position);
      ++depth;
    }
    const std::uint32_t count = order.child_count(position);
    if (count == 0) continue;
    const std::span<const Entity> children = handles.subspan(order.first_child(position), count);
    plan_rows(archetype, made_.open_family(handles[position], depth, children), count);
  }
  for (const Stretch& stretch : stretches_) made_.expect(*stretch.table, stretch.count);
}

void ForestBuilder::plan_rows(Archetype& archetype, Branch& branch, std::uint32_t count) {
  if (!stretches_.empty() && stretches_.back().branch == &branch) {
    stretches_.back().count += count;
  } else {
    stretches_.push_back({&store_.tables().get(archetype, branch), &branch, count});
  }
}

void ForestBuilder::build_rows(const ForestOrder& order, std::span<const ForestColumn> columns) {
  const Entity* next = made_.handles().data();
  std::uint32_t position = 0;
  for (const Stretch& stretch : stretches_) {
    for (const std::uint32_t end = position + stretch.count; position < end;) {
      const RowRun run = made_.append(*stretch.table, end - position, [&] { return *next++; });
      build_values(run, order, position, columns);
      position += run.count;
    }
  }
}

void ForestBuilder::build_values(const RowRun& run, const ForestOrder& order, std::uint32_t position,
                                 std::span<const ForestColumn> columns) {
  const ColumnLayout& layout = *run.block->layout;
  for (const ForestColumn& column : columns) {
    const std::uint32_t prefix = layout.prefix_of(column.id);
    if (prefix >= ColumnLayout::kTag) continue;
    const ComponentDescription& component = store_.registry()[column.id];
    std::byte* const values = run.block->value(prefix, run.row, component.size);
    made_.build(component, values, run.count,
                [&](void* to) { gather(column, component.size, order, position, run.count, to); });
  }
}

void ForestBuilder::fill_side_store(const ForestOrder& order, const ForestColumn& column) {
  SparsePool& pool = store_.side().get(column.id);
  const ComponentDescription& component = pool.component();
  ValueBuffer buffer(component, store_.memory());
  for (std::uint32_t position = 0; position < order.size(); ++position) {
    made_.insert(pool, made_.handles()[position], buffer,
                 [&](void* to) { gather(column, component.size, order, position, 1, to); });
  }
}

}  // namespace strata
