// Text for a terminal: strings of a file made harmless, numbers made legible, rows in aligned columns.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace scene {

/// Returns: UTF-8 text with each character that is a control, is invisible, changes the direction of text, breaks the
/// line or is ill-formed replaced by '?', cut to `max_width` characters with an ellipsis. So it stays on one line, reads
/// as it is stored and cannot steer a terminal.
std::string printable(std::string_view text, std::size_t max_width = 400);

/// Returns: a whole number in groups of three: 100,040.
std::string grouped(std::size_t number);

/// Returns: a number with so many digits after the point.
std::string fixed(double number, int digits);

/// Returns: a number with four significant digits and an exponent.
std::string scientific(double number);

/// Returns: "1 node", "2 nodes".
std::string counted(std::size_t number, const std::string& noun);

/// A table for the terminal: a line of titles, a rule, the rows.
class TextTable {
 public:
  /// `alignment` has a letter for each column: 'l' for left, 'r' for right.
  TextTable(std::vector<std::string> titles, std::string alignment)
      : alignment_(std::move(alignment)), rows_{std::move(titles)} {}

  /// Appends a row: one cell per column, each printable UTF-8.
  void add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }

  /// Errors: std::out_of_range if `alignment` has fewer letters than there are titles.
  void print(std::ostream& out) const;

 private:
  std::string alignment_;
  std::vector<std::vector<std::string>> rows_;  // The first has the titles.
};

}  // namespace scene
