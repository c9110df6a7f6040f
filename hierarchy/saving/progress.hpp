// SavingProgress and OnProgress: the progress of saving or loading, and a function that receives it and may cancel.
#pragma once

#include <cstdint>
#include <type_traits>

namespace strata {

/// The progress of saving or loading a world.
struct SavingProgress {
  std::uint64_t bytes = 0;     ///< Bytes that were written or read.
  std::uint64_t entities = 0;  ///< Entities whose rows were written or read.
  std::uint64_t of = 0;        ///< The number of entities to write or read in all; 0 while it is not known.
};

/// Refers to a function `bool(const SavingProgress&)`. It is called each time when about one more MiB was written or
/// read, and returns false to cancel the call of `save` or `load`. The function is not copied, so it must outlive that
/// call: store a function object in a variable first, and pass the variable.
class OnProgress {
 public:
  OnProgress() = default;
  template <class Function>
  requires(!std::is_same_v<std::remove_cv_t<Function>, OnProgress>) OnProgress(Function& function)
      : function_(&function), call_([](void* called, const SavingProgress& progress) -> bool {
          return (*static_cast<Function*>(called))(progress);
        }) {}

  /// Calls the function, if there is one.
  /// Returns: whether to continue: what the function returns, or true if there is none.
  bool operator()(const SavingProgress& progress) const {
    return call_ == nullptr || call_(function_, progress);
  }

 private:
  void* function_ = nullptr;
  bool (*call_)(void* called, const SavingProgress& progress) = nullptr;
};

}  // namespace strata
