// write_type and SavedTypes: write and read the descriptions of types that a file contains, such as the names and types
// of a structure's members.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "byte_stream.hpp"
#include "value_type.hpp"

namespace strata::detail {

/// Writes the description of a type: its kind and, depending on the kind, the names and types of its members, the type
/// of its elements, and the number of its elements or bytes.
void write_type(const ValueType& type, ByteWriter& writer);

/// Returns: whether values of the two types are written in the same format, so that neither has to be converted
/// to the other.
bool are_written_alike(const ValueType& first, const ValueType& second);

/// The types that are described in a file. Their ValueTypes only describe values in the file: they have no sizes
/// in memory, no offsets and no functions.
class SavedTypes {
 public:
  /// Reads the description of a type that `write_type` has written. Refuses a list whose elements take no bytes: with
  /// such a list, a damaged number of elements could make `skip_values` run very long.
  /// Returns: the type, which lives as long as this object. Null if the bytes describe no type; in that case, the
  /// reader has failed.
  /// Errors: std::bad_alloc.
  const ValueType* read(ByteReader& reader) { return read_nested(reader, 0); }

 private:
  const ValueType* read_nested(ByteReader& reader, std::size_t depth);
  bool read_parts(ByteReader& reader, ValueType& type, std::size_t depth);
  bool read_members(ByteReader& reader, ValueType& type, std::size_t depth);

  std::deque<ValueType> types_;
  std::deque<std::vector<ValueMember>> members_;
  std::deque<std::string> names_;
};

/// Skips `count` values of a saved type.
/// Returns: false if the bytes are not `count` values of this type; in that case, the reader has failed.
bool skip_values(const ValueType& type, std::size_t count, ByteReader& reader);

}  // namespace strata::detail
