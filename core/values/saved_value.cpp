#include "saved_value.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "conversion.hpp"
#include "saved_types.hpp"

namespace strata {

namespace {

/// Reads the next value of this type with `from`, which is a reader of `bytes`.
/// Returns: the value; an empty SavedValue if the bytes are no value of the type.
SavedValue next_part(const ValueType& type, std::span<const std::byte> bytes, ByteReader& from) {
  const std::size_t begin = from.position();
  if (!detail::skip_values(type, 1, from)) return {};
  return {type, bytes.subspan(begin, from.position() - begin)};
}

}  // namespace

SavedValue SavedValue::member(std::string_view name) const {
  if (type_ == nullptr || type_->kind != ValueKind::structure) return {};
  ByteReader from(bytes_);
  for (const ValueMember& member : type_->members) {
    const SavedValue value = next_part(*member.type, bytes_, from);
    if (member.name == name) return value;
  }
  return {};
}

std::size_t SavedValue::size() const {
  if (type_ == nullptr) return 0;
  if (type_->kind == ValueKind::array) return type_->count;
  const bool has_size =
      type_->kind == ValueKind::list || type_->kind == ValueKind::optional || type_->kind == ValueKind::text;
  return has_size ? static_cast<std::size_t>(ByteReader(bytes_).read_size()) : 0;
}

SavedValue SavedValue::element(std::size_t index) const {
  if (index >= size() || type_->element == nullptr) return {};
  ByteReader from(bytes_);
  if (type_->kind != ValueKind::array) (void)from.read_size();
  detail::skip_values(*type_->element, index, from);
  return next_part(*type_->element, bytes_, from);
}

bool SavedValue::read_as(const ValueType& to, void* value) const {
  if (type_ == nullptr) return false;
  std::vector<detail::TypeDifference> differences;
  const detail::Conversion conversion = detail::plan_conversion(*type_, to, {}, differences);
  const auto is_impossible = [](const detail::TypeDifference& difference) {
    return difference.kind == detail::TypeDifference::Kind::impossible;
  };
  if (std::ranges::any_of(differences, is_impossible)) return false;
  ByteReader from(bytes_);
  std::string fault;
  return detail::convert_values(conversion, value, 1, from, &fault);
}

}  // namespace strata
