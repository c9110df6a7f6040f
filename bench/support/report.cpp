#include "report.hpp"

#include <algorithm>
#include <cstdio>
#include <utility>

namespace strata::bench {
namespace {

std::string decimals(double value, int digits, const char* tail = "") {
  char text[48];
  std::snprintf(text, sizeof text, "%.*f%s", digits, value, tail);
  return text;
}

/// Three significant digits, more or less, and never an exponent.
std::string amount(double value) {
  return decimals(value, value < 1 ? 3 : value < 100 ? 2 : 1);
}

std::string noise(double variation) {
  return variation > 0 ? decimals(100 * variation, 1, " %") : "";
}

}  // namespace

Report::Report(std::string title, std::string unit, std::size_t path_width)
    : title_(std::move(title)),
      widths_{std::max<std::size_t>(unit.size(), 8), 8, 6, 7, 14, 4},
      unit_(std::move(unit)),
      path_width_(std::max(path_width, title_.size())) {}

void Report::print(const Figure& figure) {
  if (!has_heading_) print_heading();
  const std::string verdict = figure.bar.kind == Bar::Kind::none ? "" : figure.met() ? "ok" : "over";
  if (figure.failure.empty()) {
    print_row(figure.path, {amount(figure.value), amount(figure.limit), decimals(figure.ratio(), 2, "x"),
                            noise(figure.noise), figure.bar_text(), verdict});
  } else {
    print_row(figure.path, {"WRONG", "", "", "", figure.bar_text(), ""});
    std::fprintf(stderr, "error: %s: %s\n", figure.path.c_str(), figure.failure.c_str());
  }
  std::fflush(stdout);
}

void Report::print_heading() {
  has_heading_ = true;
  print_row(title_, {unit_, "limit", "ratio", "noise", "bar", ""});
  std::printf("|%s|", std::string(path_width_ + 2, '-').c_str());
  for (const std::size_t width : widths_) std::printf("%s:|", std::string(width + 1, '-').c_str());
  std::printf("\n");
}

void Report::print_row(const std::string& path, const Cells& cells) const {
  std::printf("| %-*s |", static_cast<int>(path_width_), path.c_str());
  for (std::size_t i = 0; i < kColumns; ++i) {
    std::printf(" %*s |", static_cast<int>(widths_[i]), cells[i].c_str());
  }
  std::printf("\n");
}

}  // namespace strata::bench
