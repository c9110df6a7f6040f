#include "gathered_rows.hpp"

namespace strata {

GatheredRows::GatheredRows(const Matcher& matcher) : matcher_(matcher) {
  const std::span<const Term> terms = matcher.terms();
  for (std::size_t i = 0; i < terms.size(); ++i) {
    if (!matcher.in_side_store(i)) continue;
    pools_[i] = matcher.store().side().find(terms[i].id);
    if (!is_required(terms[i])) continue;
    if (pools_[i] == nullptr) {
      impossible_ = true;
    } else if (smallest_ == nullptr || pools_[i]->size() < smallest_->size()) {
      smallest_ = pools_[i];
    }
  }
}

void GatheredRows::find_match(const Block& block) {
  recent_layout_ = block.layout;
  recent_match_ = matcher_.find_match(table_of(block).archetype());
}

void GatheredRows::take(Batch& batch) {
  batch.access = Access::gathered;
  batch.count = count_;
  batch.entities = entities_.data();
  const std::span<const Term> terms = matcher_.terms();
  for (std::size_t i = 0; i < terms.size(); ++i) {
    batch.lanes[i] = values_[i].data();
    if (terms[i].role == Role::related && count_ != 0) {
      matcher_.relation()->find_each({entities_.data(), count_}, terms[i].id, values_[i].data());
    }
  }
  count_ = 0;
}

}  // namespace strata
