#include "relation_set.hpp"

#include <algorithm>
#include <utility>

#include "../../core/contract.hpp"
#include "../../core/reserve.hpp"
#include "../../core/rollback.hpp"
#include "../../core/value_buffer.hpp"
#include "../../storage/store_change.hpp"
#include "pair.hpp"
#include "table_change.hpp"

namespace strata::detail {

RelationSet::RelationSet(Store& store, const Links& links)
    : store_(store),
      links_(links),
      components_(store),
      tables_(store),
      by_id_(store.memory()),
      all_(store.memory()) {}

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
  STRATA_EXPECTS(!store_.registry().is_shared(),
                 "the relation \"" + component.name +
                     "\" has no pair yet, and several threads use the world: make it known before, by "
                     "Relations::relation");
  STRATA_EXPECTS(options.storage == Storage::sparse || !options.symmetric,
                 "the relation \"" + component.name +
                     "\" is symmetric, and cannot be stored in tables: leave out symmetric or the storage");
  STRATA_EXPECTS(
      !options.acyclic || !options.symmetric,
      "the relation \"" + component.name +
          "\" is symmetric, so each pair is a cycle: leave out one of the options acyclic and symmetric");
  ComponentId source_component = id;
  if (options.queried) {
    ComponentInfo source;
    source.name = std::string(kPairName) + component.name + std::string(kPairNameEnd);
    source.size = component.is_tag() ? sizeof(SourcePairs) : sizeof(SourcePairsWithValues);
    source.alignment = alignof(SourcePairs);
    source.storage = Storage::sparse;
    source_component = store_.registry().add(source);
    store_.registry().keep(source_component);
    store_.side().get(source_component);
  }
  if (to_index(id) >= by_id_.size()) by_id_.resize(to_index(id) + 1, nullptr);
  reserve_one(all_);
  all_.push_back(
      new Pairs(id, component, options, source_component, store_.registry(), store_.pool(), store_.memory()));
  by_id_[to_index(id)] = all_.back();
  return *all_.back();
}

/// Adds a pair to a relation for which Pairs::is_plain is true. In such a relation, a pair only consists of an entry in
/// the source's list of targets and an entry in the target's list of sources. Does nothing if the relation already has
/// this pair.
inline void RelationSet::add_to_lists(Pairs& pairs, Entity source, Entity target) {
  if (!pairs.add_plain(source, target)) return;
  if (!any()) [[unlikely]]
    mark(true);
  ++count_;
}

/// Adds a pair or, if there is such a pair, replaces its value. In an exclusive relation (a source has at most one
/// target), a new pair replaces the present pair of the source and, if the relation is symmetric, that of the target.
/// If a pair is added to an exclusive relation, calls `before()` directly before the present pairs are removed, even if
/// there are none; from then on, nothing can fail. In other cases, `before` is not called. The values of the removed
/// pairs are kept until `destroy_dead` is called.
/// Returns: the address of the pair's value; null if the relation has no values.
template <class BeforeDisplacing>
inline void* RelationSet::add_or_replace(Pairs& pairs, Entity source, Entity target, const GivenValue& given,
                                         BeforeDisplacing before) {
  const Pairs::Ends ends = pairs.open(source, target);
  if (const Pairs::Found found = pairs.find(ends, source, target)) [[unlikely]]
    return replace(pairs, found, source, given);
  const Pairs::Prepared pair = pairs.prepare(ends, source, target);
  if (pairs.is_shown()) {
    const bool moves = pairs.options().exclusive && !pair.source->empty();
    show(pairs, pair, source, target, moves ? pair.source->entities().front() : Entity());
  }
  void* const value = pairs.component().is_tag() ? nullptr : build_value(pairs, pair.number, given);
  if (pairs.options().exclusive) {
    before();
    displace_others(pairs, pair, source, target);
  }
  link(pairs, pair, source, target);
  return value;
}

void RelationSet::connect(Pairs& pairs, Entity source, Entity target, const GivenValue& given) {
  add_or_replace(pairs, source, target, given, [] {});
}

