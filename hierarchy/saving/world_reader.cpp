#include "world_reader.hpp"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <utility>

#include "../../core/value_buffer.hpp"
#include "../../core/values/value_bytes.hpp"
#include "../../storage/set_storage.hpp"
#include "../../storage/toggles.hpp"
#include "../prefabs/instance_of.hpp"
#include "../relations/pair.hpp"
#include "type_format.hpp"

namespace strata::detail {
namespace {

std::string in_quotes(std::string_view name) {
  return '"' + std::string(name) + '"';
}

bool read_flag(ByteReader& from) {
  const auto byte = from.read<std::uint8_t>();
  if (byte > 1) from.fail();
  return byte == 1;
}
Layout read_layout_of(ByteReader& from) {
  const auto byte = from.read<std::uint8_t>();
  if (byte > static_cast<std::uint8_t>(Layout::adaptive)) from.fail();
  return from.failed() ? Layout::adaptive : static_cast<Layout>(byte);
}

}  // namespace

Outcome read_options(ChunkReader& chunks, SavedOptions& options) {
  if (!chunks.read_head() || !chunks.next()) return Outcome::refused(chunks.fault());
  ByteReader from(chunks.content());
  options.policy.layout = read_layout_of(from);
  options.policy.large_family = from.read<std::uint32_t>();
  options.world_number = from.read<std::uint32_t>();
  options.unique_names = read_flag(from);
  const bool is_sound = chunks.kind() == ChunkKind::options && !from.failed() && from.left() == 0 &&
                        options.world_number <= Slots::kMostWorldNumber;
  return is_sound ? Outcome::done() : Outcome::refused(chunks.place() + ": these are no options of a world");
}

WorldReader::WorldReader(ChunkReader& chunks, const LoadedParts& parts, const RelationSet& known)
    : chunks_(chunks), parts_(parts), known_(known), made_(parts.store, parts.links, parts.rows) {}

Outcome WorldReader::read() {
  for (ChunkKind before = ChunkKind::options; before != ChunkKind::end; before = chunks_.kind()) {
    if (!chunks_.next()) return Outcome::refused(chunks_.fault());
    if (!read_chunk(before))
      return Outcome::refused(chunks_.place() + ": " +
                              (fault_.empty() ? "its content makes no sense" : fault_));
  }
  return Outcome::done();
}

bool WorldReader::refuse(std::string why) {
  fault_ = std::move(why);
  return false;
}

bool WorldReader::refuse_entity(std::uint32_t index, const std::string& why) {
  return refuse("the entity with index " + std::to_string(index) + ' ' + why);
}

/// Reads the present chunk, which follows one of the kind `before`.
bool WorldReader::read_chunk(ChunkKind before) {
  using Read = bool (WorldReader::*)(ByteReader&);
  static constexpr std::array<Read, 13> kReads = {
      nullptr,
      &WorldReader::read_components,
      &WorldReader::read_slots,
      &WorldReader::read_children,
      &WorldReader::read_rows,
      &WorldReader::read_members,
      &WorldReader::read_name,
      &WorldReader::read_pair,
      &WorldReader::read_state,
      &WorldReader::read_off,
      &WorldReader::read_layer,
      &WorldReader::read_layout,
      nullptr,
  };
  const ChunkKind kind = chunks_.kind();
  // The first three kinds are there once.
  const auto step = static_cast<int>(kind) - static_cast<int>(before);
  if (before < ChunkKind::slots ? step != 1 : kind == ChunkKind::slots)
    return refuse("it does not belong there");
  if (before < ChunkKind::rows && kind >= ChunkKind::rows && !close_tree()) return false;
  if (before < ChunkKind::members && kind >= ChunkKind::members && !close_rows()) return false;
  ByteReader from(chunks_.content());
  while (kind != ChunkKind::end && from.left() != 0) {
    if (!(this->*kReads[static_cast<std::size_t>(kind)])(from) || from.failed()) return false;
  }
  return from.left() == 0;
}

bool WorldReader::read_components(ByteReader& from) {
  const std::size_t count = from.read_count(4, sizeof(Component));
  components_.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    if (!read_component(from)) return false;
  }
  return from.left() == 0;
}

