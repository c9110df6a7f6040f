#include "matcher.hpp"

#include <algorithm>

#include "../../core/reserve.hpp"
#include "term_contracts.hpp"

namespace strata::detail {

Matcher::Matcher(const Store& store, std::span<const Term> terms, const Relation* relation,
                 std::span<const FindId> finders)
    : store_(&store), relation_(relation), occupied_(store.archetypes().occupancy().end()) {
  STRATA_EXPECTS(terms.size() <= kMaxTerms, "a query has at most " + std::to_string(kMaxTerms) +
                                                " terms, and this one has " + std::to_string(terms.size()));
  for (const Term& term : terms) {
    terms_.push_back(term);
    value_sizes_.push_back(0);
  }
  for (std::size_t i = 0; i < terms_.size(); ++i) {
    const bool unknown = terms_[i].role != Role::entity && terms_[i].id == Registry::kUnknown;
    if (unknown && i < finders.size() && finders[i] != nullptr) unknown_.push_back({i, finders[i]});
  }
  for (std::size_t i = 0; i < terms_.size(); ++i) {
    const auto is_of_term = [&](const Unknown& unknown) { return unknown.term == i; };
    require_sound(store, relation, terms_[i], i, std::any_of(unknown_.begin(), unknown_.end(), is_of_term));
    if (follows_relation(i)) require_followed(store, relation, terms_[i], i);
    if (is_related(terms_[i])) related_terms_.push_back(static_cast<std::uint32_t>(i));
    if (filters_above(terms_[i])) above_terms_.push_back(static_cast<std::uint32_t>(i));
  }
  uses_ancestors_ = has_related() || has_above_terms();
  find_storages();
  catch_up();
}

/// Looks up, for all terms, whether their component is stored in tables or in the side store (sparse sets), and
/// computes the members that depend on this.
void Matcher::find_storages() {
  uses_side_store_ = finds_related_by_row_ = follows_relations_ = above_in_tables_ = false;
  table_groups_ = side_groups_ = in_side_store_ = toggled_ = 0;
  column_terms_.clear();
  for (std::size_t i = 0; i < terms_.size(); ++i) {
    if (terms_[i].role != Role::entity) find_storage(i);
  }
  find_named_states();
  only_columns_ = !uses_side_store() && !uses_ancestors_;
  filters_rows_ = uses_side_store_ || has_above_terms();
  choose_iteration_source();
  storage_epoch_ = store_->registry().storage_epoch();
}

/// An entity in a state, such as Disabled, only matches if a term names the tag of that state. Finds the states whose
/// tags are named. Only terms about the visited entity itself count, not those about a parent or an ancestor.
void Matcher::find_named_states() {
  named_states_ = {};
  for (const Term& term : terms_) {
    if (is_of_visited(term)) named_states_ |= store_->registry().state_of_tag(term.id);
  }
}

void Matcher::find_storage(std::size_t position) {
  const Term& term = terms_[position];
  const ComponentInfo& component = store_->registry().describe_asked(term.id);
  const bool sparse = component.storage == Storage::sparse;
  value_sizes_[position] = component.size;
  if (is_related(term)) {
    follows_relations_ = follows_relations_ || follows_relation(position);
    finds_related_by_row_ = finds_related_by_row_ || sparse || follows_relations_;
    return;
  }
  if (filters_above(term)) {
    above_in_tables_ = above_in_tables_ || !sparse;
    return;
  }
  const bool toggled = find_off_pool(*store_, term.id) != nullptr;
  if (sparse) in_side_store_ |= 1u << position;
  if (toggled) toggled_ |= 1u << position;
  uses_side_store_ = uses_side_store_ || sparse || toggled;
  if (term.role == Role::any_of) (sparse ? side_groups_ : table_groups_) |= 1u << term.group;
  if (has_own_value(term) && !sparse) column_terms_.push_back(static_cast<std::uint32_t>(position));
}

/// Chooses one of the required components that are stored in tables: the one that the fewest archetypes have. Only
/// archetypes with that component are tested for a match. If no required component is stored in tables, all archetypes
/// are tested. Only `start_over` may choose again, because it sets `seen_` to 0: `seen_` is a position in the list of
/// the archetypes to test.
void Matcher::choose_iteration_source() {
  has_lead_ = false;
  std::size_t fewest = 0;
  for (std::size_t i = 0; i < terms_.size(); ++i) {
    if (terms_[i].role == Role::entity || !is_required(terms_[i]) || in_side_store(i)) continue;
    const std::size_t archetypes = store_->archetypes().with_component(terms_[i].id).size();
    if (has_lead_ && archetypes >= fewest) continue;
    lead_ = terms_[i].id;
    fewest = archetypes;
    has_lead_ = true;
  }
}

/// Looks up again the components that were not registered when they were last looked up, and sets the ids of their
/// terms.
/// Returns: whether at least one of these components is registered now.
bool Matcher::find_unknown() {
  return std::erase_if(unknown_, [this](const Unknown& unknown) {
           terms_[unknown.term].id = unknown.find(store_->registry());
           return terms_[unknown.term].id != Registry::kUnknown;
         }) != 0;
}

/// Returns: whether at least one of the components that were not registered when they were last looked up is registered
/// now. Changes nothing, unlike `find_unknown`.
bool Matcher::has_become_known() const {
  return std::any_of(unknown_.begin(), unknown_.end(), [this](const Unknown& unknown) {
    return unknown.find(store_->registry()) != Registry::kUnknown;
  });
}

/// Does the work of `refresh`: brings the list of matching archetypes up to date. Does nothing during a visit of this
/// query.
void Matcher::catch_up() {
  if (is_visited()) return;
  if (find_unknown() || storage_epoch_ != store_->registry().storage_epoch()) start_over();
  if (toggled_ != 0) only_columns_ = !uses_side_store() && !uses_ancestors_;
  take_in_new();
  occupied_.refresh(matches(), store_->archetypes());
  log_seen_ = unknown_.empty() ? occupied_.seen() : kNever;
}

/// Forgets all matches, so that all archetypes are tested again. Called when a component was moved between
/// tables and the side store (sparse sets), and when the component of a term was registered after the query
/// was made.
void Matcher::start_over() {
  matches_.clear();
  occupied_.clear();
  prefixes_.clear();
  own_.recent = {};
  prepared_at_ = 0;
  seen_ = seen_of_all_ = 0;
  find_storages();
}

/// Finds the values of a term that follows a relation other than the one to the parent. From each entity in `rows`, the
/// search goes to the entity's target, then to the target of that target, and so on, until an entity has the component.
/// Writes to `values`, for each row, a pointer to that entity's value; null if no entity on the way has the component.
void Matcher::follow_relation(std::span<const Entity> rows, std::size_t term, WalkMemo& memo,
                              const void** values) const {
  const FindId find = relation_finders_[term];
  const ComponentId relation = find != nullptr ? find(store_->registry()) : terms_[term].along;
  relation_->pairs()->find_nearest(relation, rows, terms_[term].id, WalkMemo::relation_key(term), memo,
                                   values);
}

void Matcher::take_in_new() {
  if (seen_of_all_ == store_->archetypes().all().size()) return;
  const std::span<Archetype* const> all = candidates();
  const std::size_t archetypes = store_->archetypes().all().size();
  const std::size_t seen_before = seen_;
  const std::size_t matched_before = matches_.size();
  for (; seen_ < all.size(); ++seen_) {
    Archetype& archetype = *all[seen_];
    if (!accepts(archetype)) continue;
    own_.recent = {};
    reserve_more(prefixes_, prefix_stride());
    reserve_one(matches_);
    occupied_.reserve(matches_.capacity());
    matches_.push_back(&archetype);
    occupied_.update(matches(), archetype);
    prepared_at_ = 0;
    for (std::size_t i = 0; i < terms_.size(); ++i) {
      const bool column = has_own_value(terms_[i]) && !in_side_store(i);
      prefixes_.push_back(column ? archetype.format().prefix_of(terms_[i].id) : BlockFormat::kAbsent);
    }
    prefixes_.push_back(open_groups_of(archetype, false));
  }
  seen_of_all_ = archetypes;
  store_->query_costs().add({seen_ - seen_before, matches_.size() - matched_before, 0, 0});
}

void Matcher::prepare_related() const {
  const PlanCost before = cost_;
  prepared_at_ = relation_->prepare(occupied(), prepared_at_, cost_);
  if (cost_.patches == before.patches) return;
  store_->query_costs().add({0, 0, cost_.patches - before.patches, cost_.patched_rows - before.patched_rows});
}

bool Matcher::accepts(const Archetype& archetype) const {
  if ((archetype.states() - named_states_).any()) return false;
  for (std::size_t i = 0; i < terms_.size(); ++i) {
    if (in_side_store(i)) continue;
    const bool present = terms_[i].role != Role::entity && archetype.format().contains(terms_[i].id);
    if (is_required(terms_[i]) && !present) return false;
    if (terms_[i].role == Role::without && present && !toggled(i)) return false;
  }
  return (open_groups_of(archetype, true) & ~side_groups_) == 0;
}

/// Returns: a bit for each group of alternatives (AnyOf), set if the archetype has no component of the group in its
/// tables. The side store is not looked at. Components that were ever switched off for some entity (hidden from queries
/// without being removed, see `toggled`) are ignored if `counts_toggled` is false, because they may be switched off for
/// the visited entity.
std::uint32_t Matcher::open_groups_of(const Archetype& archetype, bool counts_toggled) const {
  std::uint32_t open = table_groups_ | side_groups_;
  for (std::size_t i = 0; i < terms_.size(); ++i) {
    const Term& term = terms_[i];
    if (term.role != Role::any_of || (toggled(i) && !counts_toggled)) continue;
    if (archetype.format().contains(term.id)) open &= ~(1u << term.group);
  }
  return open;
}

#if STRATA_ACCESS_GUARD
/// Sets `use` to Use::change if visits of the query write values, and to Use::read otherwise. If `set_use` was called,
/// its argument decides; otherwise the roles of the terms decide. Sets `name` for error messages. It contains the name
/// of one component that a visit writes or, if it writes none, of the first registered component of the terms. If the
/// terms have no such component, it contains "entities".
/// Contract: `use` is Use::read before the call.
void Matcher::describe_use(Use& use, UseName& name) const {
  const auto has_name = [](const Term& term) {
    return term.role != Role::entity && term.id != Registry::kUnknown;
  };
  const Term* named = std::find_if(terms_.begin(), terms_.end(), has_name);
  if (use_.use) {
    use = *use_.use;
    if (use == Use::change) named = terms_.begin() + use_.named_term;
  } else if (const Term* const written = std::find_if(terms_.begin(), terms_.end(), writes_own_value);
             written != terms_.end()) {
    use = Use::change;
    named = written;
  }
  name.operation = use == Use::change ? "a query that writes " : "a query that reads ";
  name.object =
      named != terms_.end() && has_name(*named) ? store_->registry()[named->id].name.c_str() : "entities";
}
#endif

bool Matcher::has_alternative(std::size_t term, Entity entity) const {
  const ComponentId id = terms_[term].id;
  if (is_off(term, entity)) return false;
  const SparsePool* const pool = store_->side().find(id);
  if (pool != nullptr && pool->contains(entity)) return true;
  return toggled(term) && store_->slots().place_of(entity.index()).block->format->contains(id);
}

/// Returns: whether single rows have to be tested because components can be switched off for entities (hidden from
/// queries without being removed). There are two reasons for such tests:
/// - The component of a term is switched off for some entity now.
/// - A Without term names a component that was ever switched off (see `toggled`). Then archetypes with the component
///   match, because some of their entities may have it switched off.
bool Matcher::filters_toggled() const {
  for (std::size_t i = 0; i < terms_.size(); ++i) {
    if (!toggled(i)) continue;
    if (terms_[i].role == Role::without || find_off_pool(*store_, terms_[i].id)->size() != 0) return true;
  }
  return false;
}

void Matcher::select_format(const Block& block) const {
  const std::ptrdiff_t match = find_match(table_of(block).archetype());
  const auto known = static_cast<std::size_t>(std::max<std::ptrdiff_t>(match, 0));
  own_.recent = {block.format, match >= 0 ? prefixes(known).data() : nullptr, known};
}

StateSet Matcher::unnamed_states(Entity entity) const {
  if (!passes_over_states()) return {};
  return table_of(*store_->slots().place_of(entity.index()).block).archetype().states() - named_states_;
}

bool Matcher::accepts(Entity entity) const {
  if (!unknown_.empty() && has_become_known()) [[unlikely]] {
    // Several threads may call this function, so it must not change the matcher. A copy of the matcher looks up the
    // components that were registered since the last `refresh`.
    Matcher known(*this);
    known.find_unknown();
    known.start_over();
    return known.accepts(entity);
  }
  if (!store_->alive(entity) || unnamed_states(entity).any()) return false;
  std::uint32_t open = table_groups_ | side_groups_;
  for (const Term& term : terms_) {
    const auto holds = [&] {
      return store_->has(entity, term.id) && !detail::is_off(*store_, entity, term.id);
    };
    if (is_required(term) && !holds()) return false;
    if (term.role == Role::without && holds()) return false;
    if (term.role == Role::any_of && holds()) open &= ~(1u << term.group);
  }
  return open == 0 && accepts_above(entity);
}

bool Matcher::accepts_above(Entity entity) const {
  return std::all_of(above_terms_.begin(), above_terms_.end(),
                     [&](std::uint32_t position) { return accepts_above(entity, terms_[position]); });
}

bool Matcher::accepts_above(Entity entity, const Term& term) const {
  WalkMemo walks(store_->memory());
  bool found = false;
  relation_->find_having({&entity, 1}, term.id, reach_of(term), walks, &found);
  return found == requires_above(term);
}

bool Matcher::hides_what_is_above(Entity entity) const {
  return std::all_of(terms_.begin(), terms_.end(), [&](const Term& term) {
    return term.role != Role::nearest || term.along != kChildOf || store_->has(entity, term.id);
  });
}

std::string Matcher::check_invariants() const {
  const bool starts_over = !unknown_.empty() || storage_epoch_ != store_->registry().storage_epoch();
  if (starts_over) return "";  // The next refresh rebuilds the matches.
  for (std::size_t i = 0; i < terms_.size(); ++i) {
    if (terms_[i].role == Role::entity || is_related(terms_[i]) || filters_above(terms_[i])) continue;
    if (in_side_store(i) != (store_->registry().describe_asked(terms_[i].id).storage == Storage::sparse)) {
      return "Q3: a term's component is stored elsewhere";
    }
  }
  std::size_t match = 0;
  for (std::size_t i = 0; i < seen_; ++i) {
    Archetype* const archetype = candidates()[i];
    if (!accepts(*archetype)) continue;
    if (match >= matches_.size() || matches_[match] != archetype) return "Q1: an archetype is not matched";
    for (std::size_t term = 0; term < terms_.size(); ++term) {
      const std::uint32_t prefix = prefixes(match)[term];
      if (prefix != BlockFormat::kAbsent && prefix != archetype->format().prefix_of(terms_[term].id)) {
        return "Q2: a column's prefix is not that of its format";
      }
    }
    ++match;
  }
  if (match != matches_.size()) return "Q1: an archetype is matched that should not be";
  return occupied_.check_invariants(matches(), store_->archetypes().occupancy());
}

}  // namespace strata::detail
