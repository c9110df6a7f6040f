// JsonReader: the base class of the classes that read a JSON document.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>

#include "entity_paths.hpp"
#include "json_words.hpp"
#include "value_json.hpp"

namespace strata::detail {

/// Reads members, lists, values of enumerations, flags and numbers of a document, and remembers the first error in it.
class JsonReader {
 public:
  using Part = JsonPlace::Part;

  explicit JsonReader(const Json& json) : json_(json) {}

  const std::string& fault() const { return place_.fault(); }

 protected:
  bool refuse(const std::string& why) { return place_.refuse(why); }

  /// Calls `read(const Json&)` for the member with this name, if the object has one.
  /// Returns: true if there is no such member; otherwise the result of `read`.
  template <class Read>
  bool read_member(const Json& object, const char* name, Read read) {
    const auto found = object.find(name);
    if (found == object.end()) return true;
    const Part part(place_, name);
    return read(*found);
  }
  /// Calls `read(const Json&)` for each element of a list, until a call returns false.
  /// Returns: whether `list` is a list and all calls returned true. If it is not a list, the error is recorded.
  template <class Read>
  bool read_list(const Json& list, Read read) {
    if (!list.is_array()) return refuse("is not a list");
    for (std::size_t i = 0; i < list.size(); ++i) {
      const Part part(place_, i);
      if (!read(list[i])) return false;
    }
    return true;
  }
  /// Calls `read(name, const Json&)` for each member of an object, until a call returns false.
  /// Returns: whether `object` is an object and all calls returned true.
  template <class Read>
  bool read_members(const Json& object, Read read) {
    if (!object.is_object()) return refuse("is not an object with members");
    for (const auto& [name, member] : object.items()) {
      const Part part(place_, name);
      if (!read(name, member)) return false;
    }
    return true;
  }
  /// Returns: whether `object` is an object, and each of its members has a name in `known`. If not, the error is
  /// recorded; see `fault`.
  bool check_members(const Json& object, std::initializer_list<std::string_view> known) {
    return read_members(object, [&](const std::string& name, const Json&) {
      return std::find(known.begin(), known.end(), name) != known.end() || refuse("is not known");
    });
  }

  template <class Words, class Value>
  bool read_enum(const Json& json, const Words& words, Value& value) {
    return (json.is_string() && read_word(words, json.get<std::string>(), value)) ||
           refuse("is no known word");
  }
  bool read_flag(const Json& json, bool& value) {
    if (!json.is_boolean()) return refuse("is not true or false");
    value = json.get<bool>();
    return true;
  }
  template <class Number>
  bool read_number(const Json& json, Number& value) {
    static constexpr ValueType kType{
        .kind = std::is_signed_v<Number> ? ValueKind::integer : ValueKind::natural, .size = sizeof(Number)};
    return json_to_value(json, kType, &value, place_, {});
  }
  bool read_handle(const Json& json, Entity& entity) {
    return (json.is_string() && EntityPaths::read_handle(json.get<std::string>(), entity)) ||
           refuse("is not the handle of an entity, such as \"12v3\"");
  }

  const Json& json_;
  JsonPlace place_;
};

}  // namespace strata::detail
