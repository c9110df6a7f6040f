// Functions for what files and deltas contain about components, apart from their values.
#pragma once

#include <string_view>

#include "../../core/values/byte_stream.hpp"
#include "../layers/layers.hpp"
#include "../relations/pairs.hpp"

namespace strata::detail {

/// Registers the component with this name if it is one of the library itself. A file may contain such a component
/// although the program has never used it.
void make_own_known(Registry& registry, std::string_view name);

/// Returns: whether files and deltas contain a component as such. They do not contain the components in which the
/// library keeps names, pairs, states, layers and other data of its own.
bool may_be_written(const Registry& registry, const Layers& layers, ComponentId id);

void write_relation_options(const RelationOptions& options, ByteWriter& to);
/// Returns: the options. If they are not valid, `from` has failed.
RelationOptions read_relation_options(ByteReader& from);

}  // namespace strata::detail
