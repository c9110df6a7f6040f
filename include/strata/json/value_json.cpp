#include "value_json.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "../../../core/values/byte_stream.hpp"

namespace strata::detail {
namespace {

constexpr std::string_view kHex = "0x";
constexpr std::string_view kNan = "nan:";

std::string to_hex(std::span<const std::byte> bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text(kHex);
  for (const std::byte byte : bytes) {
    text += kDigits[std::to_integer<unsigned>(byte) >> 4];
    text += kDigits[std::to_integer<unsigned>(byte) & 15];
  }
  return text;
}
bool from_hex(const Json& json, std::vector<std::byte>& bytes) {
  if (!json.is_string()) return false;
  const auto& text = json.get_ref<const std::string&>();
  if (!text.starts_with(kHex) || text.size() % 2 != 0) return false;
  for (std::size_t i = kHex.size(); i < text.size(); i += 2) {
    unsigned byte = 0;
    const auto read = std::from_chars(text.data() + i, text.data() + i + 2, byte, 16);
    if (read.ptr != text.data() + i + 2) return false;
    bytes.push_back(static_cast<std::byte>(byte));
  }
  return true;
}

/// Returns: the number of bytes of the first character of a text; 0 if the text does not begin with a character in
/// valid UTF-8.
/// Contract: the text is not empty.
std::size_t size_of_character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (byte(0) < 0x80) return 1;
  const std::size_t size = byte(0) >= 0xF0 ? 4 : byte(0) >= 0xE0 ? 3 : byte(0) >= 0xC2 ? 2 : 0;
  if (size == 0 || byte(0) > 0xF4 || text.size() < size) return 0;
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
  }
  // Rejects encodings that are longer than needed, surrogates, and numbers above U+10FFFF.
  const bool is_wrong = (byte(0) == 0xE0 && byte(1) < 0xA0) || (byte(0) == 0xED && byte(1) > 0x9F) ||
                        (byte(0) == 0xF0 && byte(1) < 0x90) || (byte(0) == 0xF4 && byte(1) > 0x8F);
  return is_wrong ? 0 : size;
}

template <class T>
T read_as(const void* value) {
  T number;
  std::memcpy(&number, value, sizeof number);
  return number;
}

/// Rounds `wide` to the nearest number of type T, and stores that in `number`. If `wide` is outside of the range of T,
/// that is the highest or the lowest number of T.
/// Returns: false if `wide` is so far outside of the range that it would be rounded to infinity.
template <class T>
bool round_to(double wide, T& number) {
  constexpr double kHighest = std::numeric_limits<T>::max();
  constexpr double kTooHigh = sizeof(T) == 4 ? kHighest * (1 + 1.0 / (1 << 25)) : kHighest;
  if (std::abs(wide) <= kHighest) {
    number = static_cast<T>(wide);
  } else {
    number = wide > 0 ? std::numeric_limits<T>::max() : std::numeric_limits<T>::lowest();
  }
  return std::abs(wide) <= kTooHigh;
}

template <class T>
Json real_to_json(T number) {
  std::array<char, 64> digits;
  if (std::isnan(number)) {
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), bits_of(number), 16).ptr;
    return std::string(kNan) + std::string(digits.data(), end);
  }
  if (std::isinf(number)) return number > 0 ? "inf" : "-inf";
  // A float is written with the fewest decimal digits that identify it, so that 0.1f is written as 0.1. To this end,
  // the float is replaced by the double with the same digits, if this double rounds to the float again.
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  double shown = 0;
  std::from_chars(digits.data(), end, shown);
  T rounded = 0;
  return round_to(shown, rounded) && rounded == number ? shown : static_cast<double>(number);
}

template <class T>
bool json_to_real(const Json& json, void* value) {
  T number = 0;
  if (json.is_number()) {
    if (!round_to(json.get<double>(), number)) return false;
  } else if (json == "inf" || json == "-inf") {
    number = json == "inf" ? std::numeric_limits<T>::infinity() : -std::numeric_limits<T>::infinity();
  } else {
    const std::string text = json.is_string() ? json.get<std::string>() : "";
    std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t> bits = 0;
    const char* const end = text.data() + text.size();
    if (!text.starts_with(kNan) || std::from_chars(text.data() + kNan.size(), end, bits, 16).ptr != end)
      return false;
    std::memcpy(&number, &bits, sizeof number);
    if (!std::isnan(number)) return false;
  }
  std::memcpy(value, &number, sizeof number);
  return true;
}

