#include "report.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <ostream>
#include <sstream>

#include "../scene/files.hpp"
#include "../scene/text.hpp"

namespace layout {
namespace {

using Json = nlohmann::ordered_json;
using scene::fixed;

std::string percent(double share) {
  return fixed(share * 100, share < 0.01 ? 1 : 0) + " %";
}

/// Returns: names of what is recommended for the side store.
std::string moved(const strata::StorageAdvice& advice) {
  std::string text;
  for (const strata::StorageAdvice::Component& one : advice.components)
    if (one.moves()) text += (text.empty() ? "" : ", ") + one.name;
  return text.empty() ? "nothing" : text;
}

Json in_json(const Figures& figures) {
  Json variants = Json::array();
  for (std::size_t i = 0; i < kVariants; ++i) {
    variants.push_back({{"name", kNames[i]},
                        {"ns_per_entity_and_frame", figures.ns[i]},
                        {"ratio", figures.ratio(i)},
                        {"bytes_per_entity", figures.bytes[i]}});
  }
  Json components = Json::array();
  for (const strata::StorageAdvice::Component& one : figures.advice.components) {
    components.push_back(
        {{"name", one.name},
         {"recommended", one.recommended == strata::Storage::sparse ? "side store" : "tables"},
         {"saving_ns_per_frame", one.saving},
         {"reason", one.reason}});
  }
  return {{"entities", figures.setup.entities},
          {"churn", figures.setup.churn},
          {"frames", figures.frames},
          {"variants", variants},
          {"components", components}};
}

constexpr const char* kStyle = R"(
set encoding utf8
set border 3 linecolor rgb '#9aa0a6'
set tics nomirror textcolor rgb '#5f6368'
set mxtics 1
set grid ytics linetype 1 linewidth 0.6 linecolor rgb '#dadce0'
set style line 1 linecolor rgb '#1f5fa8' linewidth 2.2 pointtype 7 pointsize 0.6
set style line 2 linecolor rgb '#e08a3c' linewidth 2.2 pointtype 7 pointsize 0.6
set style line 3 linecolor rgb '#2e8b57' linewidth 2.2 pointtype 7 pointsize 0.6
set style line 4 linecolor rgb '#80868b' linewidth 2.2 dashtype 2 pointtype 7 pointsize 0.6
set logscale x
)";

std::string terminal(std::size_t width) {
  return "set terminal svg size " + std::to_string(width) +
         ",460 dynamic noenhanced font 'Helvetica,Arial,sans-serif,13' background '#ffffff'\n" + kStyle;
}

/// Writes a row of data: x, then a value for each variant.
void add_row(std::ostream& script, double x, const std::array<double, kVariants>& values) {
  script << fixed(x, 4);
  for (const double value : values) script << ' ' << fixed(value, 4);
  script << '\n';
}

void add_lines(std::ostream& script, const std::string& name) {
  script << "plot ";
  for (std::size_t variant = 0; variant < kVariants; ++variant) {
    script << (variant == 0 ? "" : ", ") << '$' << name << " using 1:" << variant + 2
           << " with linespoints linestyle " << variant + 1 << " title '" << kNames[variant] << '\'';
  }
}

/// Returns: an x axis with a mark for each position, and some room at the ends.
template <class Label>
std::string x_axis(const std::vector<double>& positions, Label label) {
  std::string tics;
  for (const double x : positions) tics += (tics.empty() ? "'" : ", '") + label(x) + "' " + fixed(x, 4);
  return "set xtics (" + tics + ")\nset xrange [" + fixed(positions.front() / 1.3, 4) + ":" +
         fixed(positions.back() * 1.3, 4) + "]\n";
}

void add_time_panel(std::ostream& script, const Sweep& sweep, std::size_t panel) {
  const std::string name = "time" + std::to_string(panel);
  const std::vector<Point> points = sweep.crossings();
  script << '$' << name << " << end\n";
  for (const Figures& one : sweep.figures) add_row(script, one.setup.churn * 100, one.ns);
  script << "end\n$" << name << "x << end\n";
  for (const auto& [x, y] : points)
    script << fixed(x, 4) << ' ' << fixed(y, 4) << " \"" << fixed(x, 1) << " %\"\n";
  script << "end\nset title '" << scene::grouped(sweep.entities)
         << " entities' font ',14' textcolor rgb '#202124'\n";
  if (panel != 0) script << "unset key\nunset ylabel\n";
  add_lines(script, name);
  if (!points.empty()) {
    script << ", $" << name << "x using 1:2 with points pointtype 6 pointsize 1.8 linewidth 2 "
           << "linecolor rgb '#202124' notitle, $" << name
           << "x using 1:2:3 with labels right offset -1.2,0.8 textcolor rgb '#202124' notitle";
  }
  script << '\n';
}

}  // namespace

std::vector<Point> crossovers(const std::vector<Point>& first, const std::vector<Point>& second) {
  std::vector<Point> found;
  std::size_t apart = first.size();  // The last position at which they differed; none yet.
  for (std::size_t i = 0; i < first.size(); ++i) {
    const double now = first[i].y - second[i].y;
    if (now == 0) continue;
    if (apart < i) {
      const double before = first[apart].y - second[apart].y;
      if ((before < 0) != (now < 0)) {
        const double share = before / (before - now);
        const double x = std::log(first[apart].x) + share * std::log(first[i].x / first[apart].x);
        found.push_back({std::exp(x), first[apart].y + share * (first[i].y - first[apart].y)});
      }
    }
    apart = i;
  }
  return found;
}

