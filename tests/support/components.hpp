// The components of the tests: plain, counted, over-aligned, empty and move-only ones, each for both
// storages.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "../../core/component.hpp"

namespace strata::test {

struct Position {
  float x = 0, y = 0, z = 0;
  friend bool operator==(const Position&, const Position&) = default;
};

struct Velocity {
  float x = 0, y = 0, z = 0;
  friend bool operator==(const Velocity&, const Velocity&) = default;
};

struct Health {
  int points = 0;
  friend bool operator==(const Health&, const Health&) = default;
};

struct Name {
  std::uint64_t id = 0;
  friend bool operator==(const Name&, const Name&) = default;
};

/// A tag.
struct Frozen {};

/// Counts its live instances and notices when one is used that is not alive: destroyed, moved from, or copied
/// as bytes to another address.
class Counted {
 public:
  explicit Counted(int value = 0) noexcept : self_(this), value_(value) { ++live_; }
  Counted(const Counted& other) noexcept : self_(this), value_(other.value()) { ++live_; }
  Counted(Counted&& other) noexcept : self_(this), value_(other.value()) {
    ++live_;
    other.moved_ = true;
  }
  Counted& operator=(const Counted& other) noexcept {
    require_constructed();
    value_ = other.value();
    moved_ = false;
    return *this;
  }
  Counted& operator=(Counted&& other) noexcept {
    require_constructed();
    value_ = other.value();
    other.moved_ = true;
    moved_ = false;
    return *this;
  }
  ~Counted() {
    require_constructed();
    self_ = nullptr;
    --live_;
  }

  int value() const noexcept {
    require_constructed();
    if (moved_) ++misuses_;
    return value_;
  }
  friend bool operator==(const Counted& a, const Counted& b) { return a.value() == b.value(); }

  static int live() { return live_; }
  static int misuses() { return misuses_; }

 private:
  void require_constructed() const noexcept {
    if (self_ != this) ++misuses_;
  }

  // Volatile: the compiler may not drop the last store of a destructor.
  const volatile Counted* volatile self_;
  bool moved_ = false;
  int value_;
  static inline int live_ = 0;
  static inline int misuses_ = 0;
};

/// Says at the end of a test whether every Counted was destroyed once and none was misused.
class CountedScope {
 public:
  CountedScope() : live_(Counted::live()), misuses_(Counted::misuses()) {}
  int leaked() const { return Counted::live() - live_; }
  int misuses() const { return Counted::misuses() - misuses_; }
  bool clean() const { return leaked() == 0 && misuses() == 0; }

 private:
  int live_;
  int misuses_;
};

struct alignas(64) Wide {
  std::array<float, 16> values{};
  explicit Wide(float value = 0) { values.fill(value); }
  bool aligned() const { return reinterpret_cast<std::uintptr_t>(this) % alignof(Wide) == 0; }
  friend bool operator==(const Wide& a, const Wide& b) { return a.values == b.values; }
};

/// Move-only.
struct Owner {
  std::unique_ptr<int> value;
  explicit Owner(int v = 0) : value(std::make_unique<int>(v)) {}
};

// The twins of the above in the side store.
struct SparsePosition : Position {};
struct SparseHealth {
  int points = 0;
  friend bool operator==(const SparseHealth&, const SparseHealth&) = default;
};
struct SparseFrozen {};
struct SparseCounted : Counted {
  using Counted::Counted;
};
struct SparseWide : Wide {
  using Wide::Wide;
};
struct SparseOwner : Owner {
  using Owner::Owner;
};

}  // namespace strata::test

template <>
inline constexpr strata::Storage strata::storage_of<strata::test::SparsePosition> = strata::Storage::sparse;
template <>
inline constexpr strata::Storage strata::storage_of<strata::test::SparseHealth> = strata::Storage::sparse;
template <>
inline constexpr strata::Storage strata::storage_of<strata::test::SparseFrozen> = strata::Storage::sparse;
template <>
inline constexpr strata::Storage strata::storage_of<strata::test::SparseCounted> = strata::Storage::sparse;
template <>
inline constexpr strata::Storage strata::storage_of<strata::test::SparseWide> = strata::Storage::sparse;
template <>
inline constexpr strata::Storage strata::storage_of<strata::test::SparseOwner> = strata::Storage::sparse;
