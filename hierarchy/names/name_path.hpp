// NamePath: reads and writes paths of names, such as "tank/turret/barrel".
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace strata::detail {

inline constexpr char kNameSeparator = '/';
inline constexpr char kNameEscape = '\\';

/// Returns: whether this character of a name gets an escape character before it when the name is written in a path.
constexpr bool is_escaped(char character) {
  return character == kNameSeparator || character == kNameEscape;
}

/// Returns: how many characters a name takes in a path, with an escape character before each of its separators and
/// escape characters.
std::size_t escaped_size(std::string_view name) noexcept;

/// Writes a name, with an escape character before each of its separators and escape characters. Writes backwards from
/// `end`, because the names of a path are found from the last one to the first one.
/// Returns: the address of the first character.
char* write_escaped(std::string_view name, char* end) noexcept;

/// Reads the names of a path one after the other.
class NamePath {
 public:
  /// Contract: the text outlives this object.
  explicit NamePath(std::string_view path) : left_(path) {}

  /// Finds the next name of the path, and removes its escape characters.
  /// Returns: false if there is no further name. In this case, `whole` tells why: true if the path has ended after a
  /// name; false if the path is not valid, because a name is empty or an escape character ends the path.
  /// Errors: std::bad_alloc, only if the name contains escape characters.
  bool next();

  /// Returns: the name that `next` has found.
  /// Invalidates: the text, by `next`.
  std::string_view name() const { return name_; }

  /// Returns: whether `next` has found the last name of the path. If the path is not valid (see `next`), always false.
  bool whole() const { return at_end_; }

 private:
  bool read_escaped();

  std::string_view left_;
  std::string_view name_;
  std::string unescaped_;
  bool at_end_ = false;
};

}  // namespace strata::detail
