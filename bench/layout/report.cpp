#include "report.hpp"

#include <cmath>
#include <nlohmann/json.hpp>
#include <ostream>

#include "../scene/files.hpp"
#include "../scene/text.hpp"

namespace layout {
namespace {

using scene::fixed;
using scene::TextTable;

std::string percent(double share) {
  return fixed(share * 100, share < 0.01 ? 1 : 0) + " %";
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text.empty() ? "nothing" : text;
}

nlohmann::ordered_json in_json(const Figures& figures) {
  nlohmann::ordered_json variants = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < kVariants; ++i) {
    variants.push_back({{"name", kNames[i]},
                        {"ns_per_entity_and_frame", figures.ns[i]},
                        {"ratio", figures.ratio(i)},
                        {"bytes_per_entity", figures.bytes[i]}});
  }
  nlohmann::ordered_json components = nlohmann::ordered_json::array();
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

std::vector<std::size_t> Report::sizes() const {
  std::vector<std::size_t> all;
  for (const Figures& one : figures) {
    if (all.empty() || all.back() != one.setup.entities) all.push_back(one.setup.entities);
  }
  return all;
}

std::vector<const Figures*> Report::of_size(std::size_t entities) const {
  std::vector<const Figures*> found;
  for (const Figures& one : figures) {
    if (one.setup.entities == entities) found.push_back(&one);
  }
  return found;
}

std::vector<Point> Report::curve(std::size_t entities, Variant variant) const {
  std::vector<Point> points;
  for (const Figures* one : of_size(entities)) points.push_back({one->setup.churn * 100, one->ns[variant]});
  return points;
}

void print_figures(std::ostream& out, const Report& report) {
  std::vector<TextTable::Column> columns{{"entities", TextTable::Align::right},
                                         {"churn", TextTable::Align::right},
                                         {"limit ns", TextTable::Align::right}};
  for (const char* title : {"tables ns", "ratio", "side store ns", "ratio", "recommended ns", "ratio",
                            "bytes: limit", "tables", "side store", "recommended"}) {
    columns.push_back({title, TextTable::Align::right});
  }
  TextTable table(std::move(columns));
  for (const Figures& one : report.figures) {
    std::vector<std::string> cells{scene::grouped(one.setup.entities), percent(one.setup.churn),
                                   fixed(one.ns[limit], 2)};
    for (const std::size_t variant : {tables, side_store, recommended}) {
      cells.push_back(fixed(one.ns[variant], 2));
      cells.push_back(fixed(one.ratio(variant), 2) + "x");
    }
    for (const std::size_t variant : {limit, tables, side_store, recommended}) {
      cells.push_back(fixed(one.bytes[variant], 0));
    }
    table.add(std::move(cells));
  }
  out << "time and memory per entity and frame; medians of " << report.plan.repetitions
      << " repetitions, taken in turns; ratios to the limit, plain arrays\n\n";
  table.print(out);
  out << "\nverified: every layout came to the result of the plain arrays\n";
}

void print_findings(std::ostream& out, const Report& report) {
  for (const std::size_t entities : report.sizes()) {
    const std::vector<Point> points =
        crossovers(report.curve(entities, tables), report.curve(entities, side_store));
    out << scene::grouped(entities) << " entities: ";
    if (points.empty()) {
      const Figures& one = *report.of_size(entities).front();
      out << (one.ns[tables] < one.ns[side_store] ? "tables" : "the side store")
          << " for everything is the faster of the two at every churn measured";
    }
    for (std::size_t i = 0; i < points.size(); ++i) {
      out << (i == 0 ? "everything in tables and everything in the side store cost the same at a churn of "
                     : ", and of ")
          << fixed(points[i].x, 1) << " %";
    }
    const Figures& last = *report.of_size(entities).back();
    out << "; recommended for the side store at " << percent(last.setup.churn) << ": " << joined(last.moved())
        << '\n';
  }
  const Figures& last = report.figures.back();
  out << "\nwhat the probe said with " << scene::grouped(last.setup.entities) << " entities and a churn of "
      << percent(last.setup.churn) << ":\n"
      << describe(last.advice);
}

void write_json(const std::string& path, const Report& report) {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const Figures& one : report.figures) all.push_back(in_json(one));
  nlohmann::ordered_json crossings = nlohmann::ordered_json::array();
  for (const std::size_t entities : report.sizes()) {
    for (const Point& point :
         crossovers(report.curve(entities, tables), report.curve(entities, side_store))) {
      crossings.push_back({{"entities", entities}, {"churn", point.x / 100}, {"ns", point.y}});
    }
  }
  const nlohmann::ordered_json document = {
      {"repetitions", report.plan.repetitions}, {"figures", all}, {"tables_cross_side_store", crossings}};
  scene::write_file(path, document.dump(2) + '\n');
}

}  // namespace layout
