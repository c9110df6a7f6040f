// Functions that tell which components are written to files and to deltas (lists of changes). Also functions that write
// and read the options of relations.
#pragma once

#include <string_view>

#include "../../core/values/byte_stream.hpp"
#include "../layers/layers.hpp"
#include "../relations/pairs.hpp"

namespace strata::detail {

/// Registers the component `name`, if it is one of the library's own components that files may contain. So a program
/// can load a file with such a component even if the program itself has not used the component yet.
void make_own_known(Registry& registry, std::string_view name);

/// Returns: whether files and deltas (lists of changes) contain a component. They do not contain components in which
/// the library keeps names, pairs, states, layers and other data of its own; such data are written in other forms.
bool may_be_written(const Registry& registry, const Layers& layers, ComponentId id);

void write_relation_options(const RelationOptions& options, ByteWriter& to);
/// Returns: the options. If they are not valid, `from.failed()` is true afterwards.
RelationOptions read_relation_options(ByteReader& from);

}  // namespace strata::detail
