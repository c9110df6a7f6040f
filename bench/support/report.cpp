#include "report.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>

namespace strata::bench {
namespace {

using Json = nlohmann::ordered_json;

/// What the kinds of bars show and how much they allow.
struct Meaning {
  const char* text;
  double (*allowed)(double most, double limit, double others);
};

constexpr double kAny = std::numeric_limits<double>::infinity();

Meaning meaning_of(Bar::Kind kind) {
  switch (kind) {
    case Bar::Kind::none:
      break;
    case Bar::Kind::ratio:
      return {"<= %.2fx", [](double most, double limit, double) { return most * limit; }};
    case Bar::Kind::others:
      return {"<= %.2fx",
              [](double most, double, double others) { return others == 0 ? kAny : most * others; }};
    case Bar::Kind::more:
      return {"<= +%gx", [](double most, double limit, double others) { return others + most * limit; }};
    case Bar::Kind::above_limit:
      return {"<= limit + %.0f", [](double most, double limit, double) { return limit + most; }};
    case Bar::Kind::amount:
      return {"<= %.0f", [](double most, double, double) { return most; }};
  }
  return {"", [](double, double, double) { return kAny; }};
}

/// Returns: the value as a format of printf shows it.
std::string shown(const char* format, double value) {
  char text[48];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

/// Three significant digits, more or less, and never an exponent.
std::string amount(double value) {
  return shown(value < 1 ? "%.3f" : value < 100 ? "%.2f" : "%.1f", value);
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
  return value <= meaning_of(kind).allowed(most, limit, others);
}

std::string Bar::text() const {
  return shown(meaning_of(kind).text, most);
}

std::string Figure::bar_text() const {
  if (bar.kind != Bar::Kind::others && bar.kind != Bar::Kind::more) return bar.text();
  if (others == 0) return "";
  const std::string ratio = bar.kind == Bar::Kind::more ? shown("%+.2fx ", (value - others) / limit)
                                                        : shown("%.2fx ", value / others);
  return ratio + bar.text();
}

Report::Report(const std::string& title, const std::string& unit, std::size_t path_width)
    : path_width_(std::max(path_width, title.size())),
      widths_{std::max<std::size_t>(unit.size(), 8), 8, 6, 7, 14, 4} {
  print_row(title, {unit, "limit", "ratio", "noise", "bar", ""});
  std::printf("|%s|", std::string(path_width_ + 2, '-').c_str());
  for (const std::size_t width : widths_) std::printf("%s:|", std::string(width + 1, '-').c_str());
  std::printf("\n");
}

void Report::print(const Figure& figure) const {
  if (figure.failure.empty()) {
    const std::string noise = figure.noise > 0 ? shown("%.1f %%", 100 * figure.noise) : "";
    const std::string verdict = figure.bar.kind == Bar::Kind::none ? "" : figure.met() ? "ok" : "over";
    print_row(figure.path, {amount(figure.value), amount(figure.limit), shown("%.2fx", figure.ratio()), noise,
                            figure.bar_text(), verdict});
  } else {
    print_row(figure.path, {"WRONG", "", "", "", figure.bar_text(), ""});
    std::fprintf(stderr, "error: %s: %s\n", figure.path.c_str(), figure.failure.c_str());
  }
  std::fflush(stdout);
}

void Report::print_row(const std::string& path, const std::array<std::string, kColumns>& cells) const {
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
