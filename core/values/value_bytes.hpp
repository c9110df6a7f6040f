// Functions that write values as bytes and read them. A ValueType describes what the values consist of.
#pragma once

#include <cstddef>
#include <cstdint>

#include "byte_stream.hpp"
#include "value_type.hpp"

namespace strata {

class EntityMap;

}  // namespace strata

namespace strata::detail {

/// Returns: whether values can be written and read by copying memory. This is the case if `write_values` writes the
/// bytes that a value has in the memory of this machine, and if any `type.size` bytes are a valid value.
bool can_copy_bytes(const ValueType& type);

/// Writes `count` contiguous values. Equal values are written as equal bytes on every machine, except for values of
/// types that AsBytes describes: their bytes are written as they are in memory.
/// Errors: std::bad_alloc, and what the program's functions for an OwnFormat throw; some of the values may have been
/// written then.
void write_values(const ValueType& type, const void* values, std::size_t count, ByteWriter& writer);

/// Reads `count` values into contiguous values that exist already. The values in memory are valid after any result or
/// exception.
/// Returns: false if the bytes are not `count` values of the type; in that case, the reader has failed.
/// Errors: std::bad_alloc, and what the program's functions for an OwnFormat throw.
bool read_values(const ValueType& type, void* values, std::size_t count, ByteReader& reader);

/// Reads the number of elements of a list, an optional or a text. Each element has at least `least` bytes in the data
/// of the reader, and takes `memory` bytes in memory.
/// Returns: the number; 0 if the reader has failed, because the number is not possible (see ByteReader::read_count).
std::size_t read_element_count(ValueKind kind, std::size_t least, std::size_t memory, ByteReader& reader);

/// Returns: a hash of the bytes that `write_values` writes for the values. So it is the same on every machine, except
/// for values of types that AsBytes describes.
/// Errors: as write_values.
std::uint64_t hash_values(const ValueType& type, const void* values, std::size_t count);

/// Replaces each entity handle in `count` values by the handle that the map returns for it. Values of types with an
/// OwnFormat (written by functions of the program) stay as they are.
STRATA_API void remap_references(const ValueType& type, void* values, std::size_t count,
                                 const EntityMap& map);

}  // namespace strata::detail
