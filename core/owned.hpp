// Owned: owns an object on the heap. A class can have a member Owned<T> although its header does not define T.
#pragma once

#include <utility>

namespace strata::detail {

/// An object on the heap that is destroyed with its Owned. If the constructors and the destructor of a class
/// with an Owned<T> member are defined in its source, its header needs no definition of T, and programs that
/// include the header do not compile T. std::unique_ptr would do the same, but its header includes streams.
template <class T>
class Owned {
 public:
  /// Constructs the object on the heap from `arguments`.
  /// Errors: std::bad_alloc, and what the constructor of T throws.
  template <class... Arguments>
  explicit Owned(std::in_place_t, Arguments&&... arguments)
      : value_(new T(std::forward<Arguments>(arguments)...)) {}
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  ~Owned() { delete value_; }

  T& operator*() noexcept { return *value_; }
  const T& operator*() const noexcept { return *value_; }
  T* operator->() noexcept { return value_; }
  const T* operator->() const noexcept { return value_; }

 private:
  T* value_;
};

}  // namespace strata::detail
