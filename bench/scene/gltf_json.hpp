// The JSON of a glTF file: parsed, and read property by property, with problems told in the file's own words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string_view>

namespace scene {

/// Parses JSON text. Nothing recurses: nesting is limited by memory only.
/// Errors: InputError says where the JSON is broken; if that is inside a node, it names the node.
nlohmann::json parse_json(std::string_view text);

/// Reads a property that holds `count` numbers into `values`; leaves them alone if the property is missing.
/// Returns: whether the object has the property.
/// Errors: InputError unless it holds that many numbers, each in the range of float.
bool read_numbers(const nlohmann::json& object, const char* property, float* values, std::size_t count);

/// Returns: the array of that name, null if the property is missing.
/// Errors: InputError if it is anything but an array.
const nlohmann::json* find_array(const nlohmann::json& object, const char* property);

/// Returns: the index of a node, written as `value`.
/// Errors: InputError, calling it `role`, unless it is an index below `count`.
std::uint32_t node_index(const nlohmann::json& value, const char* role, std::size_t count);

}  // namespace scene