/// Returns: whether a component is written as such: it is not one that the library keeps.
bool WorldReader::may_be_written(ComponentId id) const {
  const Registry& registry = parts_.store.registry();
  const std::string& name = registry[id].name;
  return !Registry::is_internal(name) && !is_of_pairs(name) && !registry.is_state_tag(id) &&
         !parts_.layers.uses(id);
}

bool WorldReader::read_component(ByteReader& from) {
  const std::string_view name = from.read_text();
  const auto storage = from.read<std::uint8_t>();
  const bool is_tag = read_flag(from);
  if (from.failed() || storage > 1) return false;
  if (name == name_of<InstanceOf>) static_cast<void>(parts_.store.registry().id_of<InstanceOf>());
  const auto id = parts_.store.registry().find(name);
  if (!id || !may_be_written(*id))
    return refuse("it has the component " + in_quotes(name) +
                  ", which the program does not know: register it in the world that is given");
  for (const Component& other : components_) {
    if (other.id == *id) return refuse("it has the component " + in_quotes(name) + " twice");
  }
  const ComponentInfo& info = parts_.store.registry()[*id];
  if (info.is_tag() != is_tag)
    return refuse(in_quotes(name) + " is a tag in one of the file and the program only");
  if (!is_tag) {
    if (info.value == nullptr || !info.value->has_first)
      return refuse("the values of " + in_quotes(name) +
                    " are not described in the program, or have no default constructor");
    ByteWriter type;
    write_type(*info.value, type);
    const std::byte* const written = from.read_bytes(type.written().size());
    if (written == nullptr || !std::equal(type.written().begin(), type.written().end(), written))
      return refuse(in_quotes(name) + " has other members in the program");
  }
  Pairs* pairs = nullptr;
  if (read_flag(from) && !read_relation(from, *id, pairs)) return false;
  if (storage == static_cast<std::uint8_t>(Storage::sparse) && info.tracking != Tracking::none)
    return refuse(in_quotes(name) + " is tracked in the program, and in a sparse set in the file");
  set_storage(parts_.store, *id, static_cast<Storage>(storage));
  components_.push_back({*id, pairs});
  return !from.failed();
}

bool WorldReader::read_relation(ByteReader& from, ComponentId id, Pairs*& pairs) {
  RelationOptions options;
  options.exclusive = read_flag(from);
  options.symmetric = read_flag(from);
  options.acyclic = read_flag(from);
  const auto target_destroyed = from.read<std::uint8_t>();
  const auto source_destroyed = from.read<std::uint8_t>();
  const bool is_sparse = read_flag(from);
  options.storage = is_sparse ? Storage::sparse : Storage::table;
  options.queried = read_flag(from);
  constexpr auto kMost = static_cast<std::uint8_t>(PairCleanup::refuse);
  if (from.failed() || target_destroyed > kMost || source_destroyed > kMost ||
      (options.symmetric && (!is_sparse || options.acyclic)))
    return false;
  options.target_destroyed = static_cast<PairCleanup>(target_destroyed);
  options.source_destroyed = static_cast<PairCleanup>(source_destroyed);
  const Pairs* const known = known_.find(id);
  if (known != nullptr && known->options() != options)
    return refuse("the relation " + in_quotes(known->component().name) + " has other options in the program");
  pairs = &parts_.relations.get(id, options);
  return true;
}

bool WorldReader::read_slots(ByteReader& from) {
  std::array<std::vector<std::uint32_t>, 3> lists;  // Generations, free and retired ones.
  for (std::vector<std::uint32_t>& list : lists) {
    list.resize(from.read_count(4, 4));
    from.read_all(list);
  }
  if (from.failed() || from.left() != 0) return false;
  Slots& slots = parts_.store.slots();
  if (!slots.restore(lists[0], lists[1], lists[2]))
    return refuse("its slots are more than WorldOptions::max_entities, or make no sense");
  parts_.store.rows().changes().moved().reserve(slots.size());
  parents_.assign(slots.size(), Links::kNone);
  marked_.assign(slots.size(), false);
  return true;
}

