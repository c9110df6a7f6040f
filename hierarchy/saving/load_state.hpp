// LoadState: the data and functions that the readers of a saved world share. For each kind of data in the file, such as
// rows or names, there is a reader.
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

/// How the values of a component or resource in the file are read.
struct SavedValues {
  std::string name = {};                        ///< The name of the component or resource in the file.
  const ValueType* type = nullptr;              ///< The type of the values in the file; null for a tag.
  std::unique_ptr<Conversion> conversion = {};  ///< Null if values are read as they are.
  Migration::Convert convert = nullptr;
};

/// A component that the file contains.
struct SavedComponent : SavedValues {
  ComponentId id = Registry::kUnknown;  ///< The id in the program; kUnknown if it is skipped.
  Pairs* pairs = nullptr;               ///< The pairs if it is a relation and not skipped; otherwise null.
  bool is_sparse = false;               ///< Whether it is in a sparse set in the file.
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

  // These functions set `fault` to the reason why the file is refused, and return false.
  bool refuse(std::string why);
  bool refuse_entity(std::uint32_t index, const std::string& why);

  /// The file names a component by its number in the list of components. Reads such a number.
  /// Returns: the component; null if no component has this number. In that case, `from.failed()` is true afterwards.
  const SavedComponent* read_number(ByteReader& from);
  /// The file names an entity by its slot index. Reads such an index, and sets `entity` to the handle of the entity.
  /// Returns: false if no live entity has this index (`fault` then says so), or if `from` has failed.
  bool read_entity(ByteReader& from, Entity& entity);

  /// Builds `count` initial values of a component in uninitialised memory, so that `read_values_of` can read values
  /// over them. Does nothing if the values consist of plain bytes and are read without a conversion, because
  /// `read_values_of` can read these into uninitialised memory.
  /// Errors: std::bad_alloc, and what the program's functions for the values (see members_of) throw. If it throws,
  /// there are no values in the memory.
  void make_values(const SavedComponent& component, void* values, std::size_t count) const;
  /// Reads `count` values of a component into `values`, the memory for which `make_values` was called. If the component
  /// is skipped or is a tag, skips the bytes of the values, and `values` may be null.
  /// Returns: false if the bytes are no such values. All of `values` are valid even if it returns false or throws.
  /// Errors: std::bad_alloc, and what the program's functions for reading values (see members_of) throw.
  bool read_values_of(const SavedComponent& component, void* values, std::size_t count, ByteReader& from);
  /// Reads `count` values of the type `saved.type` over existing values of the type `to`, which is the type in the
  /// program. Converts the values if that was planned (see SavedValues::conversion).
  /// Returns: false if the bytes are no such values. All of `values` are valid even if it returns false or throws.
  /// Errors: std::bad_alloc, and what the program's functions for reading values (see members_of) throw.
  bool read_as(const ValueType& to, const SavedValues& saved, void* values, std::size_t count,
               ByteReader& from);
  /// Reads a value of a component, and builds it in uninitialised memory.
  /// Returns: false if the bytes are no such value. If it returns false or throws, there is no value in the memory.
  /// Errors: std::bad_alloc, and what the program's functions for reading values (see members_of) throw.
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
