#include "block_format.hpp"

#include <algorithm>
#include <bit>

#include "contract.hpp"

namespace strata::detail {
namespace {

constexpr ComponentId kNoComponent{0xFFFF'FFFF};
constexpr std::uint32_t kMaxRows = 16'384;
constexpr std::uint32_t kMinRows = 16;
constexpr std::uint32_t kMaxBlockBytes = 512 * 1024;
constexpr std::uint64_t kMaxRowBytes = std::uint64_t{kMaxBlockBytes} * 256;

std::uint32_t full_capacity_for(std::uint32_t row_bytes) {
  return std::clamp(std::bit_floor(kMaxBlockBytes / row_bytes), kMinRows, kMaxRows);
}

}  // namespace

BlockFormat::BlockFormat(const Signature& signature, const Registry& registry,
                         std::pmr::memory_resource* memory)
    : columns_(memory), tracked_(memory), prefix_list_(memory), far_prefixes_(memory) {
  reserve_prefixes(signature);
  list_columns(signature, registry);

  std::uint64_t offset = 0;
  bool entity_placed = false;
  const auto place_entities = [&] {
    entity_prefix_ = static_cast<std::uint32_t>(offset);
    offset += sizeof(Entity);
    entity_placed = true;
    offset = place_stamps(offset);  // A stamp (time of a write) has the alignment of an entity.
  };
  for (Column& column : std::span(columns_).first(columns().size())) {
    if (!entity_placed && column.component->alignment < alignof(std::uint64_t)) place_entities();
    column.prefix = static_cast<std::uint32_t>(offset);
    set_prefix(column.id, column.prefix);
    alignment_ = std::max(alignment_, static_cast<std::uint32_t>(column.component->alignment));
    offset += column.size;
  }
  if (!entity_placed) place_entities();
  STRATA_EXPECTS(offset <= kMaxRowBytes, "the components of an entity in tables take " +
                                             std::to_string(offset) + " bytes, and at most " +
                                             std::to_string(kMaxRowBytes) +
                                             " are stored: keep large values behind a pointer");
  row_bytes_ = static_cast<std::uint32_t>(offset);
  full_capacity_ = full_capacity_for(row_bytes_);
}

/// Allocates memory for the prefixes of the signature's components. The prefix of a component is the number of bytes
/// per row of all columns before the component's column. The prefixes of components with low ids (see kLowIds) are in
/// an array, whose elements are all kAbsent at first. The prefixes of all other components are in a hash table.
void BlockFormat::reserve_prefixes(const Signature& signature) {
  const std::span<const ComponentId> ids = signature.ids();
  const auto limit = static_cast<std::uint32_t>(kLowIds + kLowIdsPerComponent * ids.size());
  const auto far =
      std::find_if(ids.begin(), ids.end(), [&](ComponentId id) { return to_index(id) >= limit; });
  prefix_list_.assign(far != ids.begin() ? to_index(far[-1]) + 1 : 0, kAbsent);
  prefixes_ = prefix_list_.data();
  prefix_count_ = static_cast<std::uint32_t>(prefix_list_.size());
  if (far != ids.end()) far_prefixes_.reserve(static_cast<std::uint32_t>(ids.end() - far));
}

void BlockFormat::set_prefix(ComponentId id, std::uint32_t prefix) {
  if (to_index(id) < prefix_count_) {
    prefix_list_[to_index(id)] = prefix;
  } else {
    far_prefixes_.insert(id, prefix);
  }
}

std::uint32_t BlockFormat::far_prefix_of(ComponentId id) const noexcept {
  const std::uint32_t* const prefix = far_prefixes_.find(id);
  return prefix != nullptr ? *prefix : kAbsent;
}

/// Fills `columns_` with a column for each component of the signature except tags, in the order that BlockFormat
/// documents (by descending alignment), and a sentinel behind them. Sets the prefix of each tag to kTag. The caller
/// sets the prefixes of the other components (the bytes per row of all columns before theirs) when it has decided where
/// each column starts. Also sets `mask_`, `destroys_` and `relocates_`.
void BlockFormat::list_columns(const Signature& signature, const Registry& registry) {
  columns_.reserve(signature.size() + 1);
  for (const ComponentId id : signature.ids()) {
    const ComponentInfo& component = registry[id];
    if (to_index(id) < kMaskedIds) mask_ |= std::uint64_t{1} << to_index(id);
    if (component.is_tag()) {
      set_prefix(id, kTag);
      continue;
    }
    const auto size = static_cast<std::uint32_t>(component.size);
    columns_.push_back(
        {id, size, 0, component.relocate == nullptr ? size : 0, component.relocate, &component});
    destroys_ = destroys_ || component.destroy != nullptr;
    relocates_ = relocates_ || component.relocate != nullptr;
  }
  std::sort(columns_.begin(), columns_.end(), [](const Column& a, const Column& b) {
    const std::size_t first = a.component->alignment;
    const std::size_t second = b.component->alignment;
    return first != second ? first > second : a.id < b.id;
  });
  columns_.push_back({kNoComponent, 0, 0, 0, nullptr, nullptr});
}

/// Adds to `tracked_` each component whose writes are recorded. For a component with Tracking::rows, also adds a column
/// that stores the time of the last write to each row. `offset` is the number of bytes per row of all columns before
/// the added ones.
/// Returns: the number of bytes per row of all columns, the added ones included.
std::uint64_t BlockFormat::place_stamps(std::uint64_t offset) {
  for (const Column& column : columns()) {
    if (column.component->tracking == Tracking::none) continue;
    const bool by_row = column.component->tracking == Tracking::rows;
    tracked_.push_back({column.id, by_row ? static_cast<std::uint32_t>(offset) : kAbsent});
    if (by_row) offset += sizeof(std::uint64_t);
  }
  return offset;
}

void* BlockFormat::find(const Block& block, std::uint32_t row, ComponentId id) const {
  const std::uint32_t prefix = prefix_of(id);
  if (prefix >= kTag) return nullptr;
  const auto column = std::find_if(columns_.begin(), columns_.end(),
                                   [&](const Column& candidate) { return candidate.id == id; });
  return block.value(prefix, row, column->size);
}

}  // namespace strata::detail
