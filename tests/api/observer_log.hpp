// Log: what observers were called with; and components to observe.
#pragma once

#include <cstdint>
#include <strata/strata.hpp>
#include <string>
#include <utility>

namespace strata::test::observer_log {

struct Health {
  int points = 0;
};
struct Name {
  std::string text;
};
struct Frozen {};
struct Burning {
  int left = 0;
};

/// What observers were called with, as text.
struct Log {
  std::string text;

  template <class... Words>
  void operator()(const Words&... words) {
    (add(words), ...);
    text += ";";
  }
  std::string take() { return std::exchange(text, {}); }

 private:
  void add(Entity entity) { text += entity ? std::to_string(entity.index()) : "none"; }
  void add(const char* word) { text += word; }
  void add(int number) { text += std::to_string(number); }
  void add(std::uint32_t number) { text += std::to_string(number); }
};

}  // namespace strata::test::observer_log

template <>
inline constexpr strata::Storage strata::storage_of<strata::test::observer_log::Burning> =
    strata::Storage::sparse;
