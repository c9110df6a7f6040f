#include "arrays.hpp"

namespace strata::bench {

Arrays::Arrays(const Tree& tree) {
  parents_.reserve(tree.parents.size());
  locals_.reserve(tree.parents.size());
  worlds_.reserve(tree.parents.size());
  for (std::uint32_t node = 0; node < tree.parents.size(); ++node) append(tree.parents[node], local_of(node));
}

void Arrays::update() {
  const std::size_t n = parents_.size();
  const std::uint32_t* const parents = parents_.data();
  const Affine* const locals = locals_.data();
  Affine* const worlds = worlds_.data();
  for (std::size_t i = 0; i < roots_; ++i) worlds[i] = locals[i];
  for (std::size_t i = roots_; i < n; ++i) worlds[i] = compose(worlds[parents[i]], locals[i]);
}

std::size_t Arrays::bytes() const {
  return parents_.capacity() * sizeof(std::uint32_t) +
         (locals_.capacity() + worlds_.capacity()) * sizeof(Affine);
}

}  // namespace strata::bench
