// ComponentsReader: reads the components and relations of a JSON document.
#pragma once

#include <string>

#include "../world.hpp"
#include "json_reader.hpp"

namespace strata::detail {

/// Reads the members "components" and "relations" of a document, and applies them to a world. "components" tells in
/// which storage each component is: the world moves it there. "relations" has the options of each relation: the world
/// registers the relation with these options.
class ComponentsReader : public JsonReader {
 public:
  /// `world` is the world to fill. `known` has the parts of another world, in which the program has registered its
  /// components and relations. A relation that is in both the document and `known` must have the same options in both.
  ComponentsReader(const Json& json, World& world, const WorldParts& known)
      : JsonReader(json), world_(world), parts_(parts_of(world)), known_(known) {}

  /// Read `json`, the value of the member "components" or "relations", and apply it to the world.
  /// Returns: whether all of it is valid and agrees with the program. If not, `fault` has the reason, and the part
  /// before the error has been applied.
  bool read_components(const Json& json);
  bool read_relations(const Json& json);

 protected:
  /// Finds the component with this name, and stores its id in `id`.
  /// Returns: whether a document may contain the component. If not, records the error. The error is one of these: the
  /// program does not know the component, it is internal to the library, its values are not described (see members_of),
  /// or they have no initial value (see ValueType::has_first).
  bool find_component(const std::string& name, ComponentId& id);

  World& world_;
  WorldParts& parts_;

 private:
  bool read_relation(const Json& json, RelationOptions& to);

  const WorldParts& known_;
};

}  // namespace strata::detail
