#include "row_reader.hpp"

#include <algorithm>

#include "../../core/value_buffer.hpp"
#include "../states/state_flags.hpp"

namespace strata::detail {

/// Reads which components the rows of a chunk (a part of the file) have, into `components_`.
/// Returns: whether the content is valid.
bool RowReader::read_signature(ByteReader& from) {
  const std::size_t count = from.read_count(1, sizeof(void*));
  components_.clear();
  for (std::size_t i = 0; i < count; ++i) {
    const SavedComponent* const component = state_.read_number(from);
    if (component == nullptr) return false;
    if (component->is_sparse || is_listed(*component))
      return state_.refuse(in_quotes(component->name) + " is not in tables, or is named twice");
    components_.push_back(component);
  }
  return true;
}

/// Returns: whether `component` is in `components_`, so that the file must not name it again. False for a component
/// that LoadRules leave out (see SavedComponent::is_skipped): the world gets none of its values, so naming it twice
/// does no harm.
bool RowReader::is_listed(const SavedComponent& component) const {
  return !component.is_skipped() && std::ranges::find(components_, &component) != components_.end();
}

/// Reads the states (such as disabled) and the layer (a group of entities with one integer key) of the rows of a chunk.
/// Returns: the archetype with the components in `components_` and the tags of these states and this layer; null if the
/// content is not valid.
Archetype* RowReader::read_archetype(ByteReader& from) {
  Store& store = state_.parts.store;
  std::vector<ComponentId> ids;
  for (const SavedComponent* const component : components_) {
    if (!component->is_skipped()) ids.push_back(component->id);
  }
  const auto add = [&](bool is_in, ComponentId tag) {
    if (is_in) ids.push_back(tag);
  };
  StateFlags flags;
  for (StateSet* const states : {&flags.itself, &flags.subtree, &flags.above}) {
    const std::uint64_t bits = from.read_size();
    if (bits >> kStates.size() != 0) return nullptr;
    for (const State state : kStates) states->set(state, (bits >> to_index(state) & 1) != 0);
  }
  for (const State state : kStates) {
    if (!flags.all().contains(state)) continue;
    store.registry().add_state_tags(state);
    const StateTags& tags = store.registry().state_tags(state);
    add(true, tags.shown);
    add(flags.itself.contains(state), tags.itself);
    add(flags.subtree.contains(state), tags.subtree);
    add(flags.above.contains(state), tags.above);
  }
  has_states_ = has_states_ || flags.all().any();
  const bool is_layered = read_flag(from);
  const auto key = is_layered ? from.read<std::int32_t>() : Layers::kDefaultKey;
  if (from.failed() || is_layered != (key != Layers::kDefaultKey)) return nullptr;
  state_.parts.layers.list_tags(key, ids);
  return &store.archetypes().get(Signature(ids, store.memory()));
}

/// Reads the slot indices of the entities that the rows of a chunk belong to, into `indices_`.
/// Returns: whether the content is valid.
bool RowReader::read_indices(ByteReader& from, const Archetype& archetype) {
  // A single row may have any size: its size depends only on the types of the program, so a damaged file cannot make it
  // larger. The memory for several rows is limited, because a damaged file may have a wrong number of rows.
  const std::size_t row_bytes = archetype.format().row_bytes() + kRowOverhead;
  const std::size_t count = from.read_count(4, 0);
  if (count > 1 && !from.allow(count, row_bytes)) return false;
  indices_.resize(count);
  from.read_all(indices_);
  rows_ += static_cast<std::uint32_t>(count);
  return !from.failed();
}

/// Chooses the tables for the rows of a chunk, and reserves the rows. The table of a row depends on the parent of the
/// row's entity.
/// Returns: false if an entity has no slot in the saved world, or has a row already.
bool RowReader::plan_rows(Archetype& archetype) {
  const Slots& slots = state_.parts.store.slots();
  const Links& links = state_.parts.links;
  Branches& branches = state_.parts.rows.branches();
  stretches_.clear();
  for (std::size_t at = 0; at < indices_.size();) {
    // Successive entities with the same parent have the same branch (set of tables), so look it up once for all of
    // them.
    const std::size_t begin = at;
    const std::uint32_t parent = links.parent(indices_[at]);
    while (at < indices_.size() && links.parent(indices_[at]) == parent) {
      if (!slots.is_reserved(indices_[at])) return refuse_row(indices_[at]);
      ++at;
    }
    const bool is_root = parent == Links::kNone;
    Branch& branch = is_root ? branches.root() : *branches.find(links.find_family(parent));
    Table& table = state_.parts.store.tables().get(archetype, branch);
    if (stretches_.empty() || stretches_.back().table != &table) stretches_.push_back({&table, 0});
    stretches_.back().count += static_cast<std::uint32_t>(at - begin);
  }
  for (const Stretch& stretch : stretches_) made_.reserve(*stretch.table, stretch.count);
  return true;
}

bool RowReader::refuse_row(std::uint32_t index) {
  return state_.refuse_entity(index, "has no row, or has two");
}

/// Appends the rows of a chunk to the tables, without values.
/// Returns: false if the chunk names an entity twice, so that the entity would have two rows.
bool RowReader::append_rows() {
  const Slots& slots = state_.parts.store.slots();
  const std::uint32_t* next = indices_.data();
  const std::uint32_t* wrong = nullptr;
  const auto take_next = [&] {
    if (!slots.is_reserved(*next)) wrong = next;
    return slots.handle_of(*next++);
  };
  for (const Stretch& stretch : stretches_) {
    for (std::uint32_t left = stretch.count; left != 0;)
      left -= made_.append(*stretch.table, left, take_next).count;
  }
  return wrong == nullptr || refuse_row(*wrong);
}

bool RowReader::read_rows(ByteReader& from) {
  // If the chunk is refused, remove its rows and their entities again. Hide the entities first: look-ups by handle must
  // not find them, because they do not have all of their values.
  Rollback undo([&] {
    made_.hide_entities();
    made_.undo();
  });
  if (!read_signature(from)) return false;
  Store& store = state_.parts.store;
  Archetype* const archetype = read_archetype(from);
  if (archetype == nullptr) return false;
  const ChangeGuard::Moving moving(store.guard());
  if (!read_indices(from, *archetype) || !plan_rows(*archetype) || !append_rows()) return false;
  const bool runs_code = archetype->format().has_objects();
  if (runs_code) made_.hide_entities();
  if (!read_columns(from) || from.left() != 0) return false;
  if (runs_code) made_.show_entities();
  made_.keep();
  undo.dismiss();
  return true;
}

bool RowReader::read_columns(ByteReader& from) {
  for (const SavedComponent* const component : components_) {
    if (component->is_skipped() || state_.parts.store.registry()[component->id].is_tag()) {
      if (!state_.read_values_of(*component, nullptr, indices_.size(), from)) return false;
      continue;
    }
    const ComponentInfo& info = state_.parts.store.registry()[component->id];
    for (const RowRun& run : made_.runs()) {
      void* const values = run.block->value(run.block->format->prefix_of(component->id), run.row, info.size);
      made_.build(info, values, run.count, [&](void* to) { state_.make_values(*component, to, run.count); });
      if (!state_.read_values_of(*component, values, run.count, from)) return false;
    }
  }
  return true;
}

bool RowReader::close() {
  return (rows_ == state_.parts.store.slots().in_use() ||
          state_.refuse("some entities before it have no row")) &&
         (!has_states_ || close_states());
}

/// Checks the states (such as disabled) that entities have inherited from their ancestors. The inherited states of an
/// entity must be exactly those that were set for one of its ancestors together with that ancestor's subtree. If this
/// holds for all entities, calls States::placed, because the new entities may be in states.
/// Returns: true if it holds; otherwise false, and the file is refused.
bool RowReader::close_states() {
  const Store& store = state_.parts.store;
  for (std::uint32_t node = 0; node < store.slots().size(); ++node) {
    if (store.slots().is_in_use(node) &&
        flags_of(store, node).above != inherited_from(store, state_.parts.links.parent(node)))
      return state_.refuse_entity(node, "and its parent disagree about their states");
  }
  state_.parts.states.placed();
  return true;
}

bool RowReader::read_members(ByteReader& from) {
  const SavedComponent* const component = state_.read_number(from);
  if (component == nullptr) return false;
  if (!component->is_sparse) return state_.refuse(in_quotes(component->name) + " is not in a sparse set");
  const std::size_t count = from.read_count(4, 0);
  ByteReader entities({from.read_bytes(4 * count), 4 * count});
  if (from.failed()) return false;
  if (component->is_skipped()) return state_.read_values_of(*component, nullptr, count, from);
  const ComponentInfo& info = state_.parts.store.registry()[component->id];
  if (count > 1 && !from.allow(count, info.size + kRowOverhead)) return false;
  SparsePool& pool = state_.parts.store.side().get(component->id);
  ValueBuffer buffer(info, state_.parts.store.memory());
  const ChangeGuard::Moving moving(state_.parts.store.guard());
  for (std::size_t i = 0; i < count; ++i) {
    Entity entity;
    if (!state_.read_entity(entities, entity)) return false;
    if (pool.contains(entity))
      return state_.refuse_entity(entity.index(), "has " + in_quotes(info.name) + " twice");
    if (!read_member(*component, pool, entity, buffer, from)) return false;
  }
  return true;
}

bool RowReader::read_member(const SavedComponent& component, SparsePool& pool, Entity entity,
                            ValueBuffer& buffer, ByteReader& from) {
  const ComponentInfo& info = pool.component();
  if (info.is_tag()) {
    pool.insert(entity);
    return state_.read_values_of(component, nullptr, 1, from);
  }
  if (!state_.read_value(component, buffer.get(), from)) return false;
  Rollback destroy([&] { info.destroy_values(buffer.get(), 1); });
  void* const place = pool.insert(entity).value;
  destroy.dismiss();
  info.relocate_values(place, buffer.get(), 1);
  return true;
}

}  // namespace strata::detail
