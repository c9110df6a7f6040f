#include "name_value.hpp"

#include <cstring>
#include <new>

#include "name_index.hpp"

namespace strata::detail {
namespace {

NameNode* make_node(std::string_view text, std::uint64_t hash, std::pmr::memory_resource* memory) {
  void* const place = memory->allocate(sizeof(NameNode) + text.size(), alignof(NameNode));
  auto* const node =
      ::new (place) NameNode{memory, nullptr, Entity(), Entity(), hash, nullptr, nullptr, text.size()};
  std::memcpy(node + 1, text.data(), text.size());
  return node;
}

/// Returns: the number that the first sizeof(Number) characters at `from` are in the byte order of this machine. The
/// byte order does not matter, because hashes of names are not saved.
template <class Number>
std::uint64_t load(const char* from) noexcept {
  Number word = 0;
  std::memcpy(&word, from, sizeof word);
  return word;
}

/// Returns: a number that depends on every character of `text`, which has at most 7 characters.
std::uint64_t load_short(std::string_view text) noexcept {
  const char* const from = text.data();
  const std::size_t size = text.size();
  if (size >= 4) return load<std::uint32_t>(from) | load<std::uint32_t>(from + size - 4) << 32;
  if (size == 0) return 0;
  const auto at = [&](std::size_t i) { return std::uint64_t{static_cast<unsigned char>(from[i])}; };
  return at(0) | at(size / 2) << 8 | at(size - 1) << 16;
}

}  // namespace

std::uint64_t hash_of_name(std::string_view text) noexcept {
  constexpr std::uint64_t kFactor = 0x9E37'79B9'7F4A'7C15;
  std::uint64_t hash = text.size() * kFactor;
  const auto mix = [&](std::uint64_t word) {
    hash = (hash ^ word) * kFactor;
    hash ^= hash >> 32;
  };
  if (text.size() < 8) {
    mix(load_short(text));
    return hash;
  }
  const char* const last = text.data() + text.size() - 8;
  for (const char* from = text.data(); from < last; from += 8) mix(load<std::uint64_t>(from));
  mix(load<std::uint64_t>(last));  // Some of these characters may have been mixed in already.
  return hash;
}

NameValue::NameValue(std::string_view text, std::pmr::memory_resource* memory)
    : node_(make_node(text, hash_of_name(text), memory)) {}

NameValue::NameValue(const NameValue& other)
    : node_(make_node(other.node().text(), other.node().hash, other.node().memory)) {}

NameValue::~NameValue() {
  if (node_ == nullptr) return;
  if (node_->index != nullptr) node_->index->erase(*node_);
  node_->memory->deallocate(node_, node_->bytes(), alignof(NameNode));
}

}  // namespace strata::detail
