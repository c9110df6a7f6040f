// TypeMatcher: how values of a file are converted to values of the program.
#pragma once

#include <string>
#include <string_view>

#include "load_state.hpp"

namespace strata::detail {

/// Compares types of the file with those of the program, and plans how values are converted where the two differ.
class TypeMatcher {
 public:
  explicit TypeMatcher(LoadState& state) : state_(state) {}

  /// Returns: the migration that the rules have for a component or resource; null if there is none.
  const Migration* find_migration(std::string_view saved_name) const;
  /// Returns: whether values can be read as they are. `to` is null for a tag.
  static bool is_as_in_file(const SavedValues& saved, const ValueType* to);
  /// Plans how values are converted, and notes what differs. `to` is null for a tag.
  /// Returns: false if a member cannot be converted.
  bool plan(SavedValues& saved, const ValueType* to, const Migration* how);
  /// Adds a note. `what` continues a sentence that begins with the name or the member.
  void note(LoadNote::Kind kind, const SavedValues& saved, std::string member, const std::string& what);

 private:
  LoadState& state_;
};

}  // namespace strata::detail