std::vector<Point> Sweep::crossings() const {
  std::vector<Point> in_tables;
  std::vector<Point> in_side_store;
  for (const Figures& one : figures) {
    in_tables.push_back({one.setup.churn * 100, one.ns[tables]});
    in_side_store.push_back({one.setup.churn * 100, one.ns[side_store]});
  }
  return crossovers(in_tables, in_side_store);
}

void print_figures(std::ostream& out, const Report& report) {
  scene::TextTable table({"entities", "churn", "limit ns", "tables ns", "ratio", "side store ns", "ratio",
                          "recommended ns", "ratio", "bytes: limit", "tables", "side store", "recommended"},
                         std::string(13, 'r'));
  for (const Sweep& sweep : report.sweeps) {
    for (const Figures& one : sweep.figures) {
      std::vector<std::string> cells{scene::grouped(sweep.entities), percent(one.setup.churn),
                                     fixed(one.ns[limit], 2)};
      for (const std::size_t variant : {tables, side_store, recommended}) {
        cells.push_back(fixed(one.ns[variant], 2));
        cells.push_back(fixed(one.ratio(variant), 2) + "x");
      }
      for (const std::size_t variant : {limit, tables, side_store, recommended})
        cells.push_back(fixed(one.bytes[variant], 0));
      table.add(std::move(cells));
    }
  }
  out << "time and memory per entity and frame; medians of " << report.plan.repetitions
      << " repetitions, taken in turns; ratios to the limit, plain arrays\n\n";
  table.print(out);
  out << "\nverified: every layout came to the result of the plain arrays\n";
}

void print_findings(std::ostream& out, const Report& report) {
  for (const Sweep& sweep : report.sweeps) {
    const std::vector<Point> points = sweep.crossings();
    out << scene::grouped(sweep.entities) << " entities: ";
    if (points.empty()) {
      const Figures& one = sweep.figures.front();
      out << (one.ns[tables] < one.ns[side_store] ? "tables" : "the side store")
          << " for everything is the faster of the two at every churn measured";
    }
    for (std::size_t i = 0; i < points.size(); ++i) {
      out << (i == 0 ? "everything in tables and everything in the side store cost the same at a churn of "
                     : ", and of ")
          << fixed(points[i].x, 1) << " %";
    }
    const Figures& last = sweep.figures.back();
    out << "; recommended for the side store at " << percent(last.setup.churn) << ": " << moved(last.advice)
        << '\n';
  }
  const Figures& last = report.sweeps.back().figures.back();
  out << "\nwhat the probe said with " << scene::grouped(last.setup.entities) << " entities and a churn of "
      << percent(last.setup.churn) << ":\n"
      << describe(last.advice);
}

void write_json(const std::string& path, const Report& report) {
  Json all = Json::array();
  Json crossings = Json::array();
  for (const Sweep& sweep : report.sweeps) {
    for (const Figures& one : sweep.figures) all.push_back(in_json(one));
    for (const auto& [x, y] : sweep.crossings())
      crossings.push_back({{"entities", sweep.entities}, {"churn", x / 100}, {"ns", y}});
  }
  const Json document = {
      {"repetitions", report.plan.repetitions}, {"figures", all}, {"tables_cross_side_store", crossings}};
  scene::write_file(path, document.dump(2) + '\n');
}

std::string time_script(const Report& report) {
  double most = 0;
  for (const Sweep& sweep : report.sweeps)
    for (const Figures& one : sweep.figures) most = std::max(most, std::ranges::max(one.ns));
  std::vector<double> churns;
  for (const Figures& one : report.sweeps.front().figures) churns.push_back(one.setup.churn * 100);
  const std::size_t panels = report.sweeps.size();
  std::ostringstream script;
  script
      << terminal(120 + 360 * panels) << "set multiplot layout 1," << panels
      << " margins char 9,char 3,char 5,char 5 spacing char 6 title 'One frame of the program, by storage' "
         "font ',17' textcolor rgb '#202124'\n"
      << "set yrange [0:" << fixed(most * 1.1, 2) << "]\n"
      << x_axis(churns, [](double x) { return fixed(x, x < 1 ? 1 : 0) + " %%"; })
      << "set xlabel \"churn: status effects that begin\\nor end, per entity and frame\"\n"
      << "set ylabel 'ns per entity and frame'\n"
      << "set key top left Left reverse samplen 2 spacing 1.1 textcolor rgb '#202124'\n";
  for (std::size_t panel = 0; panel < panels; ++panel) add_time_panel(script, report.sweeps[panel], panel);
  script << "unset multiplot\n";
  return script.str();
}

std::string memory_script(const Report& report) {
  std::ostringstream data;
  std::vector<double> sizes;
  double most = 0;
  const std::size_t middle = report.sweeps.front().figures.size() / 2;
  for (const Sweep& sweep : report.sweeps) {
    const Figures& one = sweep.figures[middle];
    sizes.push_back(static_cast<double>(sweep.entities));
    add_row(data, sizes.back(), one.bytes);
    most = std::max(most, std::ranges::max(one.bytes));
  }
  std::ostringstream script;
  script << terminal(720) << "set title 'Memory, all bookkeeping included, at a churn of "
         << fixed(report.sweeps.front().figures[middle].setup.churn * 100, 1)
         << " %' font ',17' textcolor rgb '#202124'\n"
         << "set yrange [0:" << fixed(most * 1.35, 2) << "]\n"
         << "set xlabel 'entities'\nset ylabel 'bytes per entity'\n"
         << x_axis(sizes, [](double x) { return scene::grouped(static_cast<std::size_t>(x)); })
         << "set key top right samplen 2 spacing 1.1 textcolor rgb '#202124'\n"
         << "$memory << end\n"
         << data.str() << "end\n";
  add_lines(script, "memory");
  script << '\n';
  return script.str();
}

}  // namespace layout
