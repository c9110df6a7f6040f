#include "component_reader.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "../../storage/set_storage.hpp"
#include "saved_components.hpp"

namespace strata::detail {
bool ComponentReader::read_components(ByteReader& from) {
  const std::size_t count = from.read_count(4, sizeof(SavedComponent));
  state_.components.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    if (!read_component(from)) return false;
  }
  return from.left() == 0;
}

bool ComponentReader::read_component(ByteReader& from) {
  SavedComponent component;
  component.name = from.read_text();
  component.is_sparse = read_flag(from);
  const bool is_tag = read_flag(from);
  if (from.failed()) return false;
  if (!is_tag) component.type = state_.types.read(from);
  component.is_relation = read_flag(from);
  const RelationOptions options = component.is_relation ? read_relation_options(from) : RelationOptions();
  if (from.failed() || !identify(component, options)) return false;
  state_.components.push_back(std::move(component));
  return true;
}

/// Finds the component of the program that corresponds to `component` of the file, and plans how its values are read.
/// It is the component with the same name or, if LoadRules has a Migration for `component`, with the name in the
/// Migration. If the program does not have it, LoadRules::unknown says whether to refuse the file or to skip the
/// component. If its type differs and there is no Migration, LoadRules::changed says whether to refuse, skip or
/// convert. If values cannot be read (see `find_obstacle`), the component is skipped with ChangedComponents::skip, and
/// the file is refused otherwise.
/// Returns: false if the file is refused: for these reasons, because values cannot be converted, or because the file
/// has the component twice.
bool ComponentReader::identify(SavedComponent& component, const RelationOptions& options) {
  Registry& registry = state_.parts.store.registry();
  const std::string quoted = in_quotes(component.name);
  const Migration* const how = types_.find_migration(component.name);
  const std::string& name = how != nullptr && !how->name.empty() ? how->name : component.name;
  make_own_known(registry, name);
  const auto id = registry.find(name);
  if (!id || !may_be_written(registry, state_.parts.layers, *id)) {
    if (state_.rules.unknown == UnknownComponents::refuse)
      return state_.refuse("it has the component " + quoted +
                           ", which the program does not know: register it in the world that is given");
    types_.note(LoadNote::Kind::skipped, component, "", " is skipped: the program does not know it");
    return true;
  }
  if (std::ranges::find(state_.components, *id, &SavedComponent::id) != state_.components.end())
    return state_.refuse("it has the component " + quoted + " twice");
  const ComponentInfo& info = registry[*id];
  const bool is_alike = TypeMatcher::is_as_in_file(component, info.value);
  std::string why = find_obstacle(component, *id, options);
  if (why.empty() && !is_alike && how == nullptr && state_.rules.changed != ChangedComponents::convert)
    why = info.is_tag() != (component.type == nullptr)
              ? quoted + (info.is_tag() ? " has values in the file, and is a tag in the program"
                                        : " is a tag in the file, and has values in the program")
              : quoted + types_.describe_difference(component, *info.value);
  if (!why.empty() && state_.rules.changed != ChangedComponents::skip) return state_.refuse(std::move(why));
  if (!why.empty()) {
    types_.note(LoadNote::Kind::skipped, component, "", " is skipped: " + why);
    return true;
  }
  if (component.name != name)
    types_.note(LoadNote::Kind::converted, component, "", " is " + in_quotes(name) + " in the program");
  if (!is_alike && !types_.plan(component, info.value, how)) return false;
  component.id = *id;
  if (component.is_relation) component.pairs = &state_.parts.relations.get(*id, options);
  set_storage(state_.parts.store, *id, component.is_sparse ? Storage::sparse : Storage::table);
  return true;
}

/// Returns: why the values of a component cannot be read; empty if there is no reason. A difference between the types
/// in the file and in the program does not count, because values may be converted.
std::string ComponentReader::find_obstacle(const SavedComponent& component, ComponentId id,
                                           const RelationOptions& options) const {
  const ComponentInfo& info = state_.parts.store.registry()[id];
  const std::string quoted = in_quotes(info.name);
  if (!info.is_tag() && (info.value == nullptr || !info.value->has_first))
    return "the values of " + quoted + " are not described in the program, or have no default constructor";
  const Pairs* const known = component.is_relation ? known_.find(id) : nullptr;
  if (known != nullptr && known->options() != options)
    return "the relation " + quoted + " has other options in the program";
  if (component.is_sparse && info.tracking != Tracking::none)
    return quoted + " is tracked in the program, and in a sparse set in the file";
  return "";
}

}  // namespace strata::detail
