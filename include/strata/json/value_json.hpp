// Functions that write values as JSON and read them. A ValueType describes what the values consist of.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "../../../core/values/value_type.hpp"
#include "json.hpp"

namespace strata::detail {

/// Returns: a text as a JSON string. JSON strings must be valid UTF-8, so any other text is returned as an object with
/// the bytes of the text.
Json text_to_json(std::string_view text);
/// Reads a text that `text_to_json` has written.
/// Returns: false if the JSON is not a text in one of the two forms that `text_to_json` writes.
bool json_to_text(const Json& json, std::string& text);

/// Returns: a value of the given type as JSON. `name(entity)` returns the text that is written for a reference to an
/// entity.
/// Errors: std::bad_alloc, and exceptions of `name` and of functions that members_of lists, which are functions of the
/// program that describe its types.
Json value_to_json(const ValueType& type, const void* value, const std::function<std::string(Entity)>& name);

/// The place in a document that is being read, such as "entities[3].parent", and the first error that was found.
class JsonPlace {
 public:
  /// While a Part exists, its JsonPlace stands for a member or an element of what it stood for before: the constructor
  /// appends ".member" (without the dot if the path is empty) or "[element]" to the path, and the destructor removes
  /// it.
  class Part {
   public:
    Part(JsonPlace& place, std::string_view member) : Part(place) {
      if (!place.path_.empty()) place.path_ += '.';
      place.path_ += member;
    }
    Part(JsonPlace& place, std::size_t element) : Part(place) {
      place.path_ += '[' + std::to_string(element) + ']';
    }
    Part(const Part&) = delete;
    Part& operator=(const Part&) = delete;
    ~Part() { place_.path_.resize(before_); }

   private:
    explicit Part(JsonPlace& place) : place_(place), before_(place.path_.size()) {}

    JsonPlace& place_;
    std::size_t before_;
  };

  /// Records what is wrong at this place, unless an error was recorded before.
  /// Returns: false.
  bool refuse(const std::string& why) {
    if (fault_.empty()) fault_ = (path_.empty() ? "the document" : path_) + ' ' + why;
    return false;
  }
  const std::string& fault() const { return fault_; }

 private:
  std::string path_;
  std::string fault_;
};

/// Reads a value, and replaces the existing value `*value` by it. `find(text, entity)` finds the entity to which a text
/// refers, and returns false if there is no such entity.
/// Returns: false if the JSON is not a value of this type; `*value` is then valid, but may be any value, and `place`
/// has the reason.
/// Errors: std::bad_alloc, and what the program's functions for an OwnFormat throw (see members_of).
bool json_to_value(const Json& json, const ValueType& type, void* value, JsonPlace& place,
                   const std::function<bool(const std::string&, Entity&)>& find);

}  // namespace strata::detail
