#include "changed_ranks.hpp"

namespace strata::detail {

void ChangedRanks::reserve(std::uint32_t rank) {
  if (rank / kBits < words_.size()) return;
  words_.resize(std::max<std::size_t>(rank / kBits + 1, words_.size() * 2), 0);
}

}  // namespace strata::detail
