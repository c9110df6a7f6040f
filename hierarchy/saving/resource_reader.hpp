// ResourceReader: reads the resources of a saved world.
#pragma once

#include <string>

#include "../../core/resource_list.hpp"
#include "type_matcher.hpp"

namespace strata::detail {

/// Reads resources of a file into a world in which the types of the program are registered. Where the file and the
/// program differ, LoadRules, which the program has chosen, say what to do, and a note about the difference is added to
/// LoadState::notes.
class ResourceReader {
 public:
  explicit ResourceReader(LoadState& state) : state_(state), types_(state) {}

  /// Reads one resource.
  /// Returns: false if the content is not valid, or if the file is refused because of the resource, for example because
  /// LoadRules require it. If it is refused, LoadState::fault says why.
  bool read_resource(ByteReader& from);

 private:
  bool read_into(const ResourceType& type, SavedValues& saved, const Migration* how, ByteReader& from);
  bool skip(const SavedValues& saved, const std::string& why, ByteReader& from);

  LoadState& state_;
  TypeMatcher types_;
};

}  // namespace strata::detail
