// Functions for what files and deltas contain about components, apart from their values.
#pragma once

#include <string_view>

#include "../../core/values/byte_stream.hpp"
#include "../layers/layers.hpp"
#include "../relations/pairs.hpp"

namespace strata::detail {

/// Registers a component of the library itself, which a file may contain although the program has never used it.
void make_own_known(Registry& registry, std::string_view name);

/// Returns: whether a component is written as a component, which those that the library keeps are not.
bool may_be_written(const Registry& registry, const Layers& layers, ComponentId id);

void write_relation_options(const RelationOptions& options, ByteWriter& to);
/// Returns: the options; the reader has failed if they are not valid.
RelationOptions read_relation_options(ByteReader& from);

}  // namespace strata::detail