bool WorldReader::read_children(ByteReader& from) {
  return read_family(from);
}

bool WorldReader::read_family(ByteReader& from) {
  const Slots& slots = parts_.store.slots();
  const auto parent = from.read<std::uint32_t>();
  const Layout layout = read_layout_of(from);
  const auto count = static_cast<std::uint32_t>(from.read_count(4, 64));
  if (from.failed() || count == 0) return false;
  if (!slots.is_in_use(parent) || marked_[parent])
    return refuse_entity(parent, "is no parent, or is one twice");
  marked_[parent] = true;
  families_.push_back({parent, layout, static_cast<std::uint32_t>(children_.size()), count});
  children_.resize(children_.size() + count);
  const auto added = std::span(children_).last(count);
  from.read_all(added);
  for (const std::uint32_t child : added) {
    if (!slots.is_in_use(child) || parents_[child] != Links::kNone || child == parent)
      return refuse_entity(child, "is no child, or is one twice");
    parents_[child] = parent;
  }
  return true;
}

/// Finds the depth of each entity: the number of its ancestors.
/// Complexity: O(slots).
bool WorldReader::find_depths(std::vector<std::uint32_t>& depths) {
  const auto size = static_cast<std::uint32_t>(parents_.size());
  depths.assign(size, Links::kNone);
  for (std::uint32_t node = 0; node < size; ++node) {
    std::uint32_t unknown = 0;
    std::uint32_t above = node;
    for (; above != Links::kNone && depths[above] == Links::kNone; above = parents_[above]) {
      if (++unknown > size) return refuse_entity(node, "is its own ancestor");
    }
    std::uint32_t depth = (above != Links::kNone ? depths[above] + 1 : 0) + unknown;
    for (above = node; unknown != 0; --unknown, above = parents_[above]) depths[above] = --depth;
  }
  return true;
}

/// Makes the links, when all families are known.
bool WorldReader::close_tree() {
  std::fill(marked_.begin(), marked_.end(), false);
  if (families_.empty()) return true;
  std::vector<std::uint32_t> depths;
  if (!find_depths(depths)) return false;
  parts_.links.reserve(static_cast<std::uint32_t>(parents_.size()) - 1);
  parts_.links.reserve_families(families_.size());
  for (const Family& family : families_) {
    const Branch& branch =
        parts_.rows.open_branch(family.parent, depths[family.parent], family.layout, family.count);
    parts_.links.create_family(family.parent, family.count, family.layout, branch.number,
                               [&](std::uint32_t i) { return children_[family.first + i]; });
  }
  return true;
}

WorldReader::Component* WorldReader::read_number(ByteReader& from) {
  const std::uint64_t number = from.read_size();
  if (from.failed() || number >= components_.size()) {
    from.fail();
    return nullptr;
  }
  return &components_[static_cast<std::size_t>(number)];
}

bool WorldReader::read_signature(ByteReader& from, std::vector<ComponentId>& ids) {
  const std::size_t count = from.read_count(1, sizeof(ComponentId));
  for (std::size_t i = 0; i < count; ++i) {
    const Component* const component = read_number(from);
    if (component == nullptr) return false;
    const ComponentInfo& info = parts_.store.registry()[component->id];
    if (info.storage != Storage::table || std::find(ids.begin(), ids.end(), component->id) != ids.end())
      return refuse(in_quotes(info.name) + " is not in tables, or is named twice");
    ids.push_back(component->id);
  }
  return true;
}

