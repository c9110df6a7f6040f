#include "move_log.hpp"

#include <algorithm>

namespace strata::detail {

void MoveLog::reserve(std::size_t entities) {
  const std::size_t wanted = std::max(kLeast, entities / 8);
  if (wanted > entries_.capacity()) entries_.reserve(std::max(wanted, entries_.capacity() * 2));
}

void MoveLog::shrink(std::size_t entities) {
  if (overflowed_) entries_.clear();
  const std::size_t wanted = std::max({kLeast, entities / 8, entries_.size()});
  if (entries_.capacity() <= wanted) return;
  PlainList<std::uint32_t> smaller(entries_.memory());
  smaller.reserve(wanted);
  for (const std::uint32_t entry : entries_) smaller.append(entry);
  entries_.swap(smaller);
}

}  // namespace strata::detail