template <class T>
bool json_to_number(const Json& json, void* value) {
  T number = 0;
  if (json.is_number_unsigned()) {
    const auto wide = json.get<std::uint64_t>();
    if (wide > static_cast<std::uint64_t>(std::numeric_limits<T>::max())) return false;
    number = static_cast<T>(wide);
  } else if (json.is_number_integer()) {
    const auto wide = json.get<std::int64_t>();
    if (wide >= 0
            ? static_cast<std::uint64_t>(wide) > static_cast<std::uint64_t>(std::numeric_limits<T>::max())
            : wide < static_cast<std::int64_t>(std::numeric_limits<T>::min()) || !std::is_signed_v<T>)
      return false;
    number = static_cast<T>(wide);
  } else {
    return false;
  }
  std::memcpy(value, &number, sizeof number);
  return true;
}

/// Calls `visit` with a zero of the integer type that `type` describes, so that `visit` knows the C++ type.
/// Returns: the result of `visit`.
template <class Visit>
auto with_number_type(const ValueType& type, Visit visit) {
  const bool has_sign = type.kind == ValueKind::integer;
  // NOLINTBEGIN(bugprone-branch-clone): the branches differ in the type of the number.
  switch (type.size) {
    case 1:
      return has_sign ? visit(std::int8_t()) : visit(std::uint8_t());
    case 2:
      return has_sign ? visit(std::int16_t()) : visit(std::uint16_t());
    case 4:
      return has_sign ? visit(std::int32_t()) : visit(std::uint32_t());
    default:
      return has_sign ? visit(std::int64_t()) : visit(std::uint64_t());
  }
  // NOLINTEND(bugprone-branch-clone)
}

Json elements_to_json(const ValueType& element, const void* first, std::size_t count,
                      const std::function<std::string(Entity)>& name) {
  Json json = Json::array();
  for (std::size_t i = 0; i < count; ++i)
    json.push_back(value_to_json(element, at_offset(first, i * element.size), name));
  return json;
}

/// Reads values from JSON. While it reads a part of a value, `place_` is set to that part, for error messages. `find_`
/// finds the entity for a text that stands for an entity.
class ValueJsonReader {
 public:
  ValueJsonReader(JsonPlace& place, const std::function<bool(const std::string&, Entity&)>& find)
      : place_(place), find_(find) {}

  bool read(const Json& json, const ValueType& type, void* value) {
    switch (type.kind) {
      case ValueKind::boolean:
        if (!json.is_boolean()) return place_.refuse("is not true or false");
        *static_cast<bool*>(value) = json.get<bool>();
        return true;
      case ValueKind::integer:
      case ValueKind::natural:
        return with_number_type(type,
                                [&](auto number) { return json_to_number<decltype(number)>(json, value); }) ||
               place_.refuse("is not a whole number of " + std::to_string(8 * type.size) + " bits" +
                             (type.kind == ValueKind::natural ? " without a sign" : ""));
      case ValueKind::real:
        return (type.size == 4 ? json_to_real<float>(json, value) : json_to_real<double>(json, value)) ||
               place_.refuse("is not a number of " + std::to_string(8 * type.size) + " bits");
      case ValueKind::entity:
        return read_entity(json, value);
      case ValueKind::structure:
        return read_members(json, type, value);
      case ValueKind::text:
        return read_text(json, type, value);
      case ValueKind::array:
        if (!json.is_array() || json.size() != type.count)
          return place_.refuse("is not a list of " + std::to_string(type.count) + " values");
        return read_elements(json, *type.element, value);
      case ValueKind::list:
        if (!json.is_array()) return place_.refuse("is not a list");
        return read_elements(json, *type.element, type.resize(value, json.size()));
      case ValueKind::optional:
        return read_optional(json, type, value);
      case ValueKind::bytes:
      case ValueKind::own_format:
        return read_bytes(json, type, value);
    }
    return place_.refuse("is of an unknown type");
  }

