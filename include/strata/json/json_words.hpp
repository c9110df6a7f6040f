// The words that JSON documents contain for the values of enumerations.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace strata::detail {

inline constexpr int kJsonVersion = 1;

// The words, indexed by the values of the enumerations Layout, Storage, PairCleanup and State.
inline constexpr std::array<std::string_view, 3> kLayoutWords = {"per_parent", "per_level", "adaptive"};
inline constexpr std::array<std::string_view, 2> kStorageWords = {"table", "sparse"};
inline constexpr std::array<std::string_view, 3> kCleanupWords = {"remove", "destroy", "refuse"};
inline constexpr std::array<std::string_view, 2> kStateWords = {"disabled", "prefab"};

template <class Words, class Value>
std::string word_of(const Words& words, Value value) {
  return std::string(words[static_cast<std::size_t>(value)]);
}

/// Finds the value that a word stands for.
/// Returns: false if there is no such word.
template <class Words, class Value>
bool read_word(const Words& words, std::string_view word, Value& value) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] != word) continue;
    value = static_cast<Value>(i);
    return true;
  }
  return false;
}

}  // namespace strata::detail
