#include "components_reader.hpp"

#include <string>

#include "../../../hierarchy/relations/pair.hpp"
#include "../../../hierarchy/relations/relation_set.hpp"
#include "json_words.hpp"

namespace strata::detail {

bool ComponentsReader::find_component(const std::string& name, ComponentId& id) {
  Registry& registry = parts_.store.registry();
  if (name == name_of<InstanceOf>) static_cast<void>(registry.id_of<InstanceOf>());
  const auto found = world_.find_component(name);
  if (!found || Registry::is_internal(name) || is_of_pairs(name) || registry.is_state_tag(*found) ||
      parts_.layers.uses(*found))
    return refuse("is no component that the program knows: register it in the world that is given");
  id = *found;
  const ValueType* const type = registry[id].value;
  return registry[id].is_tag() || (type != nullptr && type->has_first) ||
         refuse("has values that are not described in the program, or without a default constructor");
}

bool ComponentsReader::read_components(const Json& json) {
  return read_members(json, [&](const std::string& name, const Json& word) {
    ComponentId id{};
    Storage storage{};
    if (!find_component(name, id) || !read_enum(word, kStorageWords, storage)) return false;
    if (storage == Storage::sparse && parts_.store.registry()[id].tracking != Tracking::none)
      return refuse("is tracked in the program, so it is not in a sparse set");
    world_.set_storage(id, storage);
    return true;
  });
}

bool ComponentsReader::read_relations(const Json& json) {
  return read_members(json, [&](const std::string& name, const Json& options) {
    ComponentId id{};
    RelationOptions read;
    if (!find_component(name, id) || !read_relation(options, read)) return false;
    const Pairs* const known = known_.hierarchy.relations().find(id);
    if (known != nullptr && known->options() != read) return refuse("has other options in the program");
    static_cast<void>(parts_.hierarchy.relations().get(id, read));
    return true;
  });
}

bool ComponentsReader::read_relation(const Json& json, RelationOptions& to) {
  const auto flag = [&](const char* name, bool& value) {
    return read_member(json, name, [&](const Json& member) { return read_flag(member, value); });
  };
  const auto word = [&](const char* name, const auto& words, auto& value) {
    return read_member(json, name, [&](const Json& member) { return read_enum(member, words, value); });
  };
  return check_members(json, {"exclusive", "symmetric", "acyclic", "target_destroyed", "source_destroyed",
                              "storage", "queried"}) &&
         flag("exclusive", to.exclusive) && flag("symmetric", to.symmetric) && flag("acyclic", to.acyclic) &&
         flag("queried", to.queried) && word("target_destroyed", kCleanupWords, to.target_destroyed) &&
         word("source_destroyed", kCleanupWords, to.source_destroyed) &&
         word("storage", kStorageWords, to.storage) &&
         (!to.symmetric || (to.storage == Storage::sparse && !to.acyclic) ||
          refuse("is symmetric, so it is neither acyclic nor in tables"));
}

}  // namespace strata::detail
