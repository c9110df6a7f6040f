// TypeMatcher: plans how values of a file are converted to values of the program.
#pragma once

#include <string>
#include <string_view>

#include "load_state.hpp"

namespace strata::detail {

/// Compares types of the file with those of the program, and plans how values are converted where the two differ.
class TypeMatcher {
 public:
  explicit TypeMatcher(LoadState& state) : state_(state) {}

  /// Returns: the migration (conversion by the program) that LoadRules have for the component or resource with this
  /// name in the file; null if there is none.
  const Migration* find_migration(std::string_view saved_name) const;
  /// Returns: whether saved values can be read into values of `to` without a conversion. `to` is the type in the
  /// program; it is null for a tag.
  static bool is_as_in_file(const SavedValues& saved, const ValueType* to);
  /// Returns: the rest of a sentence that begins with the name of the component or resource. It names the first member
  /// in which the saved values differ from `to`, the type in the program. If LoadRules refuse files with such values,
  /// it also says which options the program can set instead.
  /// Contract: `is_as_in_file` is false for `saved` and `to`, and `saved` does not belong to a tag.
  std::string describe_difference(const SavedValues& saved, const ValueType& to) const;
  /// Plans how saved values are converted to `to`, and adds a note for each difference to LoadState::notes. `to` is the
  /// type in the program; it is null for a tag. `how` is the result of `find_migration`.
  /// Returns: success. If a member cannot be converted to its type in the program, and there is no migration with a
  /// conversion function, refuses the file and returns false.
  bool plan(SavedValues& saved, const ValueType* to, const Migration* how);
  /// Adds a note to LoadState::notes. The sentence of the note begins with the name of the component or resource. If
  /// `member` is not empty, the name of the member follows. The rest of the sentence is `what`.
  void note(LoadNote::Kind kind, const SavedValues& saved, std::string member, const std::string& what);

 private:
  LoadState& state_;
};

}  // namespace strata::detail
