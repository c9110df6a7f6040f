#include "text.hpp"

#include <algorithm>
#include <cstdio>

namespace scene {
namespace {

bool is_continuation(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}

/// Where the character that begins at `begin` ends.
std::size_t character_end(std::string_view text, std::size_t begin) {
  std::size_t end = begin + 1;
  while (end < text.size() && is_continuation(text[end])) ++end;
  return end;
}

/// Whether the bytes are one well-formed character, and no control: C0, delete, or C1 (U+0080 to U+009F).
bool is_legible(std::string_view character) {
  const auto lead = static_cast<unsigned char>(character[0]);
  if (lead < 0x80) return character.size() == 1 && lead >= 0x20 && lead != 0x7F;
  if (lead == 0xC2) return character.size() == 2 && static_cast<unsigned char>(character[1]) >= 0xA0;
  return lead > 0xC2 && lead < 0xF5 && character.size() == (lead < 0xE0 ? 2U : lead < 0xF0 ? 3U : 4U);
}

}  // namespace

std::string printable(std::string_view text, std::size_t max_width) {
  std::string result;
  const bool too_long = width_of(text) > max_width;
  std::size_t room = too_long ? max_width - 1 : max_width;
  for (std::size_t begin = 0; begin < text.size() && room > 0; --room) {
    const std::size_t end = character_end(text, begin);
    const std::string_view character = text.substr(begin, end - begin);
    result += is_legible(character) ? character : "?";
    begin = end;
  }
  if (too_long) result += "\u2026";
  return result;
}

std::size_t width_of(std::string_view text) {
  const auto continuations = std::count_if(text.begin(), text.end(), is_continuation);
  return text.size() - static_cast<std::size_t>(continuations);
}

std::string grouped(std::size_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t place = digits.size(); place > 3; place -= 3) digits.insert(place - 3, 1, ',');
  return digits;
}

std::string fixed(double number, int digits) {
  char buffer[400];  // the largest double has 309 digits
  std::snprintf(buffer, sizeof buffer, "%.*f", digits, number);
  return buffer;
}

std::string scientific(double number) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%.3e", number);
  return buffer;
}

std::string counted(std::size_t number, const std::string& noun) {
  return grouped(number) + ' ' + noun + (number == 1 ? "" : "s");
}

}  // namespace scene
