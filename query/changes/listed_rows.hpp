// ListedRows: a list of entities, which one or several threads then visit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "../../core/compiler.hpp"
#include "../filtering/gathered_rows.hpp"
#include "batch_visitor.hpp"
#include "pass_threads.hpp"

namespace strata::detail {

/// A list of entities to visit, which may be divided among several threads. In an order by depth, the list consists of
/// stages, one for each depth, which are visited one after the other; the entities of a stage may be visited at the
/// same time.
/// Contract: no structural change while this object is in use.
class ListedRows {
 public:
  /// If `by_depth`, the entities of each depth are a stage; otherwise all entities are one stage.
  explicit ListedRows(bool by_depth) : by_depth_(by_depth) {}

  /// Appends the entities of a batch.
  /// Contract: if the object was made with `by_depth`, the entities are added in ascending or descending order of their
  /// depth.
  /// Errors: std::bad_alloc.
  STRATA_API void add(const Matcher& matcher, const Batch& batch);

  /// Calls `visit` with batches that together have each listed entity once. In a list by depth, the visits of one depth
  /// end before those of the next depth begin.
  /// Contract: all listed entities match the query.
  STRATA_API void visit(const Matcher& matcher, const PassThreads& threads, BatchVisitor visit) const;

 private:
  void visit_stage(const Matcher& matcher, const PassThreads& threads, std::size_t begin, std::size_t end,
                   BatchVisitor visit) const;

  bool by_depth_;
  std::vector<Entity> entities_;
  std::vector<std::size_t> stages_;  // Index of the first entity of each depth, if by depth.
  std::uint32_t depth_ = 0;          // The depth of the last stage.
};

}  // namespace strata::detail
