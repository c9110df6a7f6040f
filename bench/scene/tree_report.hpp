// The scene as the terminal shows it: the nodes level by level, and how many each level has.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <vector>

#include "walk.hpp"

namespace scene {

/// Prints the first `max_rows` visits with their world positions and says how many more there are; then a bar
/// per level.
void print_tree(std::ostream& out, const Scene& scene, const std::vector<Visit>& visits,
                std::size_t max_rows);

}  // namespace scene
