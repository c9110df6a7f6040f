// LoadRules: what is done where a file and the program differ.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "../../core/component.hpp"
#include "../../core/values/conversion.hpp"
#include "../../core/values/saved_value.hpp"

namespace strata {

/// What `load` does with components and resources of the file that the program does not know.
enum class UnknownComponents : std::uint8_t {
  refuse,  ///< Refuse the file.
  skip,    ///< Read the world without them.
};

/// What `load` does with components and resources that have other members, or are otherwise described, than in the
/// file.
enum class ChangedComponents : std::uint8_t {
  refuse,  ///< Refuse the file.
  skip,    ///< Read the world without them.
  /// Match members by name: numbers become numbers if the value fits, a value becomes an optional, members that only
  /// the program has keep their first values, others are left out. What cannot be converted so is refused.
  convert,
};

/// How one component or resource of older files becomes one of the program; see `migration` for one with a function.
struct Migration {
  /// Sets the value, which was converted by the names of members, from the saved one. What could not be converted has
  /// its first value. It is only called if the members are not those of the file.
  /// Returns: false to refuse the file.
  using Convert = bool (*)(const SavedValue& saved, void* value);

  std::string saved_name;                   ///< The name of the component or resource in the file.
  std::string name = {};                    ///< Its name in the program; empty if it is the same.
  std::vector<RenamedMember> members = {};  ///< Members with other names.
  Convert convert = nullptr;
};

/// Makes a migration to T. `convert(const SavedValue&, T&)` returns bool, and is a lambda without captures; see
/// Migration::Convert.
template <Component T, class Function>
Migration migration(std::string_view saved_name, Function, const std::vector<RenamedMember>& members = {}) {
  return {.saved_name = std::string(saved_name),
          .name = std::string(name_of<T>),
          .members = members,
          .convert = [](const SavedValue& saved, void* value) -> bool {
            return Function()(saved, *static_cast<T*>(value));
          }};
}

/// Something that `load` did where the file and the program differ.
struct LoadNote {
  enum class Kind : std::uint8_t {
    skipped,    ///< A component of the file was left out, or what the file says about it.
    converted,  ///< Values of a component or a member became values of another type or name.
    left_out,   ///< A member that the program does not have was left out.
    filled_in,  ///< A member that the file does not have got its first value.
  };
  Kind kind;
  std::string component;  ///< The name of the component or resource in the file.
  std::string member;  ///< The path in the file, or in the program if only that has it; empty for the whole.
  std::string sentence;
};

}  // namespace strata

namespace strata::detail {

struct LoadRules {
  UnknownComponents unknown = UnknownComponents::refuse;
  ChangedComponents changed = ChangedComponents::refuse;
  std::span<const Migration> migrations = {};
  bool reads_resources = true;  ///< False: skip them.
};

}  // namespace strata::detail
