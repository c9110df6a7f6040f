#include "rank_index.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>
#include <vector>

#include "archetype.hpp"

namespace strata::detail {
namespace {

/// Returns: the position of `archetype` in `archetypes`, which are sorted by id. If `archetypes` does not contain it,
/// the position at which to insert it.
std::size_t position_in(std::span<Archetype* const> archetypes, const Archetype& archetype) {
  const auto found =
      std::lower_bound(archetypes.begin(), archetypes.end(), archetype.id(),
                       [](const Archetype* listed, std::uint32_t id) { return listed->id() < id; });
  return static_cast<std::size_t>(found - archetypes.begin());
}

}  // namespace

struct RankIndex::Page {
  std::pmr::vector<PointerList<Archetype>> archetypes;
  std::uint32_t used;  // The number of ranks with archetypes.
};

struct RankIndex::Pages : std::pmr::unordered_map<std::uint32_t, Page> {
  using unordered_map::unordered_map;
};

RankIndex::RankIndex(std::pmr::memory_resource* memory) : pages_(std::in_place, memory) {}

RankIndex::~RankIndex() = default;

std::span<Archetype* const> RankIndex::at(std::uint32_t rank) const {
  const auto found = pages_->find(rank / kRanksPerPage);
  if (found == pages_->end()) return {};
  return found->second.archetypes[rank % kRanksPerPage];
}

RankIndex::Page& RankIndex::page_of(std::uint32_t rank) {
  const std::uint32_t number = rank / kRanksPerPage;
  if (recent_ != nullptr && recent_number_ == number) return *recent_;
  const auto found = pages_->find(number);
  recent_ = found != pages_->end() ? &found->second : &make_page(number);
  recent_number_ = number;
  return *recent_;
}

RankIndex::Page& RankIndex::make_page(std::uint32_t number) {
  std::pmr::memory_resource* const memory = pages_->get_allocator().resource();
  Page page{std::pmr::vector<PointerList<Archetype>>(memory), 0};
  page.archetypes.reserve(kRanksPerPage);
  for (std::uint32_t i = 0; i < kRanksPerPage; ++i) page.archetypes.emplace_back(memory);
  return pages_->emplace(number, std::move(page)).first->second;
}

void RankIndex::add(Archetype& archetype, std::uint32_t rank) {
  Page& page = page_of(rank);
  PointerList<Archetype>& list = page.archetypes[rank % kRanksPerPage];
  // The capacity is never 0, because an empty list has room for one pointer (see PointerList). So doubling makes room.
  if (list.size() == list.capacity()) list.reserve(std::size_t{list.capacity()} * 2);
  if (list.empty()) ++page.used;
  const bool newest = list.empty() || list.back()->id() < archetype.id();
  list.insert(newest ? list.size() : position_in(list, archetype), &archetype);
}

void RankIndex::remove(const Archetype& archetype, std::uint32_t rank) noexcept {
  Page& page = page_of(rank);  // Creates no page, because the page exists.
  PointerList<Archetype>& list = page.archetypes[rank % kRanksPerPage];
  list.erase(list.back() == &archetype ? list.size() - 1 : position_in(list, archetype));
  if (!list.empty() || --page.used != 0) return;
  recent_ = nullptr;
  pages_->erase(rank / kRanksPerPage);
}

}  // namespace strata::detail
