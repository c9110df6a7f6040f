#include "pairs.hpp"

#include <algorithm>
#include <utility>

namespace strata::detail {

Pairs::Pairs(ComponentId id, const ComponentInfo& value, const RelationOptions& options,
             ComponentId source_component, Registry& registry, BlockPool& pool,
             std::pmr::memory_resource* memory)
    : id_(id),
      options_(options),
      source_component_(source_component),
      lists_{PairLists(!value.is_tag(), pool, memory), PairLists(false, pool, memory)},
      of_targets_(&lists_[options.symmetric ? 0 : 1]),
      values_(value, memory),
      is_plain_(value.is_tag() && is_plain_relation(options)) {
  if (options.storage == Storage::table) tags_.emplace(registry, value, memory);
}

Pairs::~Pairs() {
  delete observers_;
}

PairObservers& Pairs::observe(std::pmr::memory_resource* memory, ObserverCount& count) {
  if (observers_ == nullptr) observers_ = new PairObservers(memory, count);
  is_plain_ = false;
  was_observed_ = true;
  return *observers_;
}

Pairs::Found Pairs::search(const Ends& ends, Entity source, Entity target) const noexcept {
  const auto [from, to] = ends;
  const std::span<const Entity> targets = from->entities();
  const std::span<const Entity> sources = to->entities();
  const bool by_source = targets.size() <= sources.size();
  const std::span<const Entity> shorter = by_source ? targets : sources;
  const auto found = std::find(shorter.begin(), shorter.end(), by_source ? target : source);
  if (found == shorter.end()) return {};
  const auto position = static_cast<std::uint32_t>(found - shorter.begin());
  if (by_source) return {from, to, position, from->twin(position)};
  return {from, to, to->twin(position), position};
}

Pairs::Found Pairs::last(End end, Entity entity) const noexcept {
  PairLists::Head& listed = lists(end).get(entity);
  const std::span<const Entity> others = listed.entities();
  PairLists::Head& other = lists(other_end(end)).get(others.back());
  const auto position = static_cast<std::uint32_t>(others.size() - 1);
  if (end == End::source) return {&listed, &other, position, listed.twin(position)};
  return {&other, &listed, listed.twin(position), position};
}

void Pairs::clear() noexcept {
  if (!component().is_tag()) {
    for_each_source([&](Entity source, std::span<const Entity> targets) {
      for (std::uint32_t i = 0; i < targets.size(); ++i) {
        const bool is_reverse = options_.symmetric && targets[i].index() < source.index();
        if (!is_reverse) values_.end(lists(End::source).number(source, i));
      }
    });
  }
  for (PairLists& lists : lists_) lists.clear();
  if (tags_) tags_->clear();
  size_ = 0;
}

void Pairs::take_over_tags(const Pairs& known) {
  if (tags_) tags_->take_over(*known.tags_);
}

void Pairs::assign(const Pairs& other) {
  for (std::size_t i = 0; i < lists_.size(); ++i) lists_[i].assign(other.lists_[i]);
  if (tags_) tags_->assign(*other.tags_);
  if (!component().is_tag()) values_.assign(other.values_);
  size_ = other.size_;
}

void Pairs::swap(Pairs& other) noexcept {
  for (std::size_t i = 0; i < lists_.size(); ++i) lists_[i].swap(other.lists_[i]);
  if (tags_) tags_->swap(*other.tags_);
  values_.swap(other.values_);
  std::swap(size_, other.size_);
}

bool Pairs::equals(const Pairs& other) const noexcept {
  return size_ == other.size_ && lists_[0].equals(other.lists_[0]) && lists_[1].equals(other.lists_[1]) &&
         (!tags_ || tags_->equals(*other.tags_)) && (component().is_tag() || values_.equals(other.values_));
}

std::size_t Pairs::index_limit() const noexcept {
  return std::max(lists_[0].index_limit(), lists_[1].index_limit());
}

void Pairs::shrink() noexcept {
  for (PairLists& lists : lists_) lists.shrink();
  values_.shrink();
}

MemoryUse Pairs::memory_use() const noexcept {
  const std::size_t values = size_ / step();
  const std::size_t used = values * (2 * sizeof(PairLists::Head) + component().size);
  const std::size_t tags = tags_ ? tags_->reserved() : 0;
  return {used, lists_[0].reserved() + lists_[1].reserved() + values_.reserved() + tags};
}

std::string Pairs::check_pair(Entity source, std::uint32_t position) const {
  const PairLists& from = lists(End::source);
  const Entity target = from.of(source)[position];
  const std::uint32_t twin = from.get(source).twin(position);
  const std::string which = "the pair of \"" + component().name + "\" from entity " + to_string(source) +
                            " to entity " + to_string(target);
  const std::span<const Entity> sources = of(End::target, target);
  if (twin >= sources.size() || sources[twin] != source ||
      lists(End::target).get(target).twin(twin) != position) {
    return "I9: " + which + " is not listed by its target";
  }
  if (options_.symmetric && from.number(source, position) != from.number(target, twin)) {
    return "I9: " + which + " and its reverse have different values";
  }
  if (!target || source == target) return "I10: " + which + " has equal ends, or an end is null";
  const Found found = find(source, target);
  if (!found || found.position != position || found.twin != twin)
    return "I10: " + which + " is there twice, or is not found";
  return "";
}

std::string Pairs::check_invariants() const {
  for (const PairLists& lists : lists_) {
    if (std::string broken = lists.check_invariants(); !broken.empty()) return "I9: " + broken;
  }
  std::string broken;
  std::size_t pairs = 0;
  for_each_source([&](Entity source, std::span<const Entity> targets) {
    pairs += targets.size();
    for (std::uint32_t i = 0; broken.empty() && i < targets.size(); ++i) broken = check_pair(source, i);
    if (broken.empty() && options_.exclusive && targets.size() != 1)
      broken = "I11: entity " + to_string(source) + " has two pairs of \"" + component().name + '"';
  });
  std::size_t sources = 0;
  lists(End::target).for_each([&](Entity, std::span<const Entity> others) { sources += others.size(); });
  if (!broken.empty()) return broken;
  if (pairs != size_ || sources != size_) {
    return "I12: \"" + component().name + "\" has " + std::to_string(size_) + " pairs, and " +
           std::to_string(pairs) + " and " + std::to_string(sources) + " are listed";
  }
  return values_.check_invariants(size_ / step());
}

}  // namespace strata::detail
