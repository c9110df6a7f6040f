// LoadState: what the readers of the chunks of a saved world share.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "../../core/values/byte_stream.hpp"
#include "../links/policies.hpp"
#include "saved_parts.hpp"

namespace strata::detail {

/// A component of the file.
struct SavedComponent {
  ComponentId id;
  Pairs* pairs;  ///< Null if it is no relation.
};

/// The world that is filled from a file, and what is known of the file.
struct LoadState {
  explicit LoadState(const LoadedParts& world) : parts(world) {}

  LoadedParts parts;
  std::vector<SavedComponent> components;  ///< By their numbers in the file.
  std::vector<std::uint32_t> parents;      ///< By slot index.
  std::string fault;                       ///< Why the file is refused; empty if its content makes no sense.

  // Both return false.
  bool refuse(std::string why);
  bool refuse_entity(std::uint32_t index, const std::string& why);

  /// Reads the number of a component.
  /// Returns: the component; null if there is none, the reader has failed then.
  const SavedComponent* read_number(ByteReader& from);
  /// Reads the slot index of an entity.
  /// Returns: false if it is not alive.
  bool read_entity(ByteReader& from, Entity& entity);
  /// Builds a value in uninitialised memory.
  /// Returns: false if the bytes are no value; there is none then.
  /// Errors: std::bad_alloc, and what functions of members_of throw; there is no value then.
  bool read_value(ByteReader& from, const ComponentInfo& info, void* to);
};

inline std::string in_quotes(std::string_view name) {
  return '"' + std::string(name) + '"';
}

inline bool read_flag(ByteReader& from) {
  const auto byte = from.read<std::uint8_t>();
  if (byte > 1) from.fail();
  return byte == 1;
}
inline Layout read_layout_of(ByteReader& from) {
  const auto byte = from.read<std::uint8_t>();
  if (byte > static_cast<std::uint8_t>(Layout::adaptive)) from.fail();
  return from.failed() ? Layout::adaptive : static_cast<Layout>(byte);
}

}  // namespace strata::detail