/// Adds a pair of a relation for which Pairs::is_plain is false: its pairs have values, it has or had observers, or its
/// options make an addition do more (see is_plain_relation). Destroys the values of the pairs that the new pair
/// replaces, and notifies the observers, if there are any.
STRATA_NOINLINE void* RelationSet::add_special(Pairs& pairs, Entity source, Entity target,
                                               const GivenValue& given) {
  if (pairs.was_observed()) [[unlikely]]
    return add_observed(pairs, source, target, given);
  void* const value = add_or_replace(pairs, source, target, given, [] {});
  destroy_dead();
  return value;
}

/// Does the work of `add`, if the relation has or had observers: adds the pair, and notifies the observers.
STRATA_COLD STRATA_NOINLINE void* RelationSet::add_observed(Pairs& pairs, Entity source, Entity target,
                                                            const GivenValue& given) {
  const bool existed = static_cast<bool>(pairs.find(source, target));
  void* const value =
      add_or_replace(pairs, source, target, given, [&] { notify_displaced(pairs, source, target); });
  if (!existed) notify(pairs, PairHappening::add, source, target);
  end_observed_change();
  return value;
}

void* RelationSet::add(Pairs& pairs, Entity source, Entity target, const GivenValue& given, CallSite at) {
  const Store::Change change(store_, "add of a pair", source, at);
  if (!store_.alive(source) || !store_.alive(target) || source == target) [[unlikely]]
    refuse(pairs, source, target, at);
  if (pairs.is_plain()) {
    add_to_lists(pairs, source, target);
    return nullptr;
  }
  if (pairs.options().acyclic) require_no_cycle(pairs, source, target, at);
  return add_special(pairs, source, target, given);
}

void RelationSet::add_plain(Pairs& pairs, Entity source, Entity target, CallSite at) {
  const Store::Change change(store_, "add of a pair", source, at);
  if (!store_.alive(source) || !store_.alive(target) || source == target) [[unlikely]]
    refuse(pairs, source, target, at);
  if (!pairs.is_plain()) [[unlikely]]
    return add_plain_observed(pairs, source, target);
  add_to_lists(pairs, source, target);
}

/// Makes a pair that Pairs::prepare has returned visible to queries. If the relation has the option `queried`, gives
/// the source the component Pair. If the relation is stored in tables, a source has a tag component for each of its
/// targets: gives the source the tag for the new target, and takes away the tag for the target `before`, which may be
/// null.
/// Errors: std::bad_alloc; the pair is cancelled then (see Pairs::cancel).
STRATA_NOINLINE void RelationSet::show(Pairs& pairs, const Pairs::Prepared& pair, Entity source,
                                       Entity target, Entity before) {
  Rollback undo([&] { cancel(pairs, pair, source, target); });
  if (pairs.options().queried) {
    components_.add(pairs, {*pair.source, source, target, pair.number});
    if (pairs.options().symmetric) components_.add(pairs, {*pair.target, target, source, pair.number});
  }
  if (pairs.tags() != nullptr && target != before) tables_.enter(pairs, source, target, before);
  undo.dismiss();
}

void RelationSet::cancel(Pairs& pairs, const Pairs::Prepared& pair, Entity source, Entity target) noexcept {
  pairs.cancel(pair);
  for (const Entity entity : {source, target}) components_.update(pairs, entity);
  TargetTags* const tags = pairs.tags();
  if (tags != nullptr && pairs.of(End::target, target).empty()) tags->release(target);
}

/// Builds the value of a pair at the address that belongs to `number` (see PairValues). The memory there has no value,
/// or a value without a destructor. Building the value may run user code, such as a move constructor; structural
/// changes and queries are refused meanwhile.
/// Returns: the address of the value.
STRATA_NOINLINE void* RelationSet::build_value(const Pairs& pairs, std::uint32_t number,
                                               const GivenValue& given) noexcept {
  void* const value = pairs.value(number);
  const ChangeGuard::MovingIf moving(store_.guard(), pairs.component().relocate != nullptr);
  given.build(pairs.component(), value, given.value);
  return value;
}

