#include "report.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <utility>

namespace strata::bench {
namespace {

using Json = nlohmann::ordered_json;

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

Json machine() {
  const benchmark::CPUInfo& info = benchmark::CPUInfo::Get();
  return {{"processors", info.num_cpus},
          {"mhz", info.cycles_per_second / 1e6},
          {"frequency_scaling", info.scaling == benchmark::CPUInfo::ENABLED},
          {"compiler", __VERSION__}};
}

Json rows(const std::vector<Figure>& figures) {
  Json all = Json::array();
  for (const Figure& figure : figures) {
    Json row = {{"path", figure.path}, {"items", figure.items}};
    if (!figure.failure.empty()) {
      row["failure"] = figure.failure;
    } else {
      row.update({{"value", figure.value},
                  {"limit", figure.limit},
                  {"ratio", figure.ratio()},
                  {"noise", figure.noise}});
    }
    if (figure.bar.kind != Bar::Kind::none) row.update({{"bar", figure.bar.text()}, {"met", figure.met()}});
    all.push_back(row);
  }
  return all;
}

}  // namespace

bool Bar::met_by(double value, double limit, double others) const {
  switch (kind) {
    case Kind::none:
      return true;
    case Kind::ratio:
      return value <= most * limit;
    case Kind::others:
      return others == 0 || value <= most * others;
    case Kind::more:
      return value <= others + most * limit;
    case Kind::above_limit:
      return value <= limit + most;
    case Kind::amount:
      return value <= most;
  }
  return false;
}

std::string Bar::text() const {
  char text[48] = "";
  switch (kind) {
    case Kind::none:
      break;
    case Kind::ratio:
    case Kind::others:
      std::snprintf(text, sizeof text, "<= %.2fx", most);
      break;
    case Kind::more:
      std::snprintf(text, sizeof text, "<= +%gx", most);
      break;
    case Kind::above_limit:
      std::snprintf(text, sizeof text, "<= limit + %.0f", most);
      break;
    case Kind::amount:
      std::snprintf(text, sizeof text, "<= %.0f", most);
      break;
  }
  return text;
}

std::string Figure::bar_text() const {
  if (bar.kind != Bar::Kind::others && bar.kind != Bar::Kind::more) return bar.text();
  if (others == 0) return "";
  char text[48];
  if (bar.kind == Bar::Kind::more) {
    std::snprintf(text, sizeof text, "%+.2fx %s", (value - others) / limit, bar.text().c_str());
  } else {
    std::snprintf(text, sizeof text, "%.2fx %s", value / others, bar.text().c_str());
  }
  return text;
}

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

Complaint write_json(const std::string& path, const std::string& command_line,
                     const std::vector<Figure>& times, const std::vector<Figure>& amounts) {
  const Json all = {{"command", command_line},
                    {"machine", machine()},
                    {"times", {{"unit", "ns per item"}, {"rows", rows(times)}}},
                    {"amounts", {{"unit", "bytes per item"}, {"rows", rows(amounts)}}}};
  std::ofstream file(path);
  file << all.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
  file.close();
  return file ? "" : "cannot write " + path;
}

}  // namespace strata::bench
