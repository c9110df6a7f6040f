#include "pair_conditions.hpp"

#include <algorithm>

namespace strata::detail {

void PairConditions::add(const PairCondition& condition) {
  STRATA_EXPECTS(conditions_.size() < kMaxTerms, "a query asks for at most " + std::to_string(kMaxTerms) +
                                                     " pairs to a target: test others with Relations::has");
  STRATA_EXPECTS(condition.find != nullptr || pairs_->knows(condition.relation),
                 "a query asks for pairs of the component \"" + (*registry_)[condition.relation].name +
                     "\", which is no relation: call Relations::relation for it first");
  conditions_.push_back(condition);
}

bool PairConditions::passes(Entity entity) const {
  return std::all_of(conditions_.begin(), conditions_.end(),
                     [&](const PairCondition& condition) { return passes(entity, condition); });
}

std::size_t PairConditions::first_required() const {
  const auto* const found = std::find_if(conditions_.begin(), conditions_.end(),
                                         [](const PairCondition& condition) { return !condition.excluded; });
  return static_cast<std::size_t>(found - conditions_.begin());
}

std::span<const Entity> PairConditions::list(std::vector<Entity>& buffer) const {
  const PairCondition& first = conditions_[first_required()];
  return pairs_->list_sources(id_of(first), first.target, buffer);
}

std::string PairConditions::name_of(const PairCondition& condition) const {
  const ComponentId id = id_of(condition);
  const std::string name =
      id == kChildOf ? std::string(strata::name_of<strata::ChildOf>) : registry_->describe_asked(id).name;
  return "a pair of \"" + name + "\" to " + to_string(condition.target);
}

void PairConditions::explain(Entity entity, std::vector<std::string>& reasons) const {
  for (const PairCondition& condition : conditions_) {
    if (passes(entity, condition)) continue;
    reasons.push_back(condition.excluded ? "has " + name_of(condition) + ", which is excluded"
                                         : "has no" + name_of(condition).substr(1));
  }
}

std::string PairConditions::in_words() const {
  std::string text;
  const std::size_t first = first_required();
  if (first != conditions_.size()) text = "looks up each source of " + name_of(conditions_[first]);
  for (std::size_t i = 0; i < conditions_.size(); ++i) {
    if (i == first) continue;
    text += (conditions_[i].excluded ? ", without " : ", with ") + name_of(conditions_[i]);
  }
  return text;
}

}  // namespace strata::detail
