#include "storage_advisor.hpp"

#include <algorithm>

#include "../../hierarchy/relations/pair.hpp"
#include "detail/storage_advice_text.hpp"
#include "detail/storage_model.hpp"
#include "world.hpp"

namespace strata {
namespace {

using detail::StorageModel;

/// Makes a StorageAdvice from the uses that a StorageAdvisor has counted. The advice has one entry for each component
/// that was used or that an entity has.
class Adviser {
 public:
  Adviser(const detail::Store& store, const detail::AccessLog& log, const StorageAdvice::Costs& costs,
          std::uint64_t frames)
      : store_(store), log_(log), costs_(costs), model_(store, log, costs), best_(model_.best()) {
    advice_.frames = frames;
    advice_.lost = log.lost();
    advice_.cost_now = per_frame(model_.cost(model_.current()));
    advice_.cost_recommended = per_frame(model_.cost(best_));
  }

  StorageAdvice run() {
    for (std::uint32_t i = 0; i < best_.size(); ++i) {
      const ComponentId id{i};
      if (model_.uses_of(id) > 0 || model_.members(id) != 0) advice_.components.push_back(advise(id));
    }
    return std::move(advice_);
  }

 private:
  double per_frame(double ns) const {
    return ns / static_cast<double>(std::max<std::uint64_t>(1, advice_.frames));
  }

  std::string name(ComponentId id) const { return detail::unqualified(store_.registry()[id].name); }

  StorageAdvice::Component::Use use_of(ComponentId id) const {
    StorageAdvice::Component::Use use;
    use.accesses = log_.counts_of(id);
    use.members = model_.members(id);
    use.archetypes = model_.archetypes(id);
    for (const detail::IterationCounts& iteration : log_.iterations()) {
      if (!iteration.has_term_of(id)) continue;
      use.iterated += iteration.rows;
      bool alone = true;
      for (const detail::ComponentAccess& one : iteration.terms) {
        if (one.id == id) continue;
        alone = false;
        const std::string other = name(one.id);
        auto& with = use.iterated_with;
        if (std::find(with.begin(), with.end(), other) == with.end()) with.push_back(other);
      }
      if (alone) use.iterated_alone += iteration.rows;
    }
    return use;
  }

  detail::Kept kept(ComponentId id) const {
    if (store_.registry()[id].tracking != Tracking::none) return detail::Kept::tracked;
    if (model_.is_of_library(id)) return detail::Kept::of_library;
    if (!model_.movable(id)) return detail::Kept::visited_in_blocks;
    return model_.uses_of(id) < costs_.least_uses ? detail::Kept::too_few_uses : detail::Kept::no;
  }

  StorageAdvice::Component advise(ComponentId id) {
    StorageAdvice::Component advice;
    advice.id = id;
    advice.name = name(id);
    advice.use = use_of(id);
    advice.current = model_.current()[to_index(id)];
    advice.recommended = best_[to_index(id)];
    advice.cost = per_frame(model_.cost_of(id, best_));
    const detail::Kept why = kept(id);
    if (why == detail::Kept::no) {
      std::vector<Storage> other = best_;
      other[to_index(id)] = advice.recommended == Storage::table ? Storage::sparse : Storage::table;
      advice.saving = per_frame(model_.cost(other)) - advice_.cost_recommended;
    }
    advice.reason = detail::reason_for(advice, why, advice_.frames);
    return advice;
  }

  const detail::Store& store_;
  const detail::AccessLog& log_;
  const StorageAdvice::Costs& costs_;
  detail::StorageModel model_;
  std::vector<Storage> best_;
  StorageAdvice advice_;
};

}  // namespace

StorageAdvisor::StorageAdvisor(World& world, StorageAdvice::Costs costs)
    : store_(detail::parts_of(world).store), costs_(costs) {}

void StorageAdvisor::start() {
  STRATA_EXPECTS(store_.observer() == nullptr,
                 "another storage advisor is running on this world: stop it first");
  STRATA_EXPECTS(!store_.guard().locked(), "a storage advisor cannot start while " +
                                               store_.guard().under_way() + ": start it when that has ended");
  store_.observe(&log_);
  running_ = true;
}

void StorageAdvisor::stop() noexcept {
  if (running_) store_.observe(nullptr);
  running_ = false;
}

void StorageAdvisor::clear() noexcept {
  log_.clear();
  frames_ = 0;
}

StorageAdvice StorageAdvisor::advise() const {
  return Adviser(store_, log_, costs_, frames_).run();
}

}  // namespace strata
