#include "memberships.hpp"

#include <algorithm>
#include <utility>

#include "../../core/cache_line.hpp"
#include "../../core/rollback.hpp"

namespace strata::detail {
namespace {

constexpr std::size_t page_bytes(std::uint32_t stride_bits) {
  return sizeof(std::uint64_t) * Memberships::kIndicesPerPage << stride_bits;
}

}  // namespace

Memberships::~Memberships() {
  reset();
}

void Memberships::reset() noexcept {
  for (std::uint64_t* const words : pages_) deallocate(words, stride_bits_);
  pages_.clear();
  holds_.clear();
}

std::uint64_t* Memberships::allocate(std::uint32_t stride_bits) const {
  auto* const words = static_cast<std::uint64_t*>(memory()->allocate(page_bytes(stride_bits), kCacheLine));
  std::fill_n(words, std::size_t{kIndicesPerPage} << stride_bits, std::uint64_t{0});
  return words;
}

void Memberships::deallocate(std::uint64_t* words, std::uint32_t stride_bits) const noexcept {
  if (words != nullptr) memory()->deallocate(words, page_bytes(stride_bits), kCacheLine);
}

void Memberships::reserve_pools(std::uint32_t count) {
  const std::uint32_t words = (count + 63) / 64;
  const auto bits = static_cast<std::uint32_t>(std::bit_width(std::max(words, 1u) - 1));
  if (bits > stride_bits_) {
    PlainList<std::uint64_t*> wider(pages_.memory());
    wider.resize(pages_.size());
    Rollback give_back([&] {
      for (std::uint64_t* const page : wider) deallocate(page, bits);
    });
    for (std::size_t i = 0; i < pages_.size(); ++i) {
      if (pages_[i] != nullptr) wider[i] = allocate(bits);
    }
    give_back.dismiss();
    for (std::size_t i = 0; i < pages_.size(); ++i) {
      if (wider[i] == nullptr) continue;
      for (std::size_t index = 0; index < kIndicesPerPage; ++index) {
        std::copy_n(pages_[i] + (index << stride_bits_), std::size_t{1} << stride_bits_,
                    wider[i] + (index << bits));
      }
      deallocate(std::exchange(pages_[i], wider[i]), stride_bits_);
    }
    stride_bits_ = bits;
  }
  pools_ = std::max(pools_, count);
  words_in_use_ = std::max(words_in_use_, words);
}

void Memberships::hold(std::uint32_t first, std::uint32_t count) {
  const std::uint32_t begin = first / kIndicesPerPage;
  const std::uint32_t end = (first + (count - 1)) / kIndicesPerPage + 1;
  if (end > holds_.size()) holds_.resize(end);
  if (end > pages_.size()) pages_.resize(end, nullptr);
  // All pages are allocated before any is marked as held. So if an allocation fails, this call holds no page, and
  // `shrink` can free the pages that the call has allocated.
  for (std::uint32_t page = begin; page < end; ++page) {
    if (pages_[page] == nullptr) pages_[page] = allocate(stride_bits_);
  }
  for (std::uint32_t page = begin; page < end; ++page) ++holds_[page];
}

void Memberships::release(std::uint32_t first, std::uint32_t count) noexcept {
  const std::uint32_t end = (first + (count - 1)) / kIndicesPerPage + 1;
  for (std::uint32_t page = first / kIndicesPerPage; page < end; ++page) --holds_[page];
}

MemoryUse Memberships::memory_use() const noexcept {
  MemoryUse use = memory_use_of(pages_) + memory_use_of(holds_);
  const auto missing = std::count(pages_.begin(), pages_.end(), nullptr);
  const std::size_t bytes = (pages_.size() - static_cast<std::size_t>(missing)) * page_bytes(stride_bits_);
  return use += {bytes, bytes};
}

void Memberships::shrink() noexcept {
  for (std::size_t i = 0; i < pages_.size(); ++i) {
    if (holds_[i] == 0) deallocate(std::exchange(pages_[i], nullptr), stride_bits_);
  }
  while (!pages_.empty() && pages_.back() == nullptr) pages_.pop_back();
  holds_.resize(pages_.size());
  pages_.shrink_to_fit();
  holds_.shrink_to_fit();
}

std::string Memberships::check_invariants() const {
  const std::size_t stride = std::size_t{1} << stride_bits_;
  if (words_in_use_ != (pools_ + 63) / 64 || words_in_use_ > stride) {
    return "M2: " + std::to_string(words_in_use_) + " words of " + std::to_string(stride) +
           " are in use for the bits of " + std::to_string(pools_) + " pools";
  }
  for (std::size_t i = 0; i < pages_.size(); ++i) {
    if (pages_[i] == nullptr && holds_[i] != 0) {
      return "M1: page " + std::to_string(i) + " of memberships is held and does not exist";
    }
    for (std::size_t word = 0; pages_[i] != nullptr && word < kIndicesPerPage * stride; ++word) {
      const std::size_t first_pool = word % stride * 64;
      const std::size_t pools = pools_ > first_pool ? pools_ - first_pool : 0;
      if (pools < 64 && pages_[i][word] >> pools != 0) {
        return "M2: page " + std::to_string(i) + " of memberships has a bit of a pool that does not exist";
      }
    }
  }
  return "";
}

}  // namespace strata::detail