/// Replaces the value of a pair, if the relation has values.
/// Returns: the address of the value; null if the relation has no values.
STRATA_NOINLINE void* RelationSet::replace(const Pairs& pairs, const Pairs::Found& pair, Entity source,
                                           const GivenValue& given) {
  const ComponentInfo& component = pairs.component();
  if (component.is_tag()) return nullptr;
  const std::uint32_t number = pairs.number(source, pair.position);
  if (component.destroy == nullptr) return build_value(pairs, number, given);
  const ValueBuffer old(component, store_.memory());
  {
    const ChangeGuard::MovingIf moving(store_.guard(), component.relocate != nullptr);
    component.relocate_values(old.get(), pairs.value(number), 1);
    given.build(component, pairs.value(number), given.value);
  }
  const ChangeGuard::Operation destroying(store_.guard(), "add of a pair");
  component.destroy(old.get(), 1);
  return pairs.value(number);
}

/// Removes the pairs that the new pair from `source` to `target` replaces: the present pair of `source`, if any. If the
/// relation is symmetric, also the present pair of `target`, because `target` becomes the source of the reverse pair.
/// `pair` is the new pair, which is not in the lists of `pairs` yet.
/// Contract: the relation is exclusive, so that an entity is the source of at most one pair.
void RelationSet::displace_others(Pairs& pairs, const Pairs::Prepared& pair, Entity source,
                                  Entity target) noexcept {
  displace(pairs, {*pair.source, source, target, pair.number});
  if (pairs.options().symmetric) displace(pairs, {*pair.target, target, source, pair.number});
}

/// In an exclusive relation, removes the pair that `shown.source` already has, if any, because the caller is about to
/// add the pair that `shown` describes. If a pair was removed and the relation has the option `queried`, makes the
/// component Pair of the source contain the new pair. If the relation is symmetric, also updates the component Pair of
/// the old target.
void RelationSet::displace(Pairs& pairs, const PairComponents::Shown& shown) noexcept {
  if (shown.targets.empty()) return;
  const Entity before = shown.targets.entities().front();
  unlink(pairs, pairs.last(End::source, shown.source), shown.source);
  if (!pairs.options().queried) return;
  components_.write(pairs, components_.pool_of(pairs)->find(shown.source), shown);
  if (pairs.options().symmetric) components_.update(pairs, before);
}

/// Removes all pairs of which the entity is the source (End::source) or the target (End::target).
/// Returns: the number of these pairs.
std::size_t RelationSet::remove_listed(Pairs& pairs, End end, Entity entity) noexcept {
  std::size_t removed = 0;
  for (auto listed = pairs.of(end, entity); !listed.empty(); listed = pairs.of(end, entity), ++removed) {
    const Entity other = listed.back();
    const bool is_source = end == End::source;
    remove_pair(pairs, pairs.last(end, entity), is_source ? entity : other, is_source ? other : entity);
  }
  return removed;
}

bool RelationSet::remove(Pairs* pairs, Entity source, Entity target, CallSite at) {
  const Store::Change change(store_, "remove of a pair", source, at);
  if (pairs == nullptr) return false;
  if (pairs->is_plain()) {
    const bool removed = pairs->remove_plain(source, target);
    subtract_count(removed ? 1 : 0);
    return removed;
  }
  const Pairs::Found found = pairs->find(source, target);
  if (!found) return false;
  if (pairs->was_observed()) [[unlikely]] {
    remove_observed(*pairs, found, source, target);
  } else {
    remove_special(*pairs, found, source, target);
  }
  return true;
}

/// Removes a pair of a relation that is not plain (see Pairs::is_plain) and never had observers. Destroys the pair's
/// value. If the relation is stored in tables, the row of the source loses the tag of the target (see TargetTags).
STRATA_NOINLINE void RelationSet::remove_special(Pairs& pairs, const Pairs::Found& found, Entity source,
                                                 Entity target) {
  if (pairs.tags() != nullptr) tables_.leave(pairs, source, {&target, 1});
  remove_pair(pairs, found, source, target);
  destroy_dead();
}

std::size_t RelationSet::remove_all(Pairs* pairs, End end, Entity entity, CallSite at) {
  const Store::Change change(store_, "remove of pairs", entity, at);
  if (pairs == nullptr) return 0;
  if (pairs->tags() != nullptr) tables_.leave_all(*pairs, end, entity);
  if (pairs->was_observed()) [[unlikely]]
    return remove_all_observed(*pairs, end, entity);
  const std::size_t removed = remove_listed(*pairs, end, entity);
  destroy_dead();
  return removed;
}

