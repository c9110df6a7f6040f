// LoadState: what the readers of the chunks of a saved world share.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "../../core/quotes.hpp"
#include "../../core/values/byte_stream.hpp"
#include "../../core/values/saved_types.hpp"
#include "../links/policies.hpp"
#include "load_rules.hpp"
#include "saved_parts.hpp"

namespace strata::detail {

/// Values of one type in the file: those of a component or a resource.
struct SavedValues {
  std::string name = {};                        ///< Of the component or resource, in the file.
  const ValueType* type = nullptr;              ///< In the file; null for a tag.
  std::unique_ptr<Conversion> conversion = {};  ///< Null if values are read as they are.
  Migration::Convert convert = nullptr;
};

/// A component of the file.
struct SavedComponent : SavedValues {
  ComponentId id = Registry::kUnknown;  ///< In the program; kUnknown if it is skipped.
  Pairs* pairs = nullptr;               ///< Null if it is no relation, or is skipped.
  bool is_sparse = false;               ///< In the file.
  bool is_relation = false;

  bool is_skipped() const { return id == Registry::kUnknown; }
};

/// The world that is filled from a file, and what was read of the file so far.
struct LoadState {
  LoadState(const LoadedParts& world, const LoadRules& chosen, std::vector<LoadNote>& notes_of_load)
      : parts(world), rules(chosen), notes(notes_of_load) {}

  LoadedParts parts;
  LoadRules rules;
  std::vector<LoadNote>& notes;
  SavedTypes types;
  std::vector<SavedComponent> components;  ///< By their numbers in the file.
  std::string fault;  ///< Why the file is refused; empty if its content is just not valid.

  // Both return false.
  bool refuse(std::string why);
  bool refuse_entity(std::uint32_t index, const std::string& why);

  /// Reads the number of a component.
  /// Returns: the component; null if there is no such component; the reader has failed then.
  const SavedComponent* read_number(ByteReader& from);
  /// Reads the slot index of an entity.
  /// Returns: false if it is not alive.
  bool read_entity(ByteReader& from, Entity& entity);

  /// Builds `count` initial values of a component in uninitialised memory. Does nothing if `read_values_of` may
  /// overwrite uninitialised memory.
  /// Errors: std::bad_alloc, and what functions of members_of throw; there are no values then.
  void make_values(const SavedComponent& component, void* values, std::size_t count) const;
  /// Reads `count` values that `make_values` has made. Skips them if the component is skipped, or is a tag; `values`
  /// may be null then.
  /// Returns: false if the bytes are no such values; all values are valid then.
  /// Errors: std::bad_alloc, and what functions of members_of throw; all values are valid then.
  bool read_values_of(const SavedComponent& component, void* values, std::size_t count, ByteReader& from);
  /// Reads `count` values that exist already, of the type `to` in the program.
  /// Returns, Errors: as for `read_values_of`.
  bool read_as(const ValueType& to, const SavedValues& saved, void* values, std::size_t count,
               ByteReader& from);
  /// Builds a value in uninitialised memory.
  /// Returns: false if the bytes are no value; there is none then.
  /// Errors: std::bad_alloc, and what functions of members_of throw; there is no value then.
  bool read_value(const SavedComponent& component, void* to, ByteReader& from);

 private:
  bool convert_one(const SavedValues& saved, void* value, ByteReader& from);
  bool refuse_values(const SavedValues& saved);
};

inline bool read_flag(ByteReader& from) {
  const auto byte = from.read<std::uint8_t>();
  if (byte > 1) from.fail();
  return byte == 1;
}

}  // namespace strata::detail
