#include "relation_set.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "../../core/contract.hpp"
#include "../../core/reserve.hpp"
#include "../../core/rollback.hpp"
#include "../../core/value_buffer.hpp"
#include "dependents.hpp"
#include "pair.hpp"

namespace strata::detail {

RelationSet::RelationSet(Store& store, const Links& links)
    : store_(store), links_(links), by_id_(store.memory()), all_(store.memory()) {}

RelationSet::~RelationSet() {
  end();
  for (Pairs* const pairs : all_) delete pairs;
}

Pairs& RelationSet::get(ComponentId id, const RelationOptions& options) {
  if (Pairs* const known = find(id)) {
    STRATA_EXPECTS(known->options() == options, "the relation \"" + known->component().name +
                                                    "\" is known already, and has other options: describe it "
                                                    "once, or with the same options");
    return *known;
  }
  const ComponentInfo& component = store_.registry()[id];
  ComponentId source_component = id;
  if (options.queried) {
    ComponentInfo source;
    source.name = std::string(kPairName) + component.name + std::string(kPairNameEnd);
    source.size = sizeof(SourcePairs);
    source.alignment = alignof(SourcePairs);
    source.storage = Storage::sparse;
    source_component = store_.registry().add(source);
    store_.registry().keep(source_component);
    store_.side().get(source_component);
  }
  if (to_index(id) >= by_id_.size()) by_id_.resize(to_index(id) + 1, nullptr);
  reserve_one(all_);
  all_.push_back(new Pairs(id, component, options, source_component, store_.memory()));
  by_id_[to_index(id)] = all_.back();
  return *all_.back();
}

void* RelationSet::add(Pairs& pairs, Entity source, Entity target, const GivenValue& given, CallSite at) {
  const Store::Change change(store_, "add of a pair", source, at);
  for (const Entity entity : {source, target}) store_.require_alive("add of a pair", entity, at);
  STRATA_EXPECTS_AT(at, source != target,
                    "add of a pair of \"" + pairs.component().name + "\": entity " + to_string(source) +
                        " cannot be the source and the target");
  std::uint32_t pair = pairs.find(source, target);
  if (pair != Pairs::kNone) {
    if (!pairs.component().is_tag()) replace_value(pairs, pair, given);
  } else {
    pair = prepare(pairs, source, target);
    if (!pairs.component().is_tag()) build_value(pairs, pair, given);
    link(pairs, pair, source, target);
    if (pairs.options().exclusive) {
      remove_others(pairs, source, pair);
      if (pairs.options().symmetric) remove_others(pairs, target, pair ^ 1);
    }
  }
  destroy_dead();
  return pairs.value(pair);
}

/// Makes room for a pair, as Pairs::prepare does, and shows queries that its source has one.
std::uint32_t RelationSet::prepare(Pairs& pairs, Entity source, Entity target) {
  const std::uint32_t pair = pairs.prepare(source, target);
  Rollback undo([&] { cancel(pairs, pair, source, target); });
  show_source(pairs, source, pair);
  if (pairs.options().symmetric) show_source(pairs, target, pair ^ 1);
  undo.dismiss();
  return pair;
}

void RelationSet::cancel(Pairs& pairs, std::uint32_t pair, Entity source, Entity target) noexcept {
  pairs.cancel(pair, source, target);
  update_source(pairs, source);
  if (pairs.options().symmetric) update_source(pairs, target);
}

/// Gives a source the component Pair, if the relation is queried and it does not have it.
/// Errors: std::bad_alloc; nothing has changed then.
void RelationSet::show_source(Pairs& pairs, Entity source, std::uint32_t pair) {
  SparsePool* const pool = pool_of(pairs);
  if (pool == nullptr) return;
  const SparsePool::Inserted inserted = pool->insert(source);
  if (!inserted.existed) ::new (inserted.value) SourcePairs(&pairs, pair);
}

/// Makes the component Pair of an entity lead to its first pair; removes it if there is none.
void RelationSet::update_source(Pairs& pairs, Entity source) noexcept {
  SparsePool* const pool = pool_of(pairs);
  if (pool == nullptr) return;
  const std::uint32_t first = pairs.first(End::source, source);
  if (first == Pairs::kNone) {
    pool->erase(source);
  } else if (void* const value = pool->find(source)) {
    ::new (value) SourcePairs(&pairs, first);
  }
}

/// Builds the value of a pair that is not listed yet. Structural changes and queries are refused meanwhile if
/// that runs user code.
void RelationSet::build_value(Pairs& pairs, std::uint32_t pair, const GivenValue& given) noexcept {
  const ChangeGuard::MovingIf moving(store_.guard(), pairs.component().relocate != nullptr);
  given.build(pairs.component(), pairs.value(pair), given.value);
}

void RelationSet::replace_value(Pairs& pairs, std::uint32_t pair, const GivenValue& given) {
  const ComponentInfo& component = pairs.component();
  void* const place = pairs.value(pair);
  if (component.destroy == nullptr) return build_value(pairs, pair, given);
  const ValueBuffer old(component, store_.memory());
  {
    const ChangeGuard::MovingIf moving(store_.guard(), component.relocate != nullptr);
    component.relocate_values(old.get(), place, 1);
    given.build(component, place, given.value);
  }
  const ChangeGuard::Operation destroying(store_.guard(), "add of a pair");
  component.destroy(old.get(), 1);
}

void RelationSet::link(Pairs& pairs, std::uint32_t pair, Entity source, Entity target) noexcept {
  const std::size_t before = count_;
  pairs.link(pair, source, target);
  count_ += pairs.options().symmetric ? 2 : 1;
  count_changed(before);
}

void RelationSet::remove_pair(Pairs& pairs, std::uint32_t pair) noexcept {
  const std::size_t before = count_;
  const Entity source = pairs.entity(End::source, pair);
  const Entity target = pairs.entity(End::target, pair);
  count_ -= pairs.remove(pair);
  has_dead_ = has_dead_ || pairs.has_dead();
  update_source(pairs, source);
  if (pairs.options().symmetric) update_source(pairs, target);
  count_changed(before);
}

/// Removes the pairs of a source except one.
void RelationSet::remove_others(Pairs& pairs, Entity source, std::uint32_t kept) noexcept {
  for (std::uint32_t pair = pairs.first(End::source, source); pair != Pairs::kNone;) {
    const std::uint32_t next = pairs.next(End::source, pair);
    if (pair != kept) remove_pair(pairs, pair);
    pair = next;
  }
}

bool RelationSet::remove(Pairs* pairs, Entity source, Entity target, CallSite at) {
  const Store::Change change(store_, "remove of a pair", source, at);
  const std::uint32_t pair = pairs != nullptr ? pairs->find(source, target) : Pairs::kNone;
  if (pair == Pairs::kNone) return false;
  remove_pair(*pairs, pair);
  destroy_dead();
  return true;
}

std::size_t RelationSet::remove_all(Pairs* pairs, End end, Entity entity, CallSite at) {
  const Store::Change change(store_, "remove of pairs", entity, at);
  std::size_t removed = 0;
  if (pairs == nullptr) return removed;
  for (std::uint32_t pair = pairs->first(end, entity); pair != Pairs::kNone; ++removed) {
    const std::uint32_t next = pairs->next(end, pair);
    remove_pair(*pairs, pair);
    pair = next;
  }
  destroy_dead();
  return removed;
}

void RelationSet::refuse_absent(std::string_view name, Entity source, Entity target, CallSite at) const {
  STRATA_EXPECTS_AT(at, false,
                    "get of a pair: there is no pair of \"" + std::string(name) + "\" from entity " +
                        to_string(source) + " to entity " + to_string(target));
  std::abort();
}

Outcome RelationSet::may_destroy(std::span<const Entity> entities) const {
  if (!has_policies()) return Outcome::done();
  Dependents listed(*this, links_, store_.memory());
  for (const Entity entity : entities) {
    if (store_.alive(entity)) listed.add(entity);
  }
  listed.complete();
  std::string refusal = listed.find_refusal();
  return refusal.empty() ? Outcome::done() : Outcome::refused(std::move(refusal));
}

bool RelationSet::has_policies() const noexcept {
  return std::any_of(all_.begin(), all_.end(), [](const Pairs* pairs) {
    const RelationOptions& how = pairs->options();
    const bool removes =
        how.target_destroyed == PairCleanup::remove && how.source_destroyed == PairCleanup::remove;
    return !removes && pairs->size() != 0;
  });
}

void RelationSet::remove_pairs_of(Entity entity) noexcept {
  for (Pairs* const pairs : all_) {
    for (const End end : {End::source, End::target}) {
      for (std::uint32_t pair = pairs->first(end, entity); pair != Pairs::kNone;
           pair = pairs->first(end, entity)) {
        remove_pair(*pairs, pair);
      }
    }
  }
}

void RelationSet::remove_pairs_below(std::uint32_t index) noexcept {
  for (std::uint32_t below = index; below != Links::kNone && any();
       below = links_.next_depth_first(below, index)) {
    remove_pairs_of(entity_of(below));
  }
}

void RelationSet::remove_all_pairs() noexcept {
  const std::size_t before = count_;
  for (Pairs* const pairs : all_) {
    pairs->clear();
    if (SparsePool* const pool = pool_of(*pairs)) pool->clear();
    has_dead_ = has_dead_ || pairs->has_dead();
  }
  count_ = 0;
  count_changed(before);
}

/// Marks the guard when there is a first pair, and ends that when there is none; `before` is the number of
/// pairs before.
void RelationSet::count_changed(std::size_t before) noexcept {
  if ((before != 0) != (count_ != 0)) store_.guard().mark_tree_listened(TreeListener::relations, count_ != 0);
}

void RelationSet::destroy_dead_values() noexcept {
  const ChangeGuard::Operation operation(store_.guard(), store_.guard().operation());
  has_dead_ = false;
  for (Pairs* const pairs : all_) pairs->destroy_dead();
}

void RelationSet::end() noexcept {
  remove_all_pairs();
  destroy_dead();
}

MemoryUse RelationSet::memory_use() const {
  MemoryUse sum = memory_use_of(by_id_) + memory_use_of(all_);
  for (const Pairs* const pairs : all_) sum += pairs->memory_use();
  return sum;
}

void RelationSet::shrink() noexcept {
  for (Pairs* const pairs : all_) pairs->shrink();
}

std::string RelationSet::check_invariants() const {
  std::size_t count = 0;
  for (const Pairs* const pairs : all_) {
    if (std::string broken = pairs->check_invariants(); !broken.empty()) return broken;
    if (std::string broken = check_sources(*pairs); !broken.empty()) return broken;
    count += pairs->size();
    for (std::uint32_t pair = 0; pair < pairs->numbers(); ++pair) {
      for (const End end : {End::source, End::target}) {
        const Entity entity = pairs->entity(end, pair);
        if (entity && !store_.alive(entity)) {
          return "I6: entity " + to_string(entity) + " of a pair of \"" + pairs->component().name +
                 "\" is stale";
        }
      }
    }
  }
  return count == count_ ? "" : "I7: the number of pairs is wrong";
}

std::string RelationSet::check_sources(const Pairs& pairs) const {
  const SparsePool* const pool = pool_of(pairs);
  if (pool == nullptr) return "";
  std::size_t sources = 0;
  for (std::uint32_t pair = 0; pair < pairs.numbers(); ++pair) {
    const Entity source = pairs.entity(End::source, pair);
    if (!source || pairs.first(End::source, source) != pair) continue;
    ++sources;
    const auto* const shown = static_cast<const SourcePairs*>(pool->find(source));
    if (shown == nullptr || shown->target() != pairs.entity(End::target, pair)) {
      return "I8: entity " + to_string(source) + " has a wrong component \"" + pool->component().name + '"';
    }
  }
  return sources == pool->size() ? ""
                                 : "I8: an entity that is no source has \"" + pool->component().name + '"';
}

}  // namespace strata::detail
