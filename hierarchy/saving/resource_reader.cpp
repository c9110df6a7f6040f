#include "resource_reader.hpp"

#include <utility>

namespace strata::detail {

bool ResourceReader::read_resource(ByteReader& from) {
  SavedValues saved;
  saved.name = from.read_text();
  saved.type = state_.types.read(from);
  if (from.failed()) return false;
  if (!state_.rules.reads_resources) return skip_values(*saved.type, 1, from);
  const Migration* const how = types_.find_migration(saved.name);
  const std::string& name = how != nullptr && !how->name.empty() ? how->name : saved.name;
  const ResourceType* const type = state_.parts.resources.find_type(name);
  if (type != nullptr && type->is_saved) return read_into(*type, saved, how, from);
  if (state_.rules.unknown == UnknownComponents::refuse)
    return state_.refuse("it has the resource " + in_quotes(saved.name) +
                         ", which the program does not know: add its type to the resources of the world that "
                         "is given");
  return skip(saved, "the program does not know it", from);
}

bool ResourceReader::read_into(const ResourceType& type, SavedValues& saved, const Migration* how,
                               ByteReader& from) {
  ResourceList& resources = state_.parts.resources;
  const std::string quoted = in_quotes(saved.name);
  if (resources.find(type.name) != nullptr) return state_.refuse("it has the resource " + quoted + " twice");
  const ValueType* const to = type.value_type();
  std::string why;
  const bool is_alike = to != nullptr && TypeMatcher::is_as_in_file(saved, to);
  if (to == nullptr || type.make == nullptr)
    why = "the resource " + quoted + " is not described in the program, or has no default constructor";
  else if (!is_alike && how == nullptr && state_.rules.changed != ChangedComponents::convert)
    why = "the resource " + quoted + types_.describe_difference(saved, *to);
  if (!why.empty() && state_.rules.changed != ChangedComponents::skip) return state_.refuse(std::move(why));
  if (!why.empty()) return skip(saved, why, from);
  if (saved.name != type.name)
    types_.note(LoadNote::Kind::converted, saved, "", " is " + in_quotes(type.name) + " in the program");
  if (!is_alike && !types_.plan(saved, to, how)) return false;
  resources.reserve(type);
  ResourceNode& made = make_first_resource(type, resources.memory());
  resources.put(made);
  return state_.read_as(*to, saved, const_cast<void*>(type.value_of(made)), 1, from);
}

bool ResourceReader::skip(const SavedValues& saved, const std::string& why, ByteReader& from) {
  types_.note(LoadNote::Kind::skipped, saved, "", " is skipped: " + why);
  return skip_values(*saved.type, 1, from);
}

}  // namespace strata::detail