/// Does the work of `remove_all`, if the relation has or had observers: notifies them, and removes the pairs.
/// Contract: if the relation is stored in tables, the rows of the sources have left the tables of their targets (see
/// TargetTables).
STRATA_COLD STRATA_NOINLINE std::size_t RelationSet::remove_all_observed(Pairs& pairs, End end,
                                                                         Entity entity) {
  notify_listed(pairs, end, entity);
  const std::size_t removed = remove_listed(pairs, end, entity);
  end_observed_change();
  return removed;
}

bool RelationSet::needs_dependents() const noexcept {
  return std::any_of(all_.begin(), all_.end(), [](const Pairs* pairs) {
    const RelationOptions& how = pairs->options();
    const bool removes =
        how.target_destroyed == PairCleanup::remove && how.source_destroyed == PairCleanup::remove;
    return (!removes || pairs->tags() != nullptr) && pairs->size() != 0;
  });
}

bool RelationSet::any_in_tables() const noexcept {
  return std::any_of(all_.begin(), all_.end(),
                     [](const Pairs* pairs) { return pairs->tags() != nullptr && pairs->size() != 0; });
}

void RelationSet::leave_tables(const Dependents& listed) {
  TableChange change(store_);
  add_leaving(change, listed);
  change.apply();
}

void RelationSet::add_leaving(TableChange& change, const Dependents& listed) const {
  for (const Pairs* const pairs : all()) {
    if (pairs->tags() != nullptr && pairs->size() != 0) TargetTables::add_leaving(change, *pairs, listed);
  }
}

void RelationSet::remove_pairs_of(Entity entity) noexcept {
  for (Pairs* const pairs : all()) {
    if (pairs->size() == 0) continue;
    for (const End end : {End::source, End::target}) remove_listed(*pairs, end, entity);
  }
}

void RelationSet::remove_pairs_below(std::uint32_t index) noexcept {
  for (std::uint32_t below = index; below != Links::kNone && any();
       below = links_.next_depth_first(below, index)) {
    remove_pairs_of(entity_of(below));
  }
}

void RelationSet::remove_all_pairs() noexcept {
  for (Pairs* const pairs : all()) {
    pairs->clear();
    if (SparsePool* const pool = components_.pool_of(*pairs)) pool->clear();
    has_dead_ = has_dead_ || pairs->has_dead();
  }
  subtract_count(count_);
}

void RelationSet::pairs_exchanged() noexcept {
  count_ = 0;
  for (const Pairs* const pairs : all()) {
    count_ += pairs->size();
    if (pairs->options().queried)
      pairs->for_each_source(
          [&](Entity source, std::span<const Entity>) { components_.update(*pairs, source); });
  }
  mark(any());
}

void RelationSet::destroy_dead_values() noexcept {
  const ChangeGuard::Operation operation(store_.guard(), store_.guard().operation());
  has_dead_ = false;
  for (Pairs* const pairs : all()) pairs->destroy_dead();
}

void RelationSet::end() noexcept {
  remove_all_pairs();
  destroy_dead();
}

MemoryUse RelationSet::memory_use() const {
  MemoryUse sum = memory_use_of(by_id_) + memory_use_of(all_);
  for (const Pairs* const pairs : all()) sum += pairs->memory_use();
  return sum;
}

void RelationSet::shrink() noexcept {
  for (Pairs* const pairs : all()) pairs->shrink();
}

std::string RelationSet::check_invariants() const {
  std::size_t count = 0;
  for (const Pairs* const pairs : all()) {
    if (std::string broken = pairs->check_invariants(); !broken.empty()) return broken;
    if (std::string broken = components_.check(*pairs); !broken.empty()) return broken;
    if (std::string broken = tables_.check(*pairs); !broken.empty()) return broken;
    count += pairs->size();
    std::string broken;
    pairs->for_each_source([&](Entity source, std::span<const Entity> targets) {
      const auto is_stale = [&](Entity entity) { return !store_.alive(entity); };
      if (is_stale(source) || std::any_of(targets.begin(), targets.end(), is_stale)) {
        broken = "I6: entity " + to_string(source) + " or a target of it in \"" + pairs->component().name +
                 "\" is stale";
      }
    });
    if (!broken.empty()) return broken;
  }
  return count == count_ ? "" : "I7: the number of pairs is wrong";
}

}  // namespace strata::detail
