// OptionsReader: reads the options of the world in a JSON document.
#pragma once

#include "../world_options.hpp"
#include "json_reader.hpp"

namespace strata::detail {

/// Reads the world options in a document.
class OptionsReader : public JsonReader {
 public:
  using JsonReader::JsonReader;

  /// Reads the options, and checks that the document describes a world.
  /// Returns: whether everything is valid.
  bool read(WorldOptions& options);

 private:
  bool read_options(const Json& json, WorldOptions& options);
};

}  // namespace strata::detail
