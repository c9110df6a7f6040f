#include "registry.hpp"

#include <atomic>
#include <cstdlib>

#include "contract.hpp"
#include "reserve.hpp"
#include "rollback.hpp"

namespace strata {

std::uint32_t detail::next_type_index() noexcept {
  static std::atomic<std::uint32_t> next{0};
  return next.fetch_add(1, std::memory_order_relaxed);
}

ComponentId Registry::add(const ComponentDescription& description) {
  const std::string complaint = check_description(description);
  STRATA_EXPECTS(complaint.empty(), complaint);
  if (const auto known = find(description.name)) {
    const ComponentDescription& first = descriptions_[to_index(*known)];
    STRATA_EXPECTS(first.size == description.size && first.alignment == description.alignment &&
                       first.storage == description.storage && first.tracking == description.tracking &&
                       first.pool == description.pool,
                   "component \"" + description.name +
                       "\" is registered with another size, alignment, storage, tracking or other options of "
                       "its pool: give one of them another name");
    return *known;
  }
  const ComponentId id{size()};
  detail::reserve_one(by_id_);
  descriptions_.push_back(description);
  detail::Rollback forget([&] { descriptions_.pop_back(); });
  by_name_.emplace(descriptions_.back().name, id);
  forget.dismiss();
  by_id_.push_back(&descriptions_.back());
  return id;
}

std::optional<ComponentId> Registry::find(std::string_view name) const {
  const ComponentId id = find_named(name);
  return id != kUnknown ? std::optional(id) : std::nullopt;
}

ComponentId Registry::find_named(std::string_view name) const noexcept {
  const auto found = by_name_.find(name);
  return found != by_name_.end() ? found->second : kUnknown;
}

void Registry::refuse_unknown(ComponentId id) const {
  STRATA_EXPECTS(contains(id), "component id " + std::to_string(to_index(id)) +
                                   " is not of this world: use the id that world.component returned");
  std::abort();
}

ComponentId Registry::remember(std::uint32_t type_number, ComponentId id) {
  if (type_number >= by_type_.size()) by_type_.resize(type_number + 1, kUnknown);
  return by_type_[type_number] = id;
}

}  // namespace strata
