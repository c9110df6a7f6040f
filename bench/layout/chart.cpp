#include "report.hpp"

#include <algorithm>
#include <sstream>

#include "../scene/text.hpp"

namespace layout {
namespace {

using scene::fixed;

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

void set_terminal(std::ostream& script, unsigned width, unsigned height) {
  script << "set terminal svg size " << width << ',' << height
         << " dynamic noenhanced font 'Helvetica,Arial,sans-serif,13' background '#ffffff'\n"
         << kStyle;
}

/// Writes a block of data: x, then a column for each variant.
template <class X, class Value>
void add_data(std::ostream& script, const std::string& name, const std::vector<const Figures*>& rows, X x,
              Value value) {
  script << '$' << name << " << end\n";
  for (const Figures* row : rows) {
    script << fixed(x(*row), 4);
    for (std::size_t variant = 0; variant < kVariants; ++variant)
      script << ' ' << fixed(value(*row, variant), 4);
    script << '\n';
  }
  script << "end\n";
}

void add_lines(std::ostream& script, const std::string& name) {
  script << "plot ";
  for (std::size_t variant = 0; variant < kVariants; ++variant) {
    script << (variant == 0 ? "" : ", ") << '$' << name << " using 1:" << variant + 2
           << " with linespoints linestyle " << variant + 1 << " title '" << kNames[variant] << '\'';
  }
}

/// Returns: an x axis with a mark for each point, and some room at the ends.
template <class Label>
std::string x_axis(const std::vector<Point>& points, Label label) {
  std::string tics;
  for (const Point& point : points) {
    tics += (tics.empty() ? "" : ", ") + label(point.x) + ' ' + fixed(point.x, 4);
  }
  return "set xtics (" + tics + ")\nset xrange [" + fixed(points.front().x / 1.3, 4) + ":" +
         fixed(points.back().x * 1.3, 4) + "]\n";
}

void add_time_panel(std::ostream& script, const Report& report, std::size_t entities, std::size_t panel) {
  const std::string name = "time" + std::to_string(panel);
  const std::vector<Point> points =
      crossovers(report.curve(entities, tables), report.curve(entities, side_store));
  add_data(
      script, name, report.of_size(entities), [](const Figures& row) { return row.setup.churn * 100; },
      [](const Figures& row, std::size_t variant) { return row.ns[variant]; });
  script << '$' << name << "x << end\n";
  for (const Point& point : points) {
    script << fixed(point.x, 4) << ' ' << fixed(point.y, 4) << " \"" << fixed(point.x, 1) << " %\"\n";
  }
  script << "end\nset title '" << scene::grouped(entities)
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

std::string time_script(const Report& report) {
  const std::vector<std::size_t> sizes = report.sizes();
  double most = 0;
  for (const Figures& one : report.figures)
    most = std::max(most, *std::max_element(one.ns.begin(), one.ns.end()));
  std::ostringstream script;
  set_terminal(script, static_cast<unsigned>(120 + 360 * sizes.size()), 460);
  script
      << "set multiplot layout 1," << sizes.size()
      << " margins char 9,char 3,char 5,char 5 spacing char 6 title 'One frame of the program, by storage' "
         "font ',17' textcolor rgb '#202124'\n"
      << "set yrange [0:" << fixed(most * 1.1, 2) << "]\n"
      << x_axis(report.curve(sizes.front(), limit),
                [](double x) { return '\'' + fixed(x, x < 1 ? 1 : 0) + " %%'"; })
      << "set xlabel \"churn: status effects that begin\\nor end, per entity and frame\"\n"
      << "set ylabel 'ns per entity and frame'\n"
      << "set key top left Left reverse samplen 2 spacing 1.1 textcolor rgb '#202124'\n";
  for (std::size_t panel = 0; panel < sizes.size(); ++panel) {
    add_time_panel(script, report, sizes[panel], panel);
  }
  script << "unset multiplot\n";
  return script.str();
}

std::string memory_script(const Report& report) {
  std::vector<const Figures*> rows;
  std::vector<Point> sizes;
  double most = 0;
  for (const std::size_t entities : report.sizes()) {
    const std::vector<const Figures*> of_size = report.of_size(entities);
    rows.push_back(of_size[of_size.size() / 2]);
    sizes.push_back({static_cast<double>(entities), 0});
    most = std::max(most, *std::max_element(rows.back()->bytes.begin(), rows.back()->bytes.end()));
  }
  std::ostringstream script;
  set_terminal(script, 720, 460);
  script << "set title 'Memory, all bookkeeping included, at a churn of "
         << fixed(rows.front()->setup.churn * 100, 1) << " %' font ',17' textcolor rgb '#202124'\n"
         << "set yrange [0:" << fixed(most * 1.35, 2) << "]\n"
         << "set xlabel 'entities'\nset ylabel 'bytes per entity'\n"
         << x_axis(sizes, [](double x) { return '\'' + scene::grouped(static_cast<std::size_t>(x)) + '\''; })
         << "set key top right samplen 2 spacing 1.1 textcolor rgb '#202124'\n";
  add_data(
      script, "memory", rows, [](const Figures& row) { return static_cast<double>(row.setup.entities); },
      [](const Figures& row, std::size_t variant) { return row.bytes[variant]; });
  add_lines(script, "memory");
  script << '\n';
  return script.str();
}

}  // namespace layout
