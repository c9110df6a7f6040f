// LoadRules: what `load` does with components and resources of a file that the program does not know, or of which it
// has another description.
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

/// What `load` does with components and resources whose members or description in the file differ from those in the
/// program.
enum class ChangedComponents : std::uint8_t {
  refuse,  ///< Refuse the file.
  skip,    ///< Read the world without them.
  /// Match members by name. A number is converted to another type of number if its value fits. If the program has an
  /// optional where the file has a value, the optional gets the value. Members that only the program has keep their
  /// initial values. Members that only the file has are left out. Files with values that cannot be converted in this
  /// way are refused.
  convert,
};

/// How a component or resource of older files is converted to a component or resource of the program. The function
/// `migration` makes a Migration from a conversion function.
struct Migration {
  /// The type of the conversion function. `saved` is the value in the file, and `value` is the value for the program,
  /// which the function completes. A member of `value` already has its value from the file if `saved` has a member with
  /// the same name (or the name that Migration::members gives) that could be converted. All other members have initial
  /// values. The function is not called if the type in the program has the same members, of the same types and in the
  /// same order, as the type in the file.
  /// Returns: false to refuse the file.
  using Convert = bool (*)(const SavedValue& saved, void* value);

  std::string saved_name;                   ///< The name of the component or resource in the file.
  std::string name = {};                    ///< Its name in the program; empty if it is the same.
  std::vector<RenamedMember> members = {};  ///< Members with other names in the program.
  Convert convert = nullptr;
};

/// Makes a Migration from the component or resource `saved_name` of the file to the component or resource T of the
/// program. The second argument is a lambda without captures, which does the work of Migration::Convert: it takes
/// `(const SavedValue&, T&)` and returns false to refuse the file.
template <Component T, class Function>
Migration migration(std::string_view saved_name, Function, const std::vector<RenamedMember>& members = {}) {
  return {.saved_name = std::string(saved_name),
          .name = std::string(name_of<T>),
          .members = members,
          .convert = [](const SavedValue& saved, void* value) -> bool {
            return Function()(saved, *static_cast<T*>(value));
          }};
}

/// A note about what `load` did where the file and the program differ.
struct LoadNote {
  enum class Kind : std::uint8_t {
    skipped,    ///< A component, a resource, or the record of where a component is off was left out.
    converted,  ///< Values of a component or member were converted to another type, or have another name.
    left_out,   ///< A member that the program does not have was left out.
    filled_in,  ///< A member that the file does not have got its initial value.
  };
  Kind kind;
  std::string component;  ///< The name of the component or resource in the file.
  /// The path of the member in the file (with Kind::filled_in, in the program); empty if the note is about whole
  /// values.
  std::string member;
  std::string sentence;
};

}  // namespace strata

namespace strata::detail {

struct LoadRules {
  UnknownComponents unknown = UnknownComponents::refuse;
  ChangedComponents changed = ChangedComponents::refuse;
  std::span<const Migration> migrations = {};
  bool reads_resources = true;  ///< False: resources are skipped.
};

}  // namespace strata::detail
