// Report: prints figures row by row, aligned, as Markdown that can be pasted into a README.
#pragma once

#include <array>
#include <cstddef>
#include <string>

#include "figure.hpp"

namespace strata::bench {

/// Prints each row when it is known, so the width of the first column has to be told beforehand.
class Report {
 public:
  /// `unit` names what value and limit are counted in, such as "ns per item".
  Report(std::string title, std::string unit, std::size_t path_width);

  void print(const Figure& figure);

 private:
  static constexpr std::size_t kColumns = 6;  // Beside the path.
  using Cells = std::array<std::string, kColumns>;

  void print_heading();
  void print_row(const std::string& path, const Cells& cells) const;

  std::string title_;
  std::array<std::size_t, kColumns> widths_;
  std::string unit_;
  std::size_t path_width_;
  bool has_heading_ = false;
};

}  // namespace strata::bench
