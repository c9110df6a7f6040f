#include "options_reader.hpp"

#include "../../../core/slots.hpp"

namespace strata::detail {

bool OptionsReader::read(WorldOptions& options) {
  if (!check_members(json_, {"format", "version", "options", "components", "relations", "free", "retired",
                             "resources", "entities"}))
    return false;
  const auto format = json_.find("format");
  const auto version = json_.find("version");
  if (format == json_.end() || *format != "strata world" || version == json_.end() ||
      *version != kJsonVersion)
    return refuse("is no world: its format is not \"strata world\", or its version not " +
                  std::to_string(kJsonVersion));
  return read_member(json_, "options", [&](const Json& json) { return read_options(json, options); });
}

bool OptionsReader::read_options(const Json& json, WorldOptions& options) {
  bool is_unique = false;
  const bool is_read =
      check_members(json, {"layout", "large_family", "world_number", "unique_names"}) &&
      read_member(json, "layout",
                  [&](const Json& word) { return read_enum(word, kLayoutWords, options.layout); }) &&
      read_member(json, "large_family",
                  [&](const Json& number) { return read_number(number, options.large_family); }) &&
      read_member(json, "world_number",
                  [&](const Json& number) {
                    return read_number(number, options.world_number) &&
                           (options.world_number <= Slots::kMostWorldNumber || refuse("is too high"));
                  }) &&
      read_member(json, "unique_names", [&](const Json& flag) { return read_flag(flag, is_unique); });
  options.sibling_names = is_unique ? SiblingNames::unique : SiblingNames::any;
  return is_read;
}

}  // namespace strata::detail