/// Reads the entities of a chunk of rows, and finds the tables for their rows.
bool WorldReader::plan_rows(ByteReader& from, Archetype& archetype) {
  const Slots& slots = parts_.store.slots();
  const std::size_t count = from.read_count(4, archetype.format().row_bytes() + 64);
  indices_.resize(count);
  from.read_all(indices_);
  entities_.reserve(count);
  stretches_.clear();
  const Branch* last = nullptr;
  for (const std::uint32_t index : indices_) {
    if (!slots.is_in_use(index) || marked_[index]) return refuse_entity(index, "has no row, or has two");
    marked_[index] = true;
    entities_.push_back(index);
    const std::uint32_t parent = parents_[index];
    Branch& branch = parent != Links::kNone ? *parts_.rows.branches().find(parts_.links.find_family(parent))
                                            : parts_.rows.branches().root();
    if (&branch != last) stretches_.push_back({&parts_.store.tables().get(archetype, branch), 0});
    last = &branch;
    ++stretches_.back().count;
  }
  for (const Stretch& stretch : stretches_) made_.reserve(*stretch.table, stretch.count);
  rows_ += static_cast<std::uint32_t>(count);
  return !from.failed();
}

void WorldReader::append_rows() {
  const Slots& slots = parts_.store.slots();
  auto next = entities_.begin();
  for (const Stretch& stretch : stretches_) {
    for (std::uint32_t left = stretch.count; left != 0;)
      left -= made_.append(*stretch.table, left, [&] { return slots.handle_of(*next++); }).count;
  }
  made_.hide_entities();
}

bool WorldReader::read_rows(ByteReader& from) {
  // Rows that are not complete are taken back, and their entities with them.
  Rollback undo([&] {
    made_.undo();
    for (const std::uint32_t index : entities_) parts_.store.slots().hide(index);
  });
  entities_.clear();
  std::vector<ComponentId> ids;
  if (!read_signature(from, ids)) return false;
  const Signature signature(ids, parts_.store.memory());
  const ChangeGuard::Moving moving(parts_.store.guard());
  if (!plan_rows(from, parts_.store.archetypes().get(signature))) return false;
  append_rows();
  if (!read_columns(from, ids) || from.left() != 0) return false;
  made_.show_entities();
  made_.keep();
  undo.dismiss();
  return true;
}

bool WorldReader::read_columns(ByteReader& from, const std::vector<ComponentId>& ids) {
  for (const ComponentId id : ids) {
    const ComponentInfo& info = parts_.store.registry()[id];
    if (info.is_tag()) continue;
    for (const RowRun& run : made_.runs()) {
      void* const values = run.block->value(run.block->format->prefix_of(id), run.row, info.size);
      made_.build(info, values, run.count, [&](void* to) {
        if (info.value->make != nullptr) {
          info.value->make(to, run.count);
        } else if (!can_copy_bytes(*info.value)) {
          std::memset(to, 0, run.count * info.size);
        }
      });
      if (!read_values(*info.value, values, run.count, from))
        return refuse("the values of " + in_quotes(info.name) + " make no sense");
    }
  }
  return true;
}

/// Checks that each entity has a row.
bool WorldReader::close_rows() {
  return rows_ == parts_.store.slots().in_use() || refuse("some entities before it have no row");
}

bool WorldReader::read_entity(ByteReader& from, Entity& entity) {
  const Slots& slots = parts_.store.slots();
  const auto index = from.read<std::uint32_t>();
  if (from.failed()) return false;
  if (index >= slots.size() || !slots.is_live(index)) return refuse_entity(index, "is not there");
  entity = slots.handle_of(index);
  return true;
}

/// Builds a value in uninitialised memory.
/// Returns: false if the bytes are no value; there is none then.
bool WorldReader::read_value(ByteReader& from, const ComponentInfo& info, void* to) {
  info.value->make != nullptr ? info.value->make(to, 1) : static_cast<void>(std::memset(to, 0, info.size));
  Rollback destroy([&] { info.destroy_values(to, 1); });
  if (!read_values(*info.value, to, 1, from))
    return refuse("a value of " + in_quotes(info.name) + " makes no sense");
  destroy.dismiss();
  return true;
}