 private:
  bool read_entity(const Json& json, void* value) {
    Entity entity;
    if (!json.is_string() || !find_(json.get_ref<const std::string&>(), entity))
      return place_.refuse(
          "is not a reference to an entity, such as \"12v3\" or \"/house/door\", or \"none\"");
    std::memcpy(value, &entity, sizeof entity);
    return true;
  }
  bool read_text(const Json& json, const ValueType& type, void* value) {
    std::string text;
    if (!json_to_text(json, text)) return place_.refuse("is not a text");
    void* const characters = type.resize(value, text.size());
    if (!text.empty()) std::memcpy(characters, text.data(), text.size());
    return true;
  }
  bool read_members(const Json& json, const ValueType& type, void* value) {
    if (!json.is_object()) return place_.refuse("is not an object with members");
    for (const ValueMember& member : type.members) {
      const auto found = json.find(std::string(member.name));
      if (found == json.end()) return place_.refuse("lacks the member \"" + std::string(member.name) + '"');
      const JsonPlace::Part part(place_, member.name);
      if (!read(*found, *member.type, at_offset(value, member.offset))) return false;
    }
    return json.size() == type.members.size() || place_.refuse("has members that the type does not have");
  }
  bool read_elements(const Json& json, const ValueType& element, void* first) {
    for (std::size_t i = 0; i < json.size(); ++i) {
      const JsonPlace::Part part(place_, i);
      if (!read(json[i], element, at_offset(first, i * element.size))) return false;
    }
    return true;
  }
  bool read_optional(const Json& json, const ValueType& type, void* value) {
    if (json.is_null()) {
      type.resize(value, 0);
      return true;
    }
    if (type.element->kind != ValueKind::optional) return read(json, *type.element, type.resize(value, 1));
    if (!json.is_array() || json.size() != 1) return place_.refuse("is not a list of one value");
    return read_elements(json, *type.element, type.resize(value, 1));
  }
  bool read_bytes(const Json& json, const ValueType& type, void* value) {
    std::vector<std::byte> bytes;
    if (!from_hex(json, bytes)) return place_.refuse("is not a text of bytes, such as \"0x01ff\"");
    if (type.kind == ValueKind::bytes) {
      if (bytes.size() != type.size)
        return place_.refuse("is not a text of " + std::to_string(type.size) + " bytes");
      std::memcpy(value, bytes.data(), bytes.size());
      return true;
    }
    ByteReader reader(bytes);
    return (type.read(value, reader) && !reader.failed() && reader.left() == 0) ||
           place_.refuse("is not a value of its type");
  }

  JsonPlace& place_;
  const std::function<bool(const std::string&, Entity&)>& find_;
};

}  // namespace

Json text_to_json(std::string_view text) {
  for (std::string_view left = text; !left.empty();) {
    const std::size_t size = size_of_character(left);
    if (size == 0) return Json{{"bytes", to_hex(std::as_bytes(std::span(text)))}};
    left.remove_prefix(size);
  }
  return std::string(text);
}

bool json_to_text(const Json& json, std::string& text) {
  if (json.is_string()) {
    text = json.get<std::string>();
    return true;
  }
  std::vector<std::byte> bytes;
  if (!json.is_object() || json.size() != 1 || !json.contains("bytes") || !from_hex(json["bytes"], bytes))
    return false;
  text.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return true;
}

Json value_to_json(const ValueType& type, const void* value, const std::function<std::string(Entity)>& name) {
  switch (type.kind) {
    case ValueKind::boolean:
      return read_as<bool>(value);
    case ValueKind::integer:
    case ValueKind::natural:
      return with_number_type(type, [&](auto number) { return Json(read_as<decltype(number)>(value)); });
    case ValueKind::real:
      return type.size == 4 ? real_to_json(read_as<float>(value)) : real_to_json(read_as<double>(value));
    case ValueKind::entity:
      return name(read_as<Entity>(value));
    case ValueKind::structure: {
      Json json = Json::object();
      for (const ValueMember& member : type.members)
        json[std::string(member.name)] = value_to_json(*member.type, at_offset(value, member.offset), name);
      return json;
    }
    case ValueKind::array:
      return elements_to_json(*type.element, value, type.count, name);
    case ValueKind::list:
      return elements_to_json(*type.element, type.elements(value), type.size_of(value), name);
    case ValueKind::optional: {
      if (type.size_of(value) == 0) return nullptr;
      const bool is_nested = type.element->kind == ValueKind::optional;
      return is_nested ? elements_to_json(*type.element, type.elements(value), 1, name)
                       : value_to_json(*type.element, type.elements(value), name);
    }
    case ValueKind::text:
      return text_to_json({static_cast<const char*>(type.elements(value)), type.size_of(value)});
    case ValueKind::bytes:
      return to_hex({static_cast<const std::byte*>(value), type.size});
    case ValueKind::own_format: {
      ByteWriter writer;
      type.write(value, writer);
      return to_hex(writer.written());
    }
  }
  return nullptr;
}

bool json_to_value(const Json& json, const ValueType& type, void* value, JsonPlace& place,
                   const std::function<bool(const std::string&, Entity&)>& find) {
  return ValueJsonReader(place, find).read(json, type, value);
}

}  // namespace strata::detail
