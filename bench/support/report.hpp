// Figures of benches, the bars beside them, and how they are reported: as a table and as JSON.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "work.hpp"

namespace strata::bench {

/// What a figure may be at most; a report says whether it is met, nothing fails if it is not.
struct Bar {
  enum class Kind {
    none,
    ratio,        ///< Times the limit.
    others,       ///< Times the best of the question's answers that have no bar.
    more,         ///< Times the limit, more than that best.
    above_limit,  ///< More than the limit, per item.
    amount        ///< In all, per item, whatever the limit.
  };

  Kind kind = Kind::none;
  double most = 0;

  static Bar at_most(double ratio) { return {Kind::ratio, ratio}; }
  static Bar at_most_of_others(double ratio) { return {Kind::others, ratio}; }
  static Bar at_most_more(double limits) { return {Kind::more, limits}; }
  static Bar at_most_above_limit(double ns_per_item) { return {Kind::above_limit, ns_per_item}; }
  static Bar at_most_ns(double ns_per_item) { return {Kind::amount, ns_per_item}; }

  /// `others` is the best of the answers without a bar; 0: there is none, and a bar that asks for it is met.
  bool met_by(double value, double limit, double others) const;

  /// Returns: the bar as the table shows it, such as "<= 1.20x"; empty when there is none.
  std::string text() const;
};

/// A measured value beside the limit's.
struct Figure {
  std::string path;
  std::size_t items = 0;
  double value = 0;  ///< Median, per item.
  double limit = 0;  ///< Median of the same work over plain arrays, per item.
  double noise = 0;  ///< Coefficient of variation over the repetitions, the larger one of value and limit.
  Bar bar = {};
  Complaint failure = {};
  double others =
      0;  ///< Median of the best of the question's answers without a bar, per item; 0: there is none.

  double ratio() const { return limit > 0 ? value / limit : 0; }
  bool met() const { return failure.empty() && bar.met_by(value, limit, others); }

  /// Returns: the bar's text, after the ratio where that is not the one to the limit.
  std::string bar_text() const;
};

/// Prints a heading, then each row when it is known, so the width of the first column has to be told beforehand.
class Report {
 public:
  /// `unit` names what value and limit are counted in, such as "ns per item".
  Report(const std::string& title, const std::string& unit, std::size_t path_width);

  void print(const Figure& figure) const;

 private:
  static constexpr std::size_t kColumns = 6;  // Beside the path.

  void print_row(const std::string& path, const std::array<std::string, kColumns>& cells) const;

  std::size_t path_width_;
  std::array<std::size_t, kColumns> widths_;
};

/// Writes the timed figures ("times", ns per item) and the counted ones ("amounts", bytes per item).
/// Returns: what went wrong; empty when the file was written.
Complaint write_json(const std::string& file, const std::string& command_line,
                     const std::vector<Figure>& times, const std::vector<Figure>& amounts);

}  // namespace strata::bench
