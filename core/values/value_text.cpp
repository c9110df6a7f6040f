#include "value_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstring>

#include "../entity.hpp"
#include "byte_stream.hpp"
#include "value_bytes.hpp"

namespace strata {
namespace {

template <class T>
T read_as(const void* value) {
  T number;
  std::memcpy(&number, value, sizeof number);
  return number;
}

void append_bytes(std::string& text, std::span<const std::byte> bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  text += "0x";
  for (const std::byte byte : bytes) {
    text += kDigits[std::to_integer<unsigned>(byte) >> 4];
    text += kDigits[std::to_integer<unsigned>(byte) & 15];
  }
}

template <class T>
void append_number(std::string& text, T number) {
  std::array<char, 32> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  text.append(digits.data(), end);
}

/// Appends a real number. A NaN is written with its bits, so that different NaNs have different texts.
template <class T>
void append_real(std::string& text, T number) {
  if (!std::isnan(number)) return append_number(text, number);
  text += "nan:";
  const std::uint64_t bits = detail::bits_of(number);
  std::array<char, 16> digits;
  text.append(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), bits, 16).ptr);
}

void append_integer(std::string& text, const ValueType& type, const void* value) {
  const bool has_sign = type.kind == ValueKind::integer;
  const auto append = [&](auto natural, auto integer) {
    has_sign ? append_number(text, read_as<decltype(integer)>(value))
             : append_number(text, read_as<decltype(natural)>(value));
  };
  switch (type.size) {
    case 1:
      return has_sign ? append_number(text, int{read_as<signed char>(value)})
                      : append_number(text, int{read_as<unsigned char>(value)});
    case 2:
      return append(std::uint16_t(), std::int16_t());
    case 4:
      return append(std::uint32_t(), std::int32_t());
    default:
      return append(std::uint64_t(), std::int64_t());
  }
}

/// Appends a text in quotation marks, with a backslash before each quotation mark and backslash in it. The text stays
/// on one line, because control characters such as line breaks are written as `\x` and two hexadecimal digits.
void append_quoted(std::string& text, std::string_view quoted) {
  text += '"';
  for (const char character : quoted) {
    if (character == '"' || character == '\\') {
      text += {'\\', character};
    } else if (static_cast<unsigned char>(character) < 0x20 || character == 0x7F) {
      text += "\\x";
      std::string hex;
      append_bytes(hex, std::as_bytes(std::span(&character, 1)));
      text += hex.substr(2);
    } else {
      text += character;
    }
  }
  text += '"';
}

void append_value(std::string& text, const ValueType& type, const void* value);

void append_elements(std::string& text, const ValueType& type, const void* first, std::size_t count) {
  text += '[';
  for (std::size_t i = 0; i < count; ++i) {
    if (i != 0) text += ", ";
    append_value(text, *type.element, detail::at_offset(first, i * type.element->size));
  }
  text += ']';
}

void append_members(std::string& text, const ValueType& type, const void* value) {
  text += '{';
  for (const ValueMember& member : type.members) {
    if (&member != type.members.data()) text += ", ";
    text.append(member.name).append(": ");
    append_value(text, *member.type, detail::at_offset(value, member.offset));
  }
  text += '}';
}

void append_written(std::string& text, const ValueType& type, const void* value) {
  ByteWriter writer;
  if (type.kind == ValueKind::own_format) {
    type.write(value, writer);
  } else {
    detail::write_values(type, value, 1, writer);
  }
  append_bytes(text, writer.written());
}

void append_value(std::string& text, const ValueType& type, const void* value) {
  switch (type.kind) {
    case ValueKind::boolean:
      text += read_as<bool>(value) ? "true" : "false";
      return;
    case ValueKind::integer:
    case ValueKind::natural:
      return append_integer(text, type, value);
    case ValueKind::real:
      return type.size == 4 ? append_real(text, read_as<float>(value))
                            : append_real(text, read_as<double>(value));
    case ValueKind::entity:
      text += to_string(read_as<Entity>(value));
      return;
    case ValueKind::structure:
      return append_members(text, type, value);
    case ValueKind::array:
      return append_elements(text, type, value, type.count);
    case ValueKind::list:
      return append_elements(text, type, type.elements(value), type.size_of(value));
    case ValueKind::optional:
      if (type.size_of(value) != 0) return append_value(text, *type.element, type.elements(value));
      text += "none";
      return;
    case ValueKind::text:
      return append_quoted(text, {static_cast<const char*>(type.elements(value)), type.size_of(value)});
    case ValueKind::bytes:
    case ValueKind::own_format:
      return append_written(text, type, value);
  }
}

bool are_equal(const ValueType& type, const void* first, const void* second) {
  ByteWriter a;
  ByteWriter b;
  detail::write_values(type, first, 1, a);
  detail::write_values(type, second, 1, b);
  return std::equal(a.written().begin(), a.written().end(), b.written().begin(), b.written().end());
}

/// Finds the first difference of two values: each step goes one level deeper, into the first part that differs.
class DifferenceSearch {
 public:
  DifferenceSearch(const ValueType& type, const void* first, const void* second)
      : type_(&type), first_(first), second_(second) {}

  ValueDifference find() {
    if (are_equal(*type_, first_, second_)) return {};
    while (enter_part()) continue;
    return {std::move(path_), to_text(*type_, first_), to_text(*type_, second_)};
  }

 private:
  /// Replaces `first_` and `second_`, which differ, by the first pair of their members or elements that differ. Appends
  /// the member's name or the element's index to `path_`; nothing for the value of an optional.
  /// Returns: false if there is no such pair, so that the values differ only as a whole; also false if they are lists
  /// with different numbers of elements, or one of them is an optional without a value.
  bool enter_part() {
    const std::span<const ValueMember> members = type_->members;
    for (const ValueMember& member : members) {
      const std::string step = (path_.empty() ? "" : ".") + std::string(member.name);
      if (enter(*member.type, step, detail::at_offset(first_, member.offset),
                detail::at_offset(second_, member.offset)))
        return true;
    }
    if (type_->element == nullptr) return false;
    const bool is_array = type_->kind == ValueKind::array;
    const std::size_t size = is_array ? type_->count : type_->size_of(first_);
    if (!is_array && size != type_->size_of(second_)) return false;
    const void* const first = is_array ? first_ : type_->elements(first_);
    const void* const second = is_array ? second_ : type_->elements(second_);
    const ValueType& element = *type_->element;
    for (std::size_t i = 0; i < size; ++i) {
      const std::string step = type_->kind == ValueKind::optional ? "" : '[' + std::to_string(i) + ']';
      if (enter(element, step, detail::at_offset(first, i * element.size),
                detail::at_offset(second, i * element.size)))
        return true;
    }
    return false;
  }
  bool enter(const ValueType& type, const std::string& step, const void* first, const void* second) {
    if (are_equal(type, first, second)) return false;
    path_ += step;
    type_ = &type;
    first_ = first;
    second_ = second;
    return true;
  }

  const ValueType* type_;
  const void* first_;
  const void* second_;
  std::string path_;
};

}  // namespace

std::string to_text(const ValueType& type, const void* value) {
  std::string text;
  append_value(text, type, value);
  return text;
}

ValueDifference find_difference(const ValueType& type, const void* first, const void* second) {
  return DifferenceSearch(type, first, second).find();
}

}  // namespace strata
