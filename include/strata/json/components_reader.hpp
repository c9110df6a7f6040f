// ComponentsReader: reads the components and relations of a JSON document.
#pragma once

#include <string>

#include "../world.hpp"
#include "json_reader.hpp"

namespace strata::detail {

/// Reads which components and relations a document has, and makes them known to a world, with the storages that the
/// document gives.
class ComponentsReader : public JsonReader {
 public:
  /// `known` has the relations of the program.
  ComponentsReader(const Json& json, World& world, const WorldParts& known)
      : JsonReader(json), world_(world), parts_(parts_of(world)), known_(known) {}

  /// Return: whether everything is valid and the program knows it.
  bool read_components(const Json& json);
  bool read_relations(const Json& json);

 protected:
  /// Finds a component that a document may have.
  bool find_component(const std::string& name, ComponentId& id);

  World& world_;
  WorldParts& parts_;

 private:
  bool read_relation(const Json& json, RelationOptions& to);

  const WorldParts& known_;
};

}  // namespace strata::detail
