#include "block_pool.hpp"

#include <algorithm>
#include <functional>
#include <iterator>

#include "free_units.hpp"
#include "reserve.hpp"
#include "rollback.hpp"

namespace strata::detail {
namespace {

/// Returns: the largest size class of at most `bytes` bytes. The size classes are the sizes to which
/// BlockPool rounds requests.
/// Contract: `bytes` is a multiple of 64.
constexpr std::size_t floored(std::size_t bytes) {
  return bytes <= 512 ? bytes : bytes & ~(std::bit_floor(bytes) / 4 - 1);
}

}  // namespace

BlockPool::~BlockPool() {
  for (const Slab& slab : slabs_) upstream_->deallocate(slab.begin, slab.bytes, kAlignment);
}

void* BlockPool::allocate_upstream(std::size_t size, std::size_t alignment) {
  void* const piece = upstream_->allocate(size, std::max(alignment, kAlignment));
  Rollback give_back([&] { upstream_->deallocate(piece, size, std::max(alignment, kAlignment)); });
  large_.add(piece, size);
  give_back.dismiss();
  range_.extend(piece, size);
  bytes_large_ += size;
  return piece;
}

void BlockPool::deallocate_upstream(void* piece, std::size_t size, std::size_t alignment) noexcept {
  large_.remove(piece);
  upstream_->deallocate(piece, size, std::max(alignment, kAlignment));
  bytes_large_ -= size;
}

void BlockPool::exchange(void* own, BlockPool& other, void* others, std::size_t bytes) noexcept {
  large_.exchange(own, other.large_, others);
  range_.extend(others, rounded(bytes));
  other.range_.extend(own, rounded(bytes));
}

void* BlockPool::allocate_by_cutting(std::size_t size) {
  void* piece = cut(size);
  if (piece == nullptr && merging_pays()) {
    merge();
    piece = cut(size);
  }
  if (piece == nullptr) {
    take_slab(size);
    piece = cut(size);
  }
  bytes_pooled_ += size;
  return piece;
}

void* BlockPool::cut(std::size_t size) noexcept {
  std::size_t list = class_of(size);
  if (free_[list] == nullptr) {
    // Pieces larger than `kMaxPooled` (16 KiB) are tried first: no request can use such a piece whole, so it has to be
    // cut anyway. The loop below takes a smaller piece only if that fails, because a smaller piece that stays whole can
    // serve a later request for its own size.
    if (void* const piece = cut_region(size)) return piece;
  }
  while (free_[list] == nullptr) {
    if (++list == kRegions) return nullptr;
  }
  FreePiece* const piece = std::exchange(free_[list], free_[list]->next);
  put(reinterpret_cast<std::byte*>(piece) + size, piece->bytes - size);
  return piece;
}

void* BlockPool::cut_region(std::size_t size) noexcept {
  FreePiece*& first = free_[kRegions];
  while (first != nullptr) {
    FreePiece* const region = std::exchange(first, first->next);
    auto* const begin = reinterpret_cast<std::byte*>(region);
    const std::size_t bytes = region->bytes;
    if (bytes < size) {
      put(begin, bytes);
      continue;
    }
    if (bytes > size) first = ::new (static_cast<void*>(begin + size)) FreePiece{first, bytes - size};
    return begin;
  }
  return nullptr;
}

void BlockPool::put(std::byte* begin, std::size_t bytes) noexcept {
  while (bytes != 0) {
    const std::size_t size = bytes > kMaxPooled ? bytes : floored(bytes);
    FreePiece*& first = free_[bytes > kMaxPooled ? kRegions : class_of(size)];
    first = ::new (static_cast<void*>(begin)) FreePiece{first, size};
    begin += size;
    bytes -= size;
  }
}

void BlockPool::take_slab(std::size_t least) {
  // Slab sizes double from 4 KiB to 256 KiB, so a small world takes little memory and a large one has few
  // slabs.
  const std::size_t newest = slabs_.empty() ? kFirstSlab / 2 : slabs_.back().bytes;
  const std::size_t bytes = std::max(std::min(newest * 2, kMaxSlab), least);
  reserve_one(slabs_);
  auto* const begin = static_cast<std::byte*>(upstream_->allocate(bytes, kAlignment));
  slabs_.push_back({begin, bytes, slabs_taken_++});
  range_.extend(begin, bytes);
  bytes_slabs_ += bytes;
  shrink_below_ = (bytes_pooled_ + least) / 4;
  put(begin, bytes);
}

bool BlockPool::holds(const void* address) const noexcept {
  if (!range_.contains(address)) return false;
  const auto holds_it = [&](const Slab& slab) { return slab.holds(address); };
  return std::any_of(slabs_.begin(), slabs_.end(), holds_it) || large_.contains(address);
}

bool BlockPool::merging_pays() const {
  // A merge (which joins neighbouring free pieces) visits every free piece: at most one for each 64 bytes of the
  // slabs. It runs after a sixteenth of the slabs' bytes has been freed since the last merge. So there are at
  // most 16 visits for each 64 bytes freed: amortised O(1). A merge only makes free bytes usable for larger
  // requests, so it does not run when the free bytes are less than a sixteenth of the slabs' bytes.
  const std::size_t part = bytes_slabs_ / 16;
  return bytes_freed_ >= part && bytes_slabs_ - bytes_pooled_ >= part;
}

void BlockPool::shrink() noexcept {
  merge(Reserve::given_back);
  slabs_.shrink_to_fit();
}

void BlockPool::merge(Reserve reserve) noexcept {
  hand_pieces_to_slabs();
  // Pieces are put at the front of the free lists. The slabs are visited from last to first, so that later allocations
  // get the pieces of the first slab first. With Reserve::kept, the first wholly free slab that is visited is kept, and
  // each later one is kept unless `is_spare` returns true. With Reserve::given_back, none is kept.
  bool may_give_back = reserve == Reserve::given_back;  // The next wholly free slab.
  for (Slab* slab = slabs_.end(); slab != slabs_.begin();) {
    --slab;
    const bool wholly_free = slab->free_bytes == slab->bytes;
    const bool kept =
        !wholly_free || !std::exchange(may_give_back, true) || (reserve == Reserve::kept && !is_spare(*slab));
    if (kept) {
      put_merged(*slab);
      continue;
    }
    upstream_->deallocate(slab->begin, slab->bytes, kAlignment);
    bytes_slabs_ -= slab->bytes;
    slab->begin = nullptr;
  }
  const Slab* const end =
      std::remove_if(slabs_.begin(), slabs_.end(), [](const Slab& slab) { return slab.begin == nullptr; });
  slabs_.erase(static_cast<std::size_t>(end - slabs_.begin()), slabs_.size());
  bytes_freed_ = 0;
  shrink_below_ = bytes_pooled_ / 4;
}

bool BlockPool::is_spare(const Slab& slab) const {
  // A wholly free slab is spare if the other slabs together are at least one and a half times as large as the memory
  // in use. And `deallocate` only merges when the number of bytes in use has fallen below a quarter of what it was at
  // the last merge or at the last allocation of a slab. So a world whose size varies around one value does not allocate
  // and free slabs again and again.
  return bytes_slabs_ - slab.bytes >= bytes_pooled_ + bytes_pooled_ / 2;
}

void BlockPool::hand_pieces_to_slabs() noexcept {
  // The slabs are sorted by address to find the slab of each piece. Then they are sorted in the order of
  // their allocation again, so that later decisions do not depend on addresses.
  std::sort(slabs_.begin(), slabs_.end(),
            [](const Slab& a, const Slab& b) { return std::less<>()(a.begin, b.begin); });
  for (Slab& slab : slabs_) {
    slab.pieces = nullptr;
    slab.free_bytes = 0;
  }
  Slab* slab = slabs_.data();
  for (FreePiece*& first : free_) {
    for (FreePiece* piece = std::exchange(first, nullptr); piece != nullptr;) {
      FreePiece* const next = piece->next;
      // The last merge filled the free lists slab by slab, so the next piece usually lies in the slab of the piece
      // before. Only if it does not, `slab_of` searches the slabs.
      if (!slab->holds(piece)) slab = &slab_of(piece);
      piece->next = std::exchange(slab->pieces, piece);
      slab->free_bytes += piece->bytes;
      piece = next;
    }
  }
  std::sort(slabs_.begin(), slabs_.end(), [](const Slab& a, const Slab& b) { return a.number < b.number; });
}

BlockPool::Slab& BlockPool::slab_of(const FreePiece* piece) noexcept {
  const auto* const begin = reinterpret_cast<const std::byte*>(piece);
  const auto after = std::partition_point(slabs_.begin(), slabs_.end(), [&](const Slab& slab) {
    return !std::less<>()(begin, static_cast<const std::byte*>(slab.begin));
  });
  return *std::prev(after);
}

void BlockPool::put_merged(const Slab& slab) noexcept {
  FreeUnits<kMaxSlab / kAlignment> units;
  for (const FreePiece* piece = slab.pieces; piece != nullptr; piece = piece->next) {
    const auto offset = reinterpret_cast<const std::byte*>(piece) - slab.begin;
    units.set(static_cast<std::size_t>(offset) / kAlignment, piece->bytes / kAlignment);
  }
  units.for_each_run_backwards([&](std::size_t begin, std::size_t count) {
    put(slab.begin + begin * kAlignment, count * kAlignment);
  });
}

std::string BlockPool::check_lists(std::vector<Span>& pieces) const {
  for (std::size_t list = 0; list < free_.size(); ++list) {
    for (const FreePiece* piece = free_[list]; piece != nullptr; piece = piece->next) {
      const std::size_t bytes = piece->bytes;
      const bool in_class = bytes <= kMaxPooled && rounded(bytes) == bytes && class_of(bytes) == list;
      const bool is_rest = piece == free_[kRegions];
      const bool belongs =
          list != kRegions ? in_class : (bytes > kMaxPooled || is_rest) && bytes % kAlignment == 0;
      if (!belongs) return "P1: a free piece does not have the size of its list";
      pieces.emplace_back(reinterpret_cast<const std::byte*>(piece), bytes);
    }
  }
  return "";
}

std::string BlockPool::check_invariants() const {
  std::vector<Span> pieces;
  if (std::string complaint = check_lists(pieces); !complaint.empty()) return complaint;
  std::vector<Span> slabs;
  std::size_t taken = 0;
  for (const Slab& slab : slabs_) {
    if (&slab != &slabs_.front() && slab.number <= (&slab - 1)->number)
      return "P3: the slabs are out of order";
    slabs.emplace_back(slab.begin, slab.bytes);
    taken += slab.bytes;
  }
  const auto overlap = [](std::vector<Span>& spans) {
    std::sort(spans.begin(), spans.end());
    return std::adjacent_find(spans.begin(), spans.end(), [](const Span& a, const Span& b) {
             return a.first + a.second > b.first;
           }) != spans.end();
  };
  if (overlap(slabs)) return "P3: two slabs overlap";
  if (overlap(pieces)) return "P1: two free pieces overlap";
  std::size_t free_bytes = 0;
  auto slab = slabs.begin();
  for (const auto& [begin, bytes] : pieces) {
    while (slab != slabs.end() && slab->first + slab->second <= begin) ++slab;
    const bool inside =
        slab != slabs.end() && slab->first <= begin && begin + bytes <= slab->first + slab->second;
    if (!inside || reinterpret_cast<std::uintptr_t>(begin) % kAlignment != 0) {
      return "P1: a free piece does not lie in one slab or is not aligned";
    }
    free_bytes += bytes;
  }
  if (bytes_slabs_ != taken || bytes_pooled_ + free_bytes != taken) {
    return "P2: the bytes in use and free are not those of the slabs";
  }
  if (large_.bytes() != bytes_large_) return "P4: the large pieces listed are not those in use";
  return "";
}

}  // namespace strata::detail
