// Components that call a function of the test when they are moved, copied or destroyed.
#pragma once

#include <functional>
#include <utility>

#include "../../core/component.hpp"

namespace strata::test {

/// What a test wants to be called; all without effect at first, and again when a HookScope ends.
struct Hooks {
  std::function<void(int number)> destroyed;
  std::function<void(int number)> moved;
  std::function<void(int number)> copied;

  static Hooks& all() {
    static Hooks hooks;
    return hooks;
  }
};

struct HookScope {
  HookScope() { Hooks::all() = {}; }
  ~HookScope() { Hooks::all() = {}; }
  Hooks* operator->() const { return &Hooks::all(); }
};

/// How many values of all kinds are alive that have a number.
inline int live_hooked = 0;

/// A value with a number. What was moved from has none, and its destruction calls nothing.
template <int kind>
class HookedKind {
 public:
  explicit HookedKind(int number = 0) : number_(new int(number)) { ++live_hooked; }
  HookedKind(const HookedKind& other) : HookedKind(other.number()) { call(Hooks::all().copied); }
  HookedKind(HookedKind&& other) noexcept : number_(std::exchange(other.number_, nullptr)) {
    if (number_ != nullptr) call(Hooks::all().moved);
  }
  HookedKind& operator=(const HookedKind&) = delete;
  HookedKind& operator=(HookedKind&&) = delete;
  ~HookedKind() {
    if (number_ == nullptr) return;
    call(Hooks::all().destroyed);
    delete number_;
    --live_hooked;
  }

  int number() const { return number_ != nullptr ? *number_ : -1; }
  friend int number_in(const HookedKind& value) { return value.number(); }

 private:
  void call(const std::function<void(int)>& hook) const {
    if (!hook) return;
    const std::function<void(int)> called = hook;  // It may replace itself.
    called(*number_);
  }

  int* number_;  // On the heap, so that sanitizers see every use after its end.
};

using Hooked = HookedKind<0>;
using SparseHooked = HookedKind<1>;
using StableHooked = HookedKind<2>;
using OtherHooked = HookedKind<3>;

}  // namespace strata::test

template <>
inline constexpr strata::Storage strata::storage_of<strata::test::SparseHooked> = strata::Storage::sparse;
template <>
inline constexpr strata::Storage strata::storage_of<strata::test::StableHooked> = strata::Storage::sparse;
template <>
inline constexpr strata::PoolOptions strata::pool_options_of<strata::test::StableHooked> = {
    .removal = strata::Removal::stable};
