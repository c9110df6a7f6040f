// ParentRelation: leads a query from rows to the values of their parents.
#pragma once

#include "../query/relation.hpp"
#include "../storage/store.hpp"
#include "links.hpp"

namespace strata {

/// Answers `Parent<const T>` terms, wherever T is stored.
class ParentRelation : public Relation {
 public:
  ParentRelation(const Store& store, const Links& links) : store_(store), links_(links) {}

  bool find_shared(const Block& block, ComponentId id, const void** value) const override;
  void find_each(std::span<const Entity> rows, ComponentId id, const void** values) const override;

 private:
  const void* find_value(std::uint32_t node, ComponentId id, const ComponentDescription& component) const;

  const Store& store_;
  const Links& links_;
};

}  // namespace strata
