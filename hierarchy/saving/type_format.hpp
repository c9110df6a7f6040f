// Writes what values of a type consist of, so that a reader can tell whether it knows the type.
#pragma once

#include "../../core/values/byte_stream.hpp"
#include "../../core/values/value_type.hpp"

namespace strata::detail {

/// Writes the kinds and names of the members, and how many bytes their numbers have. Types that write the same can read
/// each other's values.
void write_type(const ValueType& type, ByteWriter& writer);

}  // namespace strata::detail
