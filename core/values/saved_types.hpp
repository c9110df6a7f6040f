// write_type and SavedTypes: how types of values are described in a file.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "byte_stream.hpp"
#include "value_type.hpp"

namespace strata::detail {

/// Writes the kinds and names of the members, and how many bytes their numbers have.
void write_type(const ValueType& type, ByteWriter& writer);

/// Returns: whether values of the two types are written in the same way.
bool are_written_alike(const ValueType& first, const ValueType& second);

/// The types that a file describes. They have no sizes in memory, no offsets and no functions.
class SavedTypes {
 public:
  /// Reads what `write_type` has written. Skipping values of the type takes no more steps than there are bytes, even if
  /// the bytes are damaged.
  /// Returns: the type, which lives as long as this object; null if the bytes describe no type; the reader has failed
  /// then.
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
/// Returns: false if there are fewer bytes; the reader has failed then.
bool skip_values(const ValueType& type, std::size_t count, ByteReader& reader);

}  // namespace strata::detail