bool WorldReader::read_members(ByteReader& from) {
  const Component* const component = read_number(from);
  if (component == nullptr) return false;
  const ComponentInfo& info = parts_.store.registry()[component->id];
  if (info.storage != Storage::sparse) return refuse(in_quotes(info.name) + " is not in a sparse set");
  const std::size_t count = from.read_count(4, info.size + 64);
  ByteReader entities({from.read_bytes(4 * count), 4 * count});
  if (from.failed()) return false;
  SparsePool& pool = parts_.store.side().get(component->id);
  ValueBuffer buffer(info, parts_.store.memory());
  const ChangeGuard::Moving moving(parts_.store.guard());
  for (std::size_t i = 0; i < count; ++i) {
    Entity entity;
    if (!read_entity(entities, entity)) return false;
    if (pool.contains(entity)) return refuse_entity(entity.index(), "has " + in_quotes(info.name) + " twice");
    if (info.is_tag()) {
      pool.insert(entity);
      continue;
    }
    if (!read_value(from, info, buffer.get())) return false;
    Rollback destroy([&] { info.destroy_values(buffer.get(), 1); });
    void* const place = pool.insert(entity).value;
    destroy.dismiss();
    info.relocate_values(place, buffer.get(), 1);
  }
  return true;
}

bool WorldReader::read_name(ByteReader& from) {
  Entity entity;
  if (!read_entity(from, entity)) return false;
  const std::string_view name = from.read_text();
  if (from.failed() || !parts_.names.name(entity).empty()) return false;
  const Outcome set = parts_.names.set(entity, name);
  return set ? true : refuse(set.message());
}

bool WorldReader::read_pair(ByteReader& from) {
  const Component* const component = read_number(from);
  Entity source;
  Entity target;
  if (component == nullptr || !read_entity(from, source) || !read_entity(from, target)) return false;
  const ComponentInfo& info = parts_.store.registry()[component->id];
  Pairs* const pairs = component->pairs;
  if (pairs == nullptr || source == target || pairs->find(source, target))
    return refuse_entity(source.index(), "has a pair of " + in_quotes(info.name) + " that cannot be");
  if (pairs->options().acyclic) {
    const Outcome may = parts_.relations.may_add(component->id, source, target);
    if (!may) return refuse(may.message());
  }
  ValueBuffer buffer(info, parts_.store.memory());
  if (info.is_tag()) {
    parts_.relations.add(*pairs, source, target, {component->id, nullptr, nullptr}, {});
    return true;
  }
  if (!read_value(from, info, buffer.get())) return false;
  Rollback destroy([&] { info.destroy_values(buffer.get(), 1); });
  parts_.relations.add(
      *pairs, source, target,
      {component->id, buffer.get(),
       [](const ComponentInfo& of, void* to, void* value) noexcept { of.relocate_values(to, value, 1); }},
      {});
  destroy.dismiss();
  return true;
}

bool WorldReader::read_state(ByteReader& from) {
  Entity entity;
  if (!read_entity(from, entity)) return false;
  const auto number = from.read<std::uint8_t>();
  const auto why = from.read<std::uint8_t>();
  if (from.failed() || number >= kStates.size() || why == 0 || why > 3) return false;
  const State state = kStates[number];
  if ((why & 1) != 0 && !parts_.states.set(state, entity, true, "load")) return false;
  return (why & 2) == 0 || parts_.states.set_subtree(state, entity, true, "load");
}

bool WorldReader::read_off(ByteReader& from) {
  const Component* const component = read_number(from);
  Entity entity;
  if (component == nullptr || !read_entity(from, entity)) return false;
  const ComponentInfo& info = parts_.store.registry()[component->id];
  if (!info.can_toggle) return refuse(in_quotes(info.name) + " cannot be switched off in the program");
  return toggle_component(parts_.store, entity, component->id, false);
}

bool WorldReader::read_layer(ByteReader& from) {
  Entity entity;
  if (!read_entity(from, entity)) return false;
  const auto key = from.read<std::int32_t>();
  if (from.failed()) return false;
  parts_.layers.set(entity, key);
  return true;
}

bool WorldReader::read_layout(ByteReader& from) {
  Entity entity;
  if (!read_entity(from, entity)) return false;
  const Layout layout = read_layout_of(from);
  if (from.failed()) return false;
  parts_.rows.set_layout(entity.index(), layout);
  return true;
}

}  // namespace strata::detail
