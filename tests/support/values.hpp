// Components as the untyped engine meets them: how to build and read a value of each kind by its id.
#pragma once

#include <array>
#include <cstddef>
#include <new>
#include <string>
#include <vector>

#include "../../core/registry.hpp"
#include "components.hpp"

namespace strata::test {

/// So large that a full block holds few rows: small tests get tables of several blocks.
struct Huge {
  int points = 0;
  std::array<std::byte, 18'000> rest{};
  explicit Huge(int value = 0) : points(value) {}
};

// A number in and out of every component of the tests; -1 says that the value is not one that was put in.

inline int number_in(const Health& value) {
  return value.points;
}
inline int number_in(const SparseHealth& value) {
  return value.points;
}
inline int number_in(const Huge& value) {
  return value.points;
}
inline int number_in(const Counted& value) {
  return value.value();
}
inline int number_in(const Wide& value) {
  return value.aligned() ? static_cast<int>(value.values[15]) : -1;
}
inline int number_in(const Owner& value) {
  return value.value ? *value.value : -1;
}

template <class T>
T make_value(int number) {
  return T{static_cast<int>(number)};
}
template <>
inline Wide make_value<Wide>(int number) {
  return Wide(static_cast<float>(number));
}
template <>
inline SparseWide make_value<SparseWide>(int number) {
  return SparseWide(static_cast<float>(number));
}

/// One component of a test: its id in a registry, and its values as numbers.
struct Kind {
  ComponentId id;
  const char* name;
  bool tag;
  void (*make)(void* at, int number);  // null for a tag, as is the next
  int (*read)(const void* at);
};

template <class T>
Kind kind_of(detail::Registry& registry, const char* name) {
  Kind kind{registry.id_of<T>(), name, is_tag<T>, nullptr, nullptr};
  if constexpr (!is_tag<T>) {
    kind.make = [](void* at, int number) { ::new (at) T(make_value<T>(number)); };
    kind.read = [](const void* at) { return number_in(*static_cast<const T*>(at)); };
  }
  return kind;
}

/// Returns: one of everything: plain, counted, over-aligned, huge, move-only and tag, in both storages.
inline std::vector<Kind> all_kinds(detail::Registry& registry) {
  return {
      kind_of<Health>(registry, "Health"),   kind_of<SparseHealth>(registry, "SparseHealth"),
      kind_of<Counted>(registry, "Counted"), kind_of<SparseCounted>(registry, "SparseCounted"),
      kind_of<Frozen>(registry, "Frozen"),   kind_of<SparseFrozen>(registry, "SparseFrozen"),
      kind_of<Wide>(registry, "Wide"),       kind_of<SparseWide>(registry, "SparseWide"),
      kind_of<Owner>(registry, "Owner"),     kind_of<SparseOwner>(registry, "SparseOwner"),
      kind_of<Huge>(registry, "Huge"),
  };
}

/// Returns: the names of the kinds whose bit is set, for a log.
inline std::string names_of(const std::vector<Kind>& kinds, std::size_t bits) {
  std::string names;
  for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
    if ((bits >> kind & 1) != 0) names += std::string(names.empty() ? "" : ", ") + kinds[kind].name;
  }
  return names.empty() ? "no components" : names;
}

}  // namespace strata::test
