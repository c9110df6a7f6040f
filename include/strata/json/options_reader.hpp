// OptionsReader: reads the options of the world in a JSON document.
#pragma once

#include "../world_options.hpp"
#include "json_reader.hpp"

namespace strata::detail {

/// Reads the world options in a document.
class OptionsReader : public JsonReader {
 public:
  using JsonReader::JsonReader;

  /// Checks that the document describes a world, and reads the world's options into `options`.
  /// Returns: whether the document describes a world and its options are valid. If not, `fault` says what is wrong, and
  /// some options may have been read.
  bool read(WorldOptions& options);

 private:
  bool read_options(const Json& json, WorldOptions& options);
};

}  // namespace strata::detail
