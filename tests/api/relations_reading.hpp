// RelationsReading: reads the relations of a world in all ways, and compares what it reads with RelationsModel.
#pragma once

#include <strata/strata.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "../support/components.hpp"
#include "../support/model_test.hpp"
#include "relations_model.hpp"

namespace strata::test::relations_model_test {

/// Relations that commands can name; the others are described at run time.
struct Follows : Counted {
  using Counted::Counted;
};
struct Bound {};

}  // namespace strata::test::relations_model_test

template <>
inline constexpr strata::RelationOptions
    strata::relation_options_of<strata::test::relations_model_test::Bound> = {
        .exclusive = true, .target_destroyed = strata::PairCleanup::destroy, .queried = true};

namespace strata::test::relations_model_test {

/// A world with relations of all kinds, and the model of it. Turns of the model test change both.
class RelationsReading {
 public:
  RelationsReading(Bytes& bytes, Log& log) : bytes_(bytes), log_(log) {
    add_relation(world_.relations().relation<Follows>(), {});
    add_relation(world_.relations().relation<Bound>(), relation_options_of<Bound>);
    const auto describe_one = [&](const char* name, RelationOptions options) {
      ComponentInfo info = describe<Counted>();
      info.name = name;
      info.type = nullptr;
      add_relation(world_.relations().relation(info, options), options);
    };
    describe_one("near", {.symmetric = true, .queried = true});
    describe_one("married", {.exclusive = true, .symmetric = true});
    describe_one("needs", {.acyclic = true, .target_destroyed = PairCleanup::refuse});
    describe_one("reports to", {.exclusive = true, .acyclic = true, .queried = true});
    describe_one("owns", {.target_destroyed = PairCleanup::refuse, .source_destroyed = PairCleanup::destroy});
    describe_one("serves", {.exclusive = true, .storage = Storage::table, .queried = true});
    describe_one("member", {.source_destroyed = PairCleanup::destroy, .storage = Storage::table});
    describe_one("twin", {.symmetric = true, .target_destroyed = PairCleanup::destroy});
  }

  Disagreement compare() {
    if (world_.size() != model_.parents.size())
      return "the world has " + std::to_string(world_.size()) + " entities";
    for (const auto& [entity, parent] : model_.parents) {
      if (!world_.alive(entity) || world_.parent(entity) != parent)
        return to_string(entity) + " is dead or elsewhere";
      for (std::size_t relation = 0; relation < ids_.size(); ++relation) {
        if (Disagreement wrong = compare_pairs(relation, entity)) return wrong;
      }
    }
    std::size_t values = 0;
    for (const RelationsModel::Pair& pair : model_.pairs) {
      values += pair.relation == 1 ? 0 : (model_.options[pair.relation].symmetric ? 1 : 2);
    }
    if (static_cast<std::size_t>(scope_.leaked()) * 2 != values) return "values are lost or destroyed twice";
    const Outcome valid = world_.validate();
    return valid ? Disagreement() : valid.message();
  }

 protected:
  Entity pick() { return seen_.empty() ? Entity() : seen_[bytes_.below(seen_.size())]; }
  bool alive(Entity entity) const { return model_.parents.contains(entity); }

  /// Returns: the id of a relation; behind those of the model, there is ChildOf.
  ComponentId id_of(std::size_t relation) {
    return relation < ids_.size() ? ids_[relation] : world_.relations().relation<ChildOf>();
  }
  bool has_pair(std::size_t relation, Entity source, Entity target) const {
    if (relation == ids_.size()) return target && model_.parents.at(source) == target;
    return model_.has_pair(relation, source, target);
  }

  /// Visits the entities with a pair to one target, and perhaps without a pair to another one.
  Disagreement query() {
    const std::size_t relation = bytes_.below(ids_.size() + 1);
    const std::size_t other_relation = bytes_.below(ids_.size() + 1);
    const Entity target = pick();
    const Entity other = pick();
    const bool requires_one = !bytes_.chance(4);
    const bool by_depth = bytes_.chance(2);
    log_("query: ", requires_one ? "with " : "without ", relation, " to ", target, ", without ",
         other_relation, " to ", other, by_depth ? ", by depth" : "");
    auto restricted =
        requires_one ? reader_.to(id_of(relation), target) : reader_.without(id_of(relation), target);
    auto more = restricted.without(id_of(other_relation), other);
    std::vector<Entity> found;
    const auto note = [&](const RuntimeQuery::Row& row) { found.push_back(row.entity()); };
    by_depth ? more.cascade().each(note) : more.each(note);
    std::vector<Entity> expected;
    if (requires_one) {
      const auto assign = [&](const auto& sources) { expected.assign(sources.begin(), sources.end()); };
      relation == ids_.size() ? assign(world_.children(target))
                              : assign(world_.relations().sources(target, ids_[relation]));
    } else {
      for (const auto& [entity, parent] : model_.parents) expected.push_back(entity);
      std::erase_if(expected, [&](Entity entity) { return has_pair(relation, entity, target); });
    }
    std::erase_if(expected, [&](Entity entity) { return has_pair(other_relation, entity, other); });
    if (by_depth) {
      std::stable_sort(expected.begin(), expected.end(),
                       [&](Entity a, Entity b) { return model_.depth_of(a) < model_.depth_of(b); });
    }
    if (more.count() != expected.size()) return "the number of sources that a query finds is wrong";
    for (const Entity entity : expected) {
      if (!more.contains(entity)) return "a query does not contain a source";
    }
    if (!requires_one) {  // In the order of tables.
      std::sort(found.begin(), found.end());
      std::sort(expected.begin(), expected.end());
    }
    return found == expected ? Disagreement() : "a query visits other sources";
  }

