// ComponentsReader: reads the components and relations of a JSON document.
#pragma once

#include <string>

#include "../world.hpp"
#include "json_reader.hpp"

namespace strata::detail {

/// Reads which components and relations a document has, and registers them in a world, with the storages that the
/// document gives.
class ComponentsReader : public JsonReader {
 public:
  /// `world` is the world to fill. `known` is a world that has the relations of the program.
  ComponentsReader(const Json& json, World& world, const WorldParts& known)
      : JsonReader(json), world_(world), parts_(parts_of(world)), known_(known) {}

  /// Returns: whether everything that was read is valid and known to the program.
  bool read_components(const Json& json);
  bool read_relations(const Json& json);

 protected:
  /// Finds the component with this name, if a document may contain it.
  bool find_component(const std::string& name, ComponentId& id);

  World& world_;
  WorldParts& parts_;

 private:
  bool read_relation(const Json& json, RelationOptions& to);

  const WorldParts& known_;
};

}  // namespace strata::detail
