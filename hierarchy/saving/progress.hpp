// SavingProgress and OnProgress: how far saving or loading is, and a function that may end it.
#pragma once

#include <cstdint>
#include <type_traits>

namespace strata {

/// How far saving or loading a world is.
struct SavingProgress {
  std::uint64_t bytes = 0;     ///< Written or read.
  std::uint64_t entities = 0;  ///< Whose rows were written or read,
  std::uint64_t of = 0;        ///< Of so many in all; 0 as long as that is not known.
};

/// A function `bool(const SavingProgress&)`, which is called after each MiB or so and returns false to cancel. It is
/// not copied: it outlives the call that it is given to, and a function object is named, not written in place.
class OnProgress {
 public:
  OnProgress() = default;
  template <class Function>
  requires(!std::is_same_v<std::remove_cv_t<Function>, OnProgress>) OnProgress(Function& function)
      : function_(&function), call_([](void* called, const SavingProgress& progress) -> bool {
          return (*static_cast<Function*>(called))(progress);
        }) {}

  /// Returns: whether to go on.
  bool operator()(const SavingProgress& progress) const {
    return call_ == nullptr || call_(function_, progress);
  }

 private:
  void* function_ = nullptr;
  bool (*call_)(void* called, const SavingProgress& progress) = nullptr;
};

}  // namespace strata
