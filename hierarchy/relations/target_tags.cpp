#include "target_tags.hpp"

#include <algorithm>
#include <utility>

#include "../../core/reserve.hpp"

namespace strata::detail {
namespace {

constexpr std::uint32_t kTargetsPerPage = 1024;

}  // namespace

TargetTags::TargetTags(Registry& registry, const ComponentInfo& relation, std::pmr::memory_resource* memory)
    : registry_(registry),
      relation_(relation),
      uses_by_target_(kTargetsPerPage, nullptr, 0, memory),
      uses_(memory) {}

ComponentId TargetTags::get(Entity target) {
  if (const ComponentId known = find(target); known != Registry::kUnknown) return known;
  uses_by_target_.reserve(target.index());
  Use* use = free_ != 0 ? std::ranges::find(uses_, Entity(), &Use::target) : uses_.end();
  if (use == uses_.end()) {
    reserve_one(uses_);
    ComponentInfo tag;
    tag.name = std::string(kName) + std::to_string(uses_.size()) + " of " + relation_.name;
    const ComponentId id = registry_.add_internal(tag);
    registry_.keep(id);
    use = &uses_.append({id, {}});
    ++free_;
  }
  use->target = target;
  --free_;
  uses_by_target_.try_enter(target.index(), static_cast<std::uint32_t>(use - uses_.begin()));
  return use->tag;
}

void TargetTags::release(Entity target) noexcept {
  const std::uint32_t use = uses_by_target_.find(target.index());
  if (use == PagedIndex::kAbsent) return;
  uses_[use].target = {};
  ++free_;
  uses_by_target_.leave(target.index());
}

void TargetTags::take_over(const TargetTags& other) {
  uses_.reserve(other.uses_.size());
  for (const Use& use : other.uses_) uses_.append({use.tag, {}});
  free_ = uses_.size();
}

void TargetTags::assign(const TargetTags& other) {
  for (std::uint32_t i = 0; i < other.uses_.size(); ++i) {
    const Entity target = other.uses_[i].target;
    if (!target) continue;
    uses_by_target_.reserve(target.index());
    uses_by_target_.try_enter(target.index(), i);
    uses_[i].target = target;
    --free_;
  }
}

void TargetTags::swap(TargetTags& other) noexcept {
  uses_by_target_.swap(other.uses_by_target_);
  uses_.swap(other.uses_);
  std::swap(free_, other.free_);
}

bool TargetTags::equals(const TargetTags& other) const noexcept {
  return std::ranges::equal(uses_, other.uses_, {}, &Use::target, &Use::target);
}

void TargetTags::clear() noexcept {
  for (const Use& use : uses_) {
    if (use.target) release(use.target);
  }
}

Archetype& TargetTags::exchange(Archetypes& archetypes, Archetype& from, Entity without, Entity with) const {
  Archetype* to = &from;
  const ComponentId before = find(without);
  const ComponentId after = find(with);
  if (before != Registry::kUnknown && to->format().contains(before)) to = &archetypes.without(*to, before);
  if (after != Registry::kUnknown && !to->format().contains(after)) to = &archetypes.with(*to, after);
  return *to;
}

std::size_t TargetTags::count_rows(const Archetypes& archetypes) const {
  std::size_t rows = 0;
  for (const Use& use : uses_) {
    for (const Archetype* archetype : archetypes.with_component(use.tag)) {
      archetype->ranks().for_each([&](std::span<Block* const> first_blocks) {
        for (const Block* block : first_blocks) rows += table_of(*block).row_count();
      });
    }
  }
  return rows;
}

}  // namespace strata::detail
