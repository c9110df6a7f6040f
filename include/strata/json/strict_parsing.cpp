#include "strict_parsing.hpp"

#include <istream>
#include <set>
#include <vector>

namespace strata::detail {

Json parse_strictly(std::istream& in, std::string& fault) {
  constexpr int kDeepest =
      80;  // Enough for any world: types nest at most 32 deep, and each level may add a list.
  std::vector<std::set<std::string>> members;
  const auto check = [&](int depth, Json::parse_event_t event, const Json& value) {
    if (!fault.empty()) return false;
    if (depth > kDeepest) fault = "the document is nested too deeply";
    if (event == Json::parse_event_t::object_start) members.emplace_back();
    if (event == Json::parse_event_t::object_end) members.pop_back();
    if (event == Json::parse_event_t::key && !members.back().insert(value.get<std::string>()).second)
      fault = "the document has the member \"" + value.get<std::string>() + "\" twice in one object";
    return fault.empty();
  };
  Json json = Json::parse(in, check, false);
  if (fault.empty() && json.is_discarded()) fault = "the document is no JSON, or is cut off";
  return json;
}

}  // namespace strata::detail
