// Hierarchy::Engines: the objects that do the work of Hierarchy, such as destroying and copying entities. They are in a
// struct of their own so that hierarchy.hpp need not include their headers.
#pragma once

#include "creation/instantiator.hpp"
#include "families/defragmenter.hpp"
#include "families/family_rows.hpp"
#include "families/teardown.hpp"
#include "hierarchy.hpp"
#include "names/entity_names.hpp"
#include "origins/parent_relation.hpp"
#include "relations/dependents.hpp"
#include "relations/relation_reader.hpp"
#include "relations/relation_set.hpp"

namespace strata::detail {

/// The objects of a Hierarchy that store, sort and destroy rows, find the rows of parents, and keep names and pairs
/// (links between two entities, beside the parent).
struct Hierarchy::Engines {
  Engines(Store& store, Links& links, LayoutPolicy policy)
      : rows(store, links, policy),
        teardown(store, links, rows),
        defragmenter(store, links, rows, policy.defragmentation),
        relations(store, links),
        pairs(relations, store, links),
        parents(store, links, rows.branches(), &defragmenter, &pairs),
        instantiator(store, links, rows),
        names(store, links),
        dependents(relations, links, store.memory()) {}

  FamilyRows rows;
  Teardown teardown;
  Defragmenter defragmenter;
  RelationSet relations;
  RelationReader pairs;
  ParentRelation parents;
  Instantiator instantiator;  // A member, so that it keeps its scratch memory between calls.
  EntityNames names;
  Dependents dependents;  // A member, so that it keeps its scratch memory between calls.
};

}  // namespace strata::detail
