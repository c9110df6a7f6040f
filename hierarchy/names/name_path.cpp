#include "name_path.hpp"

#include <algorithm>

namespace strata::detail {

std::size_t escaped_size(std::string_view name) noexcept {
  return name.size() + static_cast<std::size_t>(std::count_if(name.begin(), name.end(), is_escaped));
}

char* write_escaped(std::string_view name, char* end) noexcept {
  for (auto character = name.rbegin(); character != name.rend(); ++character) {
    *--end = *character;
    if (is_escaped(*character)) *--end = kNameEscape;
  }
  return end;
}

bool NamePath::next() {
  if (at_end_) return false;
  std::size_t size = 0;
  while (size < left_.size() && !is_escaped(left_[size])) ++size;
  if (size < left_.size() && left_[size] == kNameEscape) return read_escaped();
  name_ = left_.substr(0, size);
  at_end_ = size == left_.size();
  if (!at_end_) left_.remove_prefix(size + 1);
  if (name_.empty()) at_end_ = false;
  return !name_.empty();
}

/// Does the work of `next` for a name that contains escape characters: copies the name to `unescaped_`, without the
/// escape character before each escaped character.
/// Returns: false if the path ends with an escape character, so that no character follows it.
bool NamePath::read_escaped() {
  unescaped_.clear();
  std::size_t position = 0;
  for (; position < left_.size() && left_[position] != kNameSeparator; ++position) {
    if (left_[position] == kNameEscape && ++position == left_.size()) return false;
    unescaped_.push_back(left_[position]);
  }
  name_ = unescaped_;
  at_end_ = position == left_.size();
  if (!at_end_) left_.remove_prefix(position + 1);
  return true;
}

}  // namespace strata::detail
