#include "instantiator.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "../families/branches.hpp"
#include "../states/state_flags.hpp"

namespace strata::detail {

Instantiator::Instantiator(Store& store, Links& links, FamilyRows& rows)
    : store_(store),
      links_(links),
      made_(store, links, rows),
      subtree_(store, links),
      members_(store.memory()),
      clusters_(store.memory()),
      sources_(store.memory()),
      replacements_(store.memory()),
      layouts_(store.memory()) {}

void Instantiator::copy(Entity root, Entity above, std::span<Entity> roots,
                        std::span<const Override> overrides) {
  subtree_.list(root);
  take_overrides(overrides);
  if (roots.empty()) return;
  // Copying a value may run user code. That code must not change the world, because the copies are half built.
  const ChangeGuard::Moving moving(store_.guard());
  Rollback undo([&] { made_.undo(); });
  plan(above, roots.size());
  hides_ = runs_user_code();
  for (const Cluster& cluster : clusters_) {
    find_sources(cluster);
    for_each_table(cluster, roots.size(), [&](Table& table, Copies copies) { fill(cluster, table, copies); });
  }
  for (const Subtree::SidePart& part : subtree_.side_parts()) fill_side_store(part, roots.size());
  if (hides_) made_.show_entities();
  if (subtree_.has_references()) remap(roots.size());
  undo.dismiss();
  for (std::size_t copy = 0; copy < roots.size(); ++copy) roots[copy] = copy_at(copy).front();
  if (above) links_.attach_all(roots, above.index());
  made_.keep();
}

/// Records the overrides: the values that copies get instead of those of the originals. For a component in the side
/// store (sparse sets), replaces the address of the original's value in `subtree_`. For a component in tables, adds the
/// override to `replacements_`.
void Instantiator::take_overrides(std::span<const Override> overrides) {
  replacements_.clear();
  if (std::ranges::any_of(overrides,
                          [&](const Override& given) { return given.node != subtree_.entities()[0]; }))
    index_positions();
  for (const Override& given : overrides) {
    const std::uint32_t position = find_position(given.node);
    const ComponentInfo& component = store_.registry()[given.id];
    STRATA_EXPECTS(position < subtree_.size(),
                   "instantiate: a value of \"" + component.name + "\" is given for the copy of entity " +
                       to_string(given.node) + ", which is not in the subtree of entity " +
                       to_string(subtree_.entities()[0]));
    const bool sparse = component.storage == Storage::sparse;
    STRATA_EXPECTS(sparse ? subtree_.replace_side_value(given.id, position, given.value)
                          : subtree_.archetype(position).format().contains(given.id),
                   "instantiate: a value of \"" + component.name + "\" is given for the copy of entity " +
                       to_string(given.node) + ", which has none: add it to that entity, or to the copy");
    if (!sparse) replacements_.push_back({position, given.id, given.value});
  }
  std::ranges::stable_sort(replacements_, {}, &Replacement::position);
}

/// Returns: the position of an entity, that is, its index in the list of all entities of the subtree; the length of the
/// list if the entity is not in the subtree.
/// Contract: `index_positions` was called, or the entity is the root of the subtree.
std::uint32_t Instantiator::find_position(Entity node) const {
  if (node == subtree_.entities()[0]) return 0;
  const std::uint32_t position =
      node.index() < positions_.size() ? positions_[node.index()] : subtree_.size();
  return position < subtree_.size() && subtree_.entities()[position] == node ? position : subtree_.size();
}

/// Creates the handles, links and tables of all copies, and reserves room for their rows, before any row is made. Fills
/// `clusters_`. Entities of the subtree form a Cluster if they have one archetype and their copies are stored together.
/// `above` is the parent of the root's copies, or a null handle.
void Instantiator::plan(Entity above, std::size_t copies) {
  const std::size_t nodes = subtree_.size();
  constexpr auto kTooMany = std::numeric_limits<std::size_t>::max();
  store_.slots().require_room(copies <= kTooMany / nodes ? copies * nodes : kTooMany);
  std::size_t families = subtree_.families().size();
  for (const Subtree::ChosenLayout& chosen : subtree_.chosen_layouts())
    families += chosen.has_children ? 0 : 1;
  made_.issue(copies * nodes, copies * families + (above ? 1 : 0));

  plan_states(above);
  members_.assign(1, 0);
  clusters_.clear();
  Branch& top = made_.branch_below(above, copies);
  add_clusters(0, &top, 0);
  plan_layouts();
  plan_families(top.rank);
  for (std::size_t copy = 1; copy < copies; ++copy) repeat_families(copy);
  for (std::size_t copy = 0; copy < copies; ++copy) choose_layouts(copy);
  for (const Cluster& cluster : clusters_) {
    for_each_table(cluster, copies,
                   [&](Table& table, Copies among) { made_.reserve(table, among.count * cluster.count); });
  }
}

/// If any entity of the world is in a state, such as disabled: chooses for each copy the archetype that has the tags of
/// the copy's states. A state is set for one entity or for a subtree. A copy has the states that are set for its
/// original, except that a copy of a prefab is not a prefab. A copy also takes over the states that are set for the
/// subtrees of its ancestors, which are other copies, `above`, and the ancestors of `above`.
void Instantiator::plan_states(Entity above) {
  if (!store_.archetypes().states().any()) return;
  // Of the previous entity in the list: its archetype (`recent`), and the archetype (`target`) and states (`wanted`) of
  // its copy. For most entities, `recent` and `wanted` stay the same. Then `target` does, too, and is not looked up.
  Archetype* recent = nullptr;
  Archetype* target = nullptr;
  StateFlags wanted;
  const auto set_above = [&](std::uint32_t position, StateSet inherited) {
    Archetype& from = subtree_.archetype(position);
    StateFlags flags = from.state_flags();
    flags.above = inherited;
    if (position == 0) flags.subtree.set(State::prefab, false);
    if (&from != recent || flags != wanted) target = &with_flags(store_, from, flags);
    recent = &from;
    wanted = flags;
    subtree_.set_archetype(position, *target);
  };
  set_above(0, above ? inherited_from(store_, above.index()) : StateSet());
  for (const Subtree::Family& family : subtree_.families()) {
    const StateSet inherited = subtree_.archetype(family.parent).state_flags().inherited_by_children();
    for (std::uint32_t i = 0; i < family.child_count; ++i) set_above(family.first_child + i, inherited);
  }
}

/// Sets Subtree::Family::layout for each entity of the subtree that has children: which tables hold the rows of the
/// children's copies. If World::set_layout was called for an entity, its copies have the same layout. Each other entity
/// takes over the layout of its parent. The root, if no layout was set for it, takes over the layout for the children
/// of `above` (see `plan`) or, if `above` is null, the layout for roots.
void Instantiator::plan_layouts() {
  for (Subtree::Family& family : subtree_.families()) family.layout = made_.layout();
  if (subtree_.chosen_layouts().empty()) return;
  layouts_.assign(subtree_.size(), made_.layout());
  const Subtree::ChosenLayout* chosen = subtree_.chosen_layouts().data();
  const Subtree::ChosenLayout* const end = chosen + subtree_.chosen_layouts().size();
  const auto choose_up_to = [&](std::uint32_t position) {
    for (; chosen != end && chosen->position <= position; ++chosen)
      layouts_[chosen->position] = chosen->layout;
  };
  choose_up_to(0);
  for (Subtree::Family& family : subtree_.families()) {
    family.layout = layouts_[family.parent];
    std::fill_n(layouts_.begin() + family.first_child, family.child_count, family.layout);
    choose_up_to(family.first_child + family.child_count - 1);
  }
}

/// For each entity of the subtree for which World::set_layout was called, sets the same layout for the copy of that
/// entity in copy number `copy` of the subtree.
void Instantiator::choose_layouts(std::size_t copy) {
  for (const Subtree::ChosenLayout& chosen : subtree_.chosen_layouts()) {
    Links::Family& family = links_.get_family(copy_at(copy)[chosen.position].index());
    family.layout = static_cast<std::uint32_t>(chosen.layout) & 3u;
    family.chooses_layout = 1;
  }
}

/// Links the entities of the first copy to their parents, and groups the entities below the root into clusters. The
/// entities of a cluster have one archetype, and their copies are stored together. If the copies of one parent's
/// children get tables of their own, these children are not grouped with other entities. All other entities of one
/// depth and archetype form one cluster. `root_depth` is the depth of the copies of the root. Also sets
/// Subtree::Family::depth and Subtree::Family::branch.
void Instantiator::plan_families(std::uint32_t root_depth) {
  std::uint32_t level_end = 1;
  auto first_member = static_cast<std::uint32_t>(members_.size());
  Branch* shared = nullptr;
  const auto end_level = [&] {
    if (shared != nullptr) add_clusters(first_member, std::exchange(shared, nullptr), 0);
    first_member = static_cast<std::uint32_t>(members_.size());
  };
  std::uint32_t depth = root_depth;
  for (Subtree::Family& family : subtree_.families()) {
    if (family.parent >= level_end) {
      end_level();
      ++depth;
      level_end = family.first_child;
    }
    family.depth = depth;
    family.branch = &open_family(family, 0);
    if (!Branches::is_level(*family.branch)) continue;
    shared = family.branch;
    add_family(family);
  }
  end_level();
  for (const Subtree::Family& family : subtree_.families()) {
    if (Branches::is_level(*family.branch)) continue;
    first_member = static_cast<std::uint32_t>(members_.size());
    add_family(family);
    add_clusters(first_member, nullptr, family.parent);
  }
}

Branch& Instantiator::open_family(const Subtree::Family& family, std::size_t copy) {
  const std::size_t first = copy * subtree_.size();
  made_.set_layout(family.layout);
  return made_.open_family(made_.handle(first + family.parent), family.depth, first + family.first_child,
                           family.child_count);
}

/// Links the entities of copy number `copy` to their parents. Not for copy 0, whose entities `plan_families` links.
void Instantiator::repeat_families(std::size_t copy) {
  const std::span<const Entity> entities = copy_at(copy);
  for (const Subtree::Family& family : subtree_.families()) {
    if (Branches::is_level(*family.branch)) {
      made_.set_layout(family.layout);
      made_.repeat_family(entities[family.parent], entities.subspan(family.first_child, family.child_count),
                          *family.branch);
    } else {
      open_family(family, copy);
    }
  }
}

void Instantiator::add_family(const Subtree::Family& family) {
  for (std::uint32_t i = 0; i < family.child_count; ++i) members_.push_back(family.first_child + i);
}

/// Sorts `members_` by archetype, from index `first_member` to the end. Then adds a Cluster to `clusters_` for each
/// archetype of these entities. `branch` and `parent` become Cluster::branch and Cluster::parent.
void Instantiator::add_clusters(std::uint32_t first_member, Branch* branch, std::uint32_t parent) {
  const auto id_at = [&](std::uint32_t position) { return subtree_.archetype(position).id(); };
  const auto by_archetype = [&](std::uint32_t a, std::uint32_t b) { return id_at(a) < id_at(b); };
  const auto begin = members_.begin() + first_member;
  if (!std::is_sorted(begin, members_.end(), by_archetype)) {
    std::sort(begin, members_.end(), [&](std::uint32_t a, std::uint32_t b) {
      return std::pair(id_at(a), a) < std::pair(id_at(b), b);
    });
  }
  for (auto from = begin; from != members_.end();) {
    const auto to = id_at(*from) == id_at(members_.back())
                        ? members_.end()
                        : std::upper_bound(from, members_.end(), *from, by_archetype);
    clusters_.push_back({static_cast<std::uint32_t>(from - members_.begin()),
                         static_cast<std::uint32_t>(to - from), &subtree_.archetype(*from), branch, parent});
    from = to;
  }
}

Table& Instantiator::table_for(const Cluster& cluster, std::size_t copy) {
  if (cluster.branch != nullptr) return store_.tables().get(*cluster.archetype, *cluster.branch);
  const std::uint32_t parent = copy_at(copy)[cluster.parent].index();
  return store_.tables().get(*cluster.archetype, store_.tables().branch(links_.find_family(parent)->branch));
}

/// Calls `visit(Table&, Copies)` for each table that stores copies of the cluster's members: one table for all `copies`
/// copies of the subtree if Cluster::branch is set, otherwise one for each. Copies says for which copies the table is.
template <class Visit>
void Instantiator::for_each_table(const Cluster& cluster, std::size_t copies, Visit visit) {
  if (cluster.branch != nullptr) return visit(table_for(cluster, 0), Copies{0, copies});
  for (std::size_t copy = 0; copy < copies; ++copy) visit(table_for(cluster, copy), Copies{copy, 1});
}

void Instantiator::find_sources(const Cluster& cluster) {
  sources_.resize(cluster.count);
  for (std::uint32_t i = cluster.count; i-- > 0;) {
    const std::uint32_t position = members_[cluster.first + i];
    const Place place = store_.slots().place_of(subtree_.entities()[position].index());
    sources_[i] = {place, 1};
    if (i + 1 == cluster.count) continue;
    const Source& next = sources_[i + 1];
    if (next.place.block == place.block && next.place.row == place.row + 1) sources_[i].run = next.run + 1;
  }
}

/// For each copy of the subtree in `copies`, appends to `table` one row for each member of the cluster. Copies the
/// values from the originals. If `hides_` is set, hides the new entities, because not all of their values exist yet.
/// Contract: `find_sources` was called for the cluster.
void Instantiator::fill(const Cluster& cluster, Table& table, Copies copies) {
  const std::uint32_t* const members = members_.data() + cluster.first;
  const Entity* copy = copy_at(copies.first).data();
  std::uint32_t member = 0;
  const auto next = [&] {
    const Entity entity = copy[members[member]];
    if (++member == cluster.count) {
      member = 0;
      copy += subtree_.size();
    }
    return entity;
  };
  for (std::size_t left = copies.count * cluster.count; left != 0;) {
    const std::uint32_t first_member = member;
    const RowRun run = made_.append(table, left, next);
    if (hides_) made_.hide_entities(run);
    for (const Column& column : run.block->format->columns()) copy_column(cluster, column, run, first_member);
    left -= run.count;
  }
}

/// Copies one column's values from the originals to the new rows in `run`. The rows repeat the members of the cluster
/// in order: the first row is a copy of member number `member`, the next row is a copy of the next member, and so on.
/// The row after a copy of the last member is a copy of member 0.
void Instantiator::copy_column(const Cluster& cluster, const Column& column, const RowRun& run,
                               std::uint32_t member) {
  const ComponentInfo& component = *column.component;
  const bool as_bytes = component.copy == nullptr;
  std::byte* const values = run.block->value(column.prefix, run.row, column.size);
  const auto members = static_cast<std::uint32_t>(sources_.size());
  // Plain bytes are copied from the originals to the first rows, one for each member, and from there to all others.
  const std::uint32_t from_originals = as_bytes ? std::min(run.count, members) : run.count;
  std::uint32_t done = 0;
  while (done < from_originals) {
    const Original original = find_original(cluster, column, member);
    const std::uint32_t count = std::min(original.count, from_originals - done);
    std::byte* const to = values + std::size_t{done} * column.size;
    if (as_bytes) {
      std::memcpy(to, original.values, std::size_t{count} * column.size);
    } else {
      made_.build(component, to, count, [&](void* at) { component.copy(at, original.values, count); });
    }
    done += count;
    member = member + count == members ? 0 : member + count;
  }
  while (done < run.count) {
    const std::uint32_t count = std::min(done, run.count - done);
    std::memcpy(values + std::size_t{done} * column.size, values, std::size_t{count} * column.size);
    done += count;
  }
}

/// Returns: if `member` has an override of the column's component, only that value; otherwise the originals' values for
/// `member` and members after it, as far as these values are in adjacent rows and no member has such an override.
Instantiator::Original Instantiator::find_original(const Cluster& cluster, const Column& column,
                                                   std::uint32_t member) const {
  const Source& source = sources_[member];
  std::uint32_t count = source.run;
  const std::uint32_t* const members = members_.data() + cluster.first;  // In ascending order.
  auto next = std::ranges::lower_bound(replacements_, members[member], {}, &Replacement::position);
  const void* given = nullptr;
  for (; next != replacements_.end(); ++next) {
    if (next->id != column.id) continue;
    if (next->position > members[member]) {
      const auto* const end = std::lower_bound(members + member, members + cluster.count, next->position);
      count = std::min(count, static_cast<std::uint32_t>(end - (members + member)));
      break;
    }
    given = next->value;
  }
  if (given != nullptr) return {given, 1};
  return {source.place.block->value(column.prefix, source.place.row, column.size), count};
}

void Instantiator::fill_side_store(const Subtree::SidePart& part, std::size_t copies) {
  const ComponentInfo& component = part.pool->component();
  ValueBuffer buffer(component, store_.memory());
  for (std::size_t copy = 0; copy < copies; ++copy) {
    for (const Subtree::SideValue& side : subtree_.values_of(part)) {
      made_.insert(*part.pool, copy_at(copy)[side.position], buffer,
                   [&](void* to) { component.copy_values(to, side.value, 1); });
    }
  }
}

/// For each entity of the subtree, writes its position in `subtree_.entities()` to `positions_[entity.index()]`.
void Instantiator::index_positions() {
  std::uint32_t highest = 0;
  for (const Entity entity : subtree_.entities()) highest = std::max(highest, entity.index());
  if (highest >= positions_.size()) positions_.resize(highest + 1);
  for (std::uint32_t i = 0; i < subtree_.size(); ++i) positions_[subtree_.entities()[i].index()] = i;
}

/// Values may contain entity handles. If a copied value refers to an entity of the original subtree, makes the value
/// refer to the copy of that entity in the same copy of the subtree instead.
void Instantiator::remap(std::size_t copies) {
  index_positions();
  for (std::size_t copy = 0; copy < copies; ++copy) {
    remap_copy(EntityMap(subtree_.entities(), copy_at(copy), positions_), copy);
  }
}

void Instantiator::remap_copy(const EntityMap& map, std::size_t copy) {
  const std::span<const Entity> entities = copy_at(copy);
  for (const Cluster& cluster : clusters_) {
    for (const Column& column : cluster.archetype->format().columns()) {
      if (column.component->remap == nullptr) continue;
      for (std::uint32_t i = 0; i < cluster.count; ++i) {
        const Place place = store_.slots().place_of(entities[members_[cluster.first + i]].index());
        column.component->remap(place.block->value(column.prefix, place.row, column.size), 1, map);
      }
    }
  }
  for (const Subtree::SidePart& part : subtree_.side_parts()) {
    if (part.pool->component().is_tag() || part.pool->component().remap == nullptr) continue;
    for (const Subtree::SideValue& side : subtree_.values_of(part)) {
      part.pool->component().remap(part.pool->find(entities[side.position]), 1, map);
    }
  }
}

}  // namespace strata::detail
