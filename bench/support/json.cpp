#include "json.hpp"

#ifdef STRATA_BENCH_JSON
#include <benchmark/benchmark.h>

#include <fstream>
#include <nlohmann/json.hpp>
#endif

namespace strata::bench {

#ifdef STRATA_BENCH_JSON
namespace {

using Json = nlohmann::ordered_json;

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

Complaint write_json(const Options& options, const std::vector<Figure>& times,
                     const std::vector<Figure>& amounts) {
  const Json all = {{"command", options.command_line},
                    {"machine", machine()},
                    {"times", {{"unit", "ns per item"}, {"rows", rows(times)}}},
                    {"amounts", {{"unit", "bytes per item"}, {"rows", rows(amounts)}}}};
  std::ofstream file(options.json);
  file << all.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
  file.close();
  return file ? "" : "cannot write " + options.json;
}
#else
Complaint write_json(const Options&, const std::vector<Figure>&, const std::vector<Figure>&) {
  return "built without nlohmann-json";
}
#endif

}  // namespace strata::bench
