#include "gltf_json.hpp"

#include <cmath>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>

#include "input_error.hpp"
#include "text.hpp"

namespace scene {
namespace {

using nlohmann::json;

/// Follows the parser through the file, to know which node it is reading.
class NodeTracker {
 public:
  /// Takes the parser's events, with the number of objects and arrays around each.
  /// Returns: whether to keep what was parsed: the nodes need not be.
  bool operator()(int depth, json::parse_event_t event, const json& parsed) {
    using Event = json::parse_event_t;
    if (depth == 1 && event == Event::key) {
      in_nodes_ = parsed == "nodes";
      count_ = 0;
    }
    if (depth == 1 && event == Event::array_end) in_nodes_ = false;
    if (depth == 2 && event != Event::key) ++count_;
    return depth < 2;
  }

  /// Returns: the node read last, as the beginning of a message; empty outside of nodes.
  std::string place() const {
    return in_nodes_ && count_ > 0 ? "node " + std::to_string(count_ - 1) + ": " : "";
  }

 private:
  bool in_nodes_ = false;
  std::size_t count_ = 0;
};

/// Where broken JSON stops making sense. A pass of its own: parsing with a callback takes quadratic time if
/// it keeps what it parses.
std::string place_of_error(std::string_view text) {
  NodeTracker tracker;
  const json rest = json::parse(text.begin(), text.end(), std::ref(tracker), false);
  return rest.is_discarded() ? tracker.place() : "";
}

/// The parser's own words, without the tag in brackets that they begin with.
std::string reason(const json::exception& error) {
  const std::string_view message = error.what();
  const std::size_t tag_end = message.find("] ");
  return printable(tag_end == std::string_view::npos ? message : message.substr(tag_end + 2), 240);
}

std::string quoted(const char* property) {
  return '"' + std::string(property) + '"';
}

/// A value in a few characters. Only numbers are spelled out: writing nested values would recurse.
std::string brief(const json& value) {
  return value.is_number() ? value.dump() : "of type " + std::string(value.type_name());
}

}  // namespace

json parse_json(std::string_view text) {
  try {
    return json::parse(text);
  } catch (const json::out_of_range& error) {
    throw InputError(place_of_error(text) + "a number is not finite: " + reason(error));
  } catch (const json::exception& error) {
    throw InputError(place_of_error(text) + "broken JSON: " + reason(error));
  }
}

bool read_numbers(const json& object, const char* property, float* values, std::size_t count) {
  const auto found = object.find(property);
  if (found == object.end()) return false;
  if (!found->is_array() || found->size() != count)
    throw InputError(quoted(property) + " is not an array of " + std::to_string(count) + " numbers");
  for (std::size_t i = 0; i < count; ++i) {
    const json& value = (*found)[i];
    const auto refuse = [&](const char* why) {
      return InputError(quoted(property) + '[' + std::to_string(i) + "] is " + brief(value) + why);
    };
    if (!value.is_number()) throw refuse(", not a number");
    const auto number = value.get<double>();
    if (!(std::abs(number) <= double{std::numeric_limits<float>::max()}))
      throw refuse(", not finite as a float");
    values[i] = static_cast<float>(number);
  }
  return true;
}

const json* find_array(const json& object, const char* property) {
  const auto found = object.find(property);
  if (found == object.end()) return nullptr;
  if (!found->is_array()) throw InputError(quoted(property) + " is not an array");
  return &*found;
}

std::uint32_t node_index(const json& value, const char* role, std::size_t count) {
  if (!value.is_number_integer())
    throw InputError(std::string(role) + " is " + brief(value) + ", not the index of a node");
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() >= count)
    throw InputError(std::string(role) + ' ' + brief(value) + " is out of range: the file has " +
                     counted(count, "node"));
  return value.get<std::uint32_t>();
}

}  // namespace scene
