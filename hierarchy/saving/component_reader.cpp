#include "component_reader.hpp"

#include <algorithm>
#include <string_view>

#include "../../storage/set_storage.hpp"
#include "../prefabs/instance_of.hpp"
#include "../relations/pair.hpp"
#include "part_entity.hpp"
#include "type_format.hpp"

namespace strata::detail {
namespace {

/// Registers a component of the library itself, which a file may have though the program has never named it.
void make_own_known(Registry& registry, std::string_view name) {
  if (name == name_of<InstanceOf>) static_cast<void>(registry.id_of<InstanceOf>());
  if (name == name_of<OriginalHandle>) static_cast<void>(registry.id_of<OriginalHandle>());
  if (name == name_of<OutsideEntity>) static_cast<void>(registry.id_of<OutsideEntity>());
}

}  // namespace

bool ComponentReader::read_components(ByteReader& from) {
  const std::size_t count = from.read_count(4, sizeof(SavedComponent));
  state_.components.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    if (!read_component(from)) return false;
  }
  return from.left() == 0;
}

/// Returns: whether a component is written as such: it is not one that the library keeps.
bool ComponentReader::may_be_written(ComponentId id) const {
  const Registry& registry = state_.parts.store.registry();
  const std::string& name = registry[id].name;
  return !Registry::is_internal(name) && !is_of_pairs(name) && !registry.is_state_tag(id) &&
         !state_.parts.layers.uses(id);
}

bool ComponentReader::read_component(ByteReader& from) {
  const std::string_view name = from.read_text();
  const auto storage = from.read<std::uint8_t>();
  const bool is_tag = read_flag(from);
  if (from.failed() || storage > 1) return false;
  make_own_known(state_.parts.store.registry(), name);
  const auto id = state_.parts.store.registry().find(name);
  if (!id || !may_be_written(*id))
    return state_.refuse("it has the component " + in_quotes(name) +
                         ", which the program does not know: register it in the world that is given");
  for (const SavedComponent& other : state_.components) {
    if (other.id == *id) return state_.refuse("it has the component " + in_quotes(name) + " twice");
  }
  const ComponentInfo& info = state_.parts.store.registry()[*id];
  if (info.is_tag() != is_tag)
    return state_.refuse(in_quotes(name) + " is a tag in one of the file and the program only");
  if (!is_tag) {
    if (info.value == nullptr || !info.value->has_first)
      return state_.refuse("the values of " + in_quotes(name) +
                           " are not described in the program, or have no default constructor");
    ByteWriter type;
    write_type(*info.value, type);
    const std::byte* const written = from.read_bytes(type.written().size());
    if (written == nullptr || !std::equal(type.written().begin(), type.written().end(), written))
      return state_.refuse(in_quotes(name) + " has other members in the program");
  }
  Pairs* pairs = nullptr;
  if (read_flag(from) && !read_relation(from, *id, pairs)) return false;
  if (storage == static_cast<std::uint8_t>(Storage::sparse) && info.tracking != Tracking::none)
    return state_.refuse(in_quotes(name) + " is tracked in the program, and in a sparse set in the file");
  set_storage(state_.parts.store, *id, static_cast<Storage>(storage));
  state_.components.push_back({*id, pairs});
  return !from.failed();
}

bool ComponentReader::read_relation(ByteReader& from, ComponentId id, Pairs*& pairs) {
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
    return state_.refuse("the relation " + in_quotes(known->component().name) +
                         " has other options in the program");
  pairs = &state_.parts.relations.get(id, options);
  return true;
}

}  // namespace strata::detail
