#include "access_log.hpp"

#include <algorithm>
#include <new>

#include "../../core/block_format.hpp"
#include "../../core/registry.hpp"

namespace strata::detail {

bool IterationCounts::has_term_of(ComponentId id) const {
  return std::any_of(terms.begin(), terms.end(), [&](const ComponentAccess& one) { return one.id == id; });
}

AccessLog::~AccessLog() {
  clear();
}

void AccessLog::clear() noexcept {
  while (Page* const page = first_.next) {
    first_.next = page->next;
    delete page;
  }
  first_ = Page();
  iterations_.clear();
  recent_ = 0;
  lost_ = 0;
}

/// Returns: the counts of a component, for which memory is allocated at its first use. Null if the world does not know
/// the component, or if there is no memory; in both cases, the access is not counted. If there is no memory, adds one
/// to `lost_`.
/// Contract: the caller holds the mutex.
AccessCounts* AccessLog::find_counts(ComponentId id) noexcept {
  if (id == Registry::kUnknown) return nullptr;
  Page* page = &first_;
  for (std::size_t left = to_index(id) / kPerPage; left != 0; --left) {
    if (page->next == nullptr) page->next = new (std::nothrow) Page;
    page = page->next;
    if (page == nullptr) {
      ++lost_;
      return nullptr;
    }
  }
  return &page->counts[to_index(id) % kPerPage];
}

void AccessLog::looked_up(ComponentId id, bool found) noexcept {
  const std::lock_guard lock(mutex_);
  if (AccessCounts* const counts = find_counts(id)) ++(found ? counts->found : counts->missed);
}

void AccessLog::count_change(ComponentId id, Place row, std::uint64_t AccessCounts::*which,
                             bool moves) noexcept {
  const std::lock_guard lock(mutex_);
  AccessCounts* const counts = find_counts(id);
  if (counts == nullptr) return;
  ++(counts->*which);
  if (!moves) return;
  const BlockFormat& format = *row.block->format;
  counts->changed_bytes += format.row_bytes();
  counts->changed_columns += format.columns().size();
  if (!format.contains(id) || format.prefix_of(id) == BlockFormat::kTag) return;
  const auto own = std::find_if(format.columns().begin(), format.columns().end(),
                                [&](const Column& column) { return column.id == id; });
  counts->changed_bytes -= own->size;
  --counts->changed_columns;
}

void AccessLog::added(ComponentId id, Place row, bool had) noexcept {
  count_change(id, row, had ? &AccessCounts::replaced : &AccessCounts::added, !had);
}

void AccessLog::removed(ComponentId id, Place row, bool had) noexcept {
  if (had) count_change(id, row, &AccessCounts::removed, true);
}

void AccessLog::iterated(const Iteration& iteration) {
  const std::lock_guard lock(mutex_);
  const auto has_equal_terms = [&](const IterationCounts& known) {
    return known.visited == iteration.visited &&
           std::equal(known.terms.begin(), known.terms.end(), iteration.terms.begin(), iteration.terms.end());
  };
  if (recent_ >= iterations_.size() || !has_equal_terms(iterations_[recent_])) {
    recent_ = static_cast<std::size_t>(std::find_if(iterations_.begin(), iterations_.end(), has_equal_terms) -
                                       iterations_.begin());
    if (recent_ == iterations_.size()) {
      iterations_.push_back({{iteration.terms.begin(), iteration.terms.end()}, iteration.visited, 0, 0, 0});
    }
  }
  IterationCounts& counts = iterations_[recent_];
  ++counts.iterations;
  counts.rows += iteration.rows;
  counts.tables += iteration.tables;
}

AccessCounts AccessLog::counts_of(ComponentId id) const {
  const Page* page = &first_;
  for (std::size_t left = to_index(id) / kPerPage; left != 0 && page != nullptr; --left) page = page->next;
  return page != nullptr ? page->counts[to_index(id) % kPerPage] : AccessCounts();
}

}  // namespace strata::detail
