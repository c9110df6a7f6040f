#include "report.hpp"

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "files.hpp"
#include "text.hpp"

namespace scene {
namespace {

constexpr const char* kStyle = R"(
set terminal svg size 1060,460 dynamic noenhanced font 'Helvetica,Arial,sans-serif,13' background '#ffffff'
set encoding utf8
set border 1 linecolor rgb '#9aa0a6'
set xtics nomirror scale 0 textcolor rgb '#202124'
set ytics nomirror scale 0 textcolor rgb '#5f6368'
set grid ytics linetype 1 linewidth 0.6 linecolor rgb '#dadce0'
set boxwidth 0.62
set style fill solid noborder
set xrange [-0.6:4.6]
set tmargin 3
set bmargin 3.5
array colors[5] = [0x174a82, 0x1f77c8, 0x5b9bd5, 0xe08a3c, 0x80868b]
color(row) = colors[int(row) + 1]
unset key
)";

/// A bar per variant: its name, over two lines, its height, and a label of two lines above it.
template <class Height, class Label>
void add_panel(std::ostream& script, const Report& report, const char* title, Height height, Label label) {
  std::string data;
  double tallest = 0;
  for (std::size_t row = 0; row < report.figures.size(); ++row) {
    const Figures& figures = report.figures[row];
    std::string name = figures.name;
    if (const std::size_t space = name.find(' '); space != std::string::npos) name.replace(space, 1, "\\n");
    data += std::to_string(row) + " \"" + name + "\" " + fixed(height(figures), 4) + " \"" + label(figures) +
            "\"\n";
    tallest = std::max(tallest, height(figures));
  }
  script << "set title " << gnuplot_string(title) << " font ',14' textcolor rgb '#202124'\n"
         << "set yrange [0:" << fixed(tallest * 1.22, 4) << "]\n"
         << "$bars << end\n"
         << data << "end\n"
         << "plot $bars using 1:3:(color($1)):xtic(2) with boxes linecolor rgb variable, "
            "$bars using 1:3:4 with labels offset 0,1.7 textcolor rgb '#202124'\n";
}

}  // namespace

bool draw_chart(const std::string& path, const Report& report) {
  const std::string file_name = std::filesystem::path(report.scene.file).filename().string();
  const std::string title =
      "World transforms of " + printable(file_name, 60) + ", instanced to " + counted(report.nodes(), "node");
  std::ostringstream script;
  script << kStyle << "set multiplot layout 1,2 margins 0.06,0.98,0.13,0.8 spacing 0.08 title "
         << gnuplot_string(title) << " font ',17' textcolor rgb '#202124'\n";
  add_panel(
      script, report, "time per node and frame, and its ratio to the limit",
      [](const Figures& figures) { return figures.ns_per_node; },
      [](const Figures& figures) {
        return fixed(figures.ns_per_node, 1) + " ns\\n" + fixed(figures.ratio, 2) + "x";
      });
  add_panel(
      script, report, "memory per node", [](const Figures& figures) { return figures.bytes_per_node; },
      [](const Figures& figures) { return fixed(figures.bytes_per_node, 0) + "\\nbytes"; });
  script << "unset multiplot\n";
  return draw_svg(path, script.str());
}

}  // namespace scene
