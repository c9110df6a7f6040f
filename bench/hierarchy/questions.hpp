// Questions: what the hierarchy benches ask, one function per question for any shape, size and order.
#pragma once

#include <cstdint>

#include "shapes.hpp"
#include "support/suite.hpp"

namespace strata::bench {

/// A tree to ask about.
struct Subject {
  Shape shape;
  std::uint32_t nodes;
  CreationOrder order = CreationOrder::breadth_first;

  /// Returns: whether this is the tree of a short run, the one that the bars are about.
  bool is_usual() const;

  /// Returns: the path of a question about this tree.
  std::string path(const std::string& question) const;
};

/// How long does it take to compute all world transforms, when nothing else changes?
void ask_update_affine(Suite& suite, const Subject& subject);

/// How long does it take to create the tree, one entity at a time?
void ask_build(Suite& suite, const Subject& subject);

/// How many bytes does the tree take, all in all?
void ask_memory(Suite& suite, const Subject& subject);

}  // namespace strata::bench