  /// Finds the mark of the nearest entity along an exclusive relation, for all entities.
  Disagreement follow() {
    const std::size_t relation = bytes_.chance(2) ? 1 : 3;
    log_("follow ", relation);
    const std::array<Term, 2> terms{Term{Role::entity, ComponentId{}},
                                    Term{Role::nearest, world_.component<Health>(), 0, ids_[relation]}};
    Disagreement wrong;
    world_.query(terms).each([&](const RuntimeQuery::Row& row) {
      const auto* const found = static_cast<const Health*>(row.related(1));
      const int expected = model_.nearest_mark(relation, row.entity());
      if ((found != nullptr ? found->points : 0) != expected) wrong = "another value is the nearest";
    });
    return wrong;
  }

  /// Lists all pairs of two entities, whatever the relation, and visits all pairs of one.
  Disagreement list_all() {
    const Entity one = pick();
    const Entity other = pick();
    const std::size_t chosen = bytes_.below(ids_.size() + 1);
    log_("list the pairs of ", one, ", those to ", other, " and all of ", chosen);
    std::size_t from = 0, to = 0, between = 0, visited = 0;
    bool known = true;
    const auto is_known = [&](ComponentId id, Entity source, Entity target) {
      for (std::size_t relation = 0; relation <= ids_.size(); ++relation) {
        if (id_of(relation) == id) return has_pair(relation, source, target);
      }
      return false;
    };
    world_.relations().each_target(one, [&](ComponentId id, Entity target) {
      known = known && is_known(id, one, target);
      ++from;
    });
    world_.relations().each_source(one, [&](ComponentId id, Entity source) {
      known = known && is_known(id, source, one);
      ++to;
    });
    world_.relations().each_between(one, other, [&](ComponentId id) {
      known = known && is_known(id, one, other);
      ++between;
    });
    reader_.each_pair(id_of(chosen), [&](const RuntimeQuery::Row& row, Entity target, const void* value) {
      known = known && has_pair(chosen, row.entity(), target);
      known = known && (chosen == 1 || chosen == ids_.size() || value != nullptr);
      ++visited;
    });
    if (!known) return "a pair is listed that is none";
    for (const auto& [entity, parent] : model_.parents) {
      for (std::size_t relation = 0; relation <= ids_.size(); ++relation) {
        if (alive(one)) from -= has_pair(relation, one, entity) ? 1 : 0;
        to -= has_pair(relation, entity, one) ? 1 : 0;
        if (alive(one) && entity == other) between -= has_pair(relation, one, other) ? 1 : 0;
      }
      for (const auto& [target, above] : model_.parents) visited -= has_pair(chosen, entity, target) ? 1 : 0;
    }
    return from + to + between + visited == 0 ? Disagreement() : "not all pairs are listed";
  }

  Bytes& bytes_;
  Log& log_;
  const CountedScope scope_;
  World world_;
  const std::array<Term, 1> entity_term_{Term{Role::entity, ComponentId{}}};
  RuntimeQuery reader_ = world_.query(entity_term_);
  std::vector<ComponentId> ids_;
  RelationsModel model_;
  std::vector<Entity> seen_;

 private:
  void add_relation(ComponentId id, RelationOptions options) {
    ids_.push_back(id);
    model_.options.push_back(options);
  }

  Disagreement compare_pairs(std::size_t relation, Entity entity) {
    std::vector<Entity> targets;
    std::vector<Entity> sources;
    for (const RelationsModel::Pair& pair : model_.pairs) {
      if (pair.relation != relation) continue;
      if (pair.target == entity) sources.push_back(pair.source);
      if (pair.source != entity) continue;
      targets.push_back(pair.target);
      if (!world_.relations().has(entity, pair.target, ids_[relation])) return "a pair is not found";
      if (relation == 1) continue;
      const auto* value =
          static_cast<const Counted*>(world_.relations().find(entity, pair.target, ids_[relation]));
      if (value->value() != pair.value) return "the value of a pair is wrong";
    }
    const auto differ = [](std::vector<Entity>& expected, std::span<const Entity> found) {
      std::sort(expected.begin(), expected.end());
      std::vector<Entity> sorted(found.begin(), found.end());
      std::sort(sorted.begin(), sorted.end());
      return sorted != expected;
    };
    const std::string of = " of " + to_string(entity) + " in relation " + std::to_string(relation);
    if (differ(targets, world_.relations().targets(entity, ids_[relation])))
      return "the targets" + of + " are wrong";
    if (differ(sources, world_.relations().sources(entity, ids_[relation])))
      return "the sources" + of + " are wrong";
    return {};
  }
};

}  // namespace strata::test::relations_model_test
