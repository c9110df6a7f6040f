#include "block_pool.hpp"

#include <algorithm>
#include <bit>
#include <new>

#include "reserve.hpp"

namespace strata {
namespace {

constexpr std::size_t kLinearLimit = 512;      // Up to here, classes are multiples of 64 bytes.
constexpr std::size_t kMaxPooled = 16 * 1024;  // Larger pieces go upstream one by one.

/// The distance of neighbouring sizes at `bytes`: a quarter of the power of two below it, except where pieces
/// go upstream one by one and no class is shared.
std::size_t class_step(std::size_t bytes) {
  return bytes <= kLinearLimit || bytes > kMaxPooled ? BlockPool::kAlignment : std::bit_floor(bytes - 1) / 4;
}

}  // namespace

BlockPool::~BlockPool() {
  for (const Slab& slab : slabs_) upstream_->deallocate(slab.begin, slab.bytes, kAlignment);
}

std::size_t BlockPool::rounded(std::size_t bytes) {
  const std::size_t step = class_step(std::max(bytes, kAlignment));
  return (std::max(bytes, kAlignment) + step - 1) / step * step;
}

std::size_t BlockPool::class_of(std::size_t rounded_bytes) {
  if (rounded_bytes <= kLinearLimit) return rounded_bytes / kAlignment - 1;
  const std::size_t power = std::bit_floor(rounded_bytes - 1);
  const auto doublings = static_cast<std::size_t>(std::countr_zero(power / kLinearLimit));
  return kLinearLimit / kAlignment + doublings * 4 + (rounded_bytes - power) / (power / 4) - 1;
}

void* BlockPool::allocate(std::size_t bytes, std::size_t alignment) {
  bytes = rounded(bytes);
  void* piece = nullptr;
  if (bytes > kMaxPooled || alignment > kAlignment) {
    piece = upstream_->allocate(bytes, std::max(alignment, kAlignment));
    bytes_large_ += bytes;
  } else if (FreePiece*& first = free_[class_of(bytes)]; first != nullptr) {
    piece = first;
    first = first->next;
  } else {
    piece = carve(bytes);
  }
  bytes_in_use_ += bytes;
  return piece;
}

void BlockPool::deallocate(void* piece, std::size_t bytes, std::size_t alignment) noexcept {
  bytes = rounded(bytes);
  bytes_in_use_ -= bytes;
  if (bytes > kMaxPooled || alignment > kAlignment) {
    upstream_->deallocate(piece, bytes, std::max(alignment, kAlignment));
    bytes_large_ -= bytes;
    return;
  }
  FreePiece*& first = free_[class_of(bytes)];
  first = ::new (piece) FreePiece{first};
}

void* BlockPool::carve(std::size_t bytes) {
  if (remaining_ < bytes) {
    // Slabs double, so that an empty world is small and a large one has few of them.
    const std::size_t newest = slabs_.empty() ? kFirstSlab / 2 : slabs_.back().bytes;
    const std::size_t wanted = std::max(std::min(newest * 2, kMaxSlab), rounded(bytes));
    detail::reserve_one(slabs_);
    auto* begin = static_cast<std::byte*>(upstream_->allocate(wanted, kAlignment));
    retire_remainder();
    slabs_.push_back({begin, wanted});
    cursor_ = begin;
    remaining_ = wanted;
  }
  void* piece = cursor_;
  cursor_ += bytes;
  remaining_ -= bytes;
  return piece;
}

void BlockPool::retire_remainder() noexcept {
  // What is left of a slab becomes free pieces of the largest classes that fit.
  while (remaining_ >= kAlignment) {
    std::size_t bytes = std::min(remaining_, kMaxPooled);
    while (rounded(bytes) != bytes) bytes -= kAlignment;
    FreePiece*& first = free_[class_of(bytes)];
    first = ::new (static_cast<void*>(cursor_)) FreePiece{first};
    cursor_ += bytes;
    remaining_ -= bytes;
  }
}

std::string BlockPool::check_invariants() const {
  std::vector<std::pair<const std::byte*, std::size_t>> pieces;
  std::size_t free_bytes = 0;
  for (std::size_t bytes = kAlignment; bytes <= kMaxPooled; bytes = rounded(bytes + 1)) {
    for (const FreePiece* piece = free_[class_of(bytes)]; piece != nullptr; piece = piece->next) {
      const auto* begin = reinterpret_cast<const std::byte*>(piece);
      const bool in_slab = std::any_of(slabs_.begin(), slabs_.end(), [&](const Slab& slab) {
        return slab.begin <= begin && begin + bytes <= slab.begin + slab.bytes;
      });
      if (!in_slab || reinterpret_cast<std::uintptr_t>(begin) % kAlignment != 0) {
        return "P1: a free piece lies outside every slab or is not aligned";
      }
      pieces.emplace_back(begin, bytes);
      free_bytes += bytes;
    }
  }
  std::sort(pieces.begin(), pieces.end());
  for (std::size_t i = 1; i < pieces.size(); ++i) {
    if (pieces[i - 1].first + pieces[i - 1].second > pieces[i].first) return "P1: two free pieces overlap";
  }
  std::size_t taken = bytes_large_;
  for (const Slab& slab : slabs_) taken += slab.bytes;
  if (bytes_in_use_ + free_bytes + remaining_ != taken) {
    return "P2: the bytes in use and free are not those taken from upstream";
  }
  return "";
}

}  // namespace strata
