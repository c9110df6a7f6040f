#include "saved_components.hpp"

#include "../prefabs/instance_of.hpp"
#include "../relations/pair.hpp"
#include "load_state.hpp"
#include "part_entity.hpp"

namespace strata::detail {

void make_own_known(Registry& registry, std::string_view name) {
  if (name == name_of<InstanceOf>) static_cast<void>(registry.id_of<InstanceOf>());
  if (name == name_of<OriginalHandle>) static_cast<void>(registry.id_of<OriginalHandle>());
  if (name == name_of<OutsideEntity>) static_cast<void>(registry.id_of<OutsideEntity>());
}

bool may_be_written(const Registry& registry, const Layers& layers, ComponentId id) {
  const std::string& name = registry[id].name;
  return !Registry::is_internal(name) && !is_of_pairs(name) && !registry.is_state_tag(id) && !layers.uses(id);
}

void write_relation_options(const RelationOptions& options, ByteWriter& to) {
  to.write(options.exclusive);
  to.write(options.symmetric);
  to.write(options.acyclic);
  to.write(options.target_destroyed);
  to.write(options.source_destroyed);
  to.write(options.storage);
  to.write(options.queried);
}

RelationOptions read_relation_options(ByteReader& from) {
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
  if (target_destroyed > kMost || source_destroyed > kMost ||
      (options.symmetric && (!is_sparse || options.acyclic))) {
    from.fail();
    return {};
  }
  options.target_destroyed = static_cast<PairCleanup>(target_destroyed);
  options.source_destroyed = static_cast<PairCleanup>(source_destroyed);
  return options;
}

}  // namespace strata::detail
