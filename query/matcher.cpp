#include "matcher.hpp"

#include <algorithm>

namespace strata {

Matcher::Matcher(const Store& store, std::span<const Term> terms, const Relation* relation)
    : store_(&store), relation_(relation), terms_(terms.begin(), terms.end()) {
  STRATA_EXPECTS(terms.size() <= kMaxTerms, "a query has at most 16 terms");
  in_side_store_.resize(terms_.size());
  value_sizes_.resize(terms_.size());
  std::size_t fewest = 0;
  for (std::size_t i = 0; i < terms_.size(); ++i) {
    const Term& term = terms_[i];
    if (term.role == Role::related) {
      STRATA_EXPECTS(relation != nullptr, "a query asks for a parent's value where there is no hierarchy");
      related_terms_.push_back(static_cast<std::uint32_t>(i));
      relates_to_side_store_ = relates_to_side_store_ || store.registry()[term.id].storage == Storage::sparse;
    }
    if (term.role == Role::entity || term.role == Role::related) continue;
    const ComponentDescription& component = store.registry()[term.id];
    value_sizes_[i] = component.size;
    in_side_store_[i] = component.storage == Storage::sparse ? 1 : 0;
    uses_side_store_ = uses_side_store_ || in_side_store(i);
    const bool has_value = term.role == Role::value || term.role == Role::optional;
    if (has_value && !in_side_store(i)) column_terms_.push_back(static_cast<std::uint32_t>(i));
    if (!is_required(term) || in_side_store(i)) continue;
    // The list is fixed from here on, because positions in it are remembered.
    const std::size_t archetypes = store.archetypes().with_component(term.id).size();
    if (!has_lead_ || archetypes < fewest) {
      lead_ = term.id;
      fewest = archetypes;
      has_lead_ = true;
    }
  }
  refresh();
}

std::span<Archetype* const> Matcher::candidates() const {
  return has_lead_ ? store_->archetypes().with_component(lead_) : store_->archetypes().all();
}

void Matcher::refresh() {
  const std::span<Archetype* const> all = candidates();
  if (seen_ == all.size()) return;
  const std::size_t matched_before = matches_.size();
  store_->query_costs().add({all.size() - seen_, 0, 0, 0});
  for (; seen_ < all.size(); ++seen_) {
    Archetype& archetype = *all[seen_];
    if (!accepts(archetype)) continue;
    prefixes_.reserve(prefixes_.size() + terms_.size());
    matches_.push_back(&archetype);
    prepared_at_ = 0;
    for (std::size_t i = 0; i < terms_.size(); ++i) {
      const bool column = terms_[i].role == Role::value || terms_[i].role == Role::optional;
      prefixes_.push_back(column && !in_side_store(i) ? archetype.layout().prefix_of(terms_[i].id)
                                                      : ColumnLayout::kAbsent);
    }
  }
  store_->query_costs().add({0, matches_.size() - matched_before, 0, 0});
}

bool Matcher::accepts(const Archetype& archetype) const {
  for (std::size_t i = 0; i < terms_.size(); ++i) {
    if (in_side_store(i)) continue;
    const bool present = terms_[i].role != Role::entity && archetype.layout().contains(terms_[i].id);
    if (is_required(terms_[i]) && !present) return false;
    if (terms_[i].role == Role::without && present) return false;
  }
  return true;
}

std::ptrdiff_t Matcher::find_match(const Archetype& archetype) const {
  // Matches are in order of creation, which is the order of ids.
  const auto found =
      std::lower_bound(matches_.begin(), matches_.end(), archetype.id(),
                       [](const Archetype* match, std::uint32_t id) { return match->id() < id; });
  return found != matches_.end() && *found == &archetype ? found - matches_.begin() : -1;
}

bool Matcher::accepts(Entity entity) const {
  if (!store_->alive(entity)) return false;
  return std::all_of(terms_.begin(), terms_.end(), [&](const Term& term) {
    if (is_required(term)) return store_->has(entity, term.id);
    return term.role != Role::without || !store_->has(entity, term.id);
  });
}

std::string Matcher::check_invariants() const {
  std::size_t match = 0;
  for (std::size_t i = 0; i < seen_; ++i) {
    Archetype* const archetype = candidates()[i];
    if (!accepts(*archetype)) continue;
    if (match >= matches_.size() || matches_[match] != archetype) return "Q1: an archetype is not matched";
    for (std::size_t term = 0; term < terms_.size(); ++term) {
      const std::uint32_t prefix = prefixes(match)[term];
      if (prefix != ColumnLayout::kAbsent && prefix != archetype->layout().prefix_of(terms_[term].id)) {
        return "Q2: a column's prefix is not that of its layout";
      }
    }
    ++match;
  }
  return match == matches_.size() ? "" : "Q1: an archetype is matched that should not be";
}

}  // namespace strata
