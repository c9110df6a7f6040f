#include "text.hpp"

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <ostream>

namespace scene {
namespace {

bool is_continuation(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}

/// Returns: the number of characters (code points) of UTF-8 text.
std::size_t width_of(std::string_view text) {
  const auto continuations = std::count_if(text.begin(), text.end(), is_continuation);
  return text.size() - static_cast<std::size_t>(continuations);
}

/// Where the character that begins at `begin` ends.
std::size_t character_end(std::string_view text, std::size_t begin) {
  std::size_t end = begin + 1;
  while (end < text.size() && is_continuation(text[end])) ++end;
  return end;
}

constexpr char32_t kIllFormed = 0xFFFF'FFFF;

/// Returns: the code point of one UTF-8 character, or kIllFormed. Longer forms than needed are ill-formed.
char32_t decode(std::string_view character) {
  constexpr char32_t kLeast[] = {0, 0x80, 0x800, 0x1'0000};  // By the number of continuation bytes.
  const auto lead = static_cast<unsigned char>(character[0]);
  if (character.size() > 4) return kIllFormed;
  const std::size_t more = lead < 0x80 ? 0 : lead < 0xC0 ? 4 : lead < 0xE0 ? 1 : lead < 0xF0 ? 2 : 3;
  if (character.size() != more + 1 || lead > 0xF4) return kIllFormed;
  char32_t code = more == 0 ? lead : lead & (0x3FU >> more);
  for (const char byte : character.substr(1)) code = code << 6U | (static_cast<unsigned char>(byte) & 0x3FU);
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  return code < kLeast[more] || code > 0x10'FFFF || surrogate ? kIllFormed : code;
}

/// Whether a character shows as itself: not one that moves the cursor, breaks the line, reorders the text around it
/// or is invisible.
bool is_legible(std::string_view character) {
  struct Range {
    char32_t first, last;
  };
  constexpr Range kHidden[] = {
      {0x0000, 0x001F},    // C0 controls
      {0x007F, 0x009F},    // delete, C1 controls
      {0x00AD, 0x00AD},    // soft hyphen
      {0x034F, 0x034F},    // combining grapheme joiner
      {0x061C, 0x061C},    // Arabic letter mark
      {0x115F, 0x1160},    // Hangul fillers
      {0x17B4, 0x17B5},    // Khmer inherent vowels
      {0x180B, 0x180F},    // Mongolian vowel separator and variation selectors
      {0x200B, 0x200F},    // zero-width characters, left-to-right and right-to-left marks
      {0x2028, 0x202E},    // line and paragraph separator, bidirectional embeddings and overrides
      {0x2060, 0x206F},    // word joiner, invisible operators, bidirectional isolates
      {0x3164, 0x3164},    // Hangul filler
      {0xFEFF, 0xFEFF},    // zero-width no-break space
      {0xFFA0, 0xFFA0},    // half-width Hangul filler
      {0xFFF0, 0xFFFB},    // annotation marks
      {0xE0000, 0xE0FFF},  // tags
      {kIllFormed, kIllFormed},
  };
  const char32_t code = decode(character);
  return std::none_of(std::begin(kHidden), std::end(kHidden),
                      [code](Range range) { return range.first <= code && code <= range.last; });
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

void TextTable::print(std::ostream& out) const {
  std::vector<std::size_t> widths(rows_.front().size(), 0);  // As many columns as titles.
  for (const auto& row : rows_)
    for (std::size_t column = 0; column < row.size(); ++column)
      widths[column] = std::max(widths[column], width_of(row[column]));

  const auto print_row = [&](const std::vector<std::string>& cells) {
    std::string line;
    for (std::size_t column = 0; column < cells.size(); ++column) {
      const std::string padding(widths[column] - width_of(cells[column]), ' ');
      line += "  " + (alignment_.at(column) == 'r' ? padding + cells[column] : cells[column] + padding);
    }
    out << line.erase(line.find_last_not_of(' ') + 1) << '\n';
  };
  print_row(rows_.front());
  std::vector<std::string> rule;
  rule.reserve(widths.size());
  for (const std::size_t width : widths) rule.emplace_back(width, '-');
  print_row(rule);
  std::for_each(rows_.begin() + 1, rows_.end(), print_row);
}

}  // namespace scene
