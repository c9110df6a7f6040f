#include "conversion.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

#include "saved_types.hpp"
#include "value_bytes.hpp"
#include "value_text.hpp"

namespace strata::detail {
namespace {

bool is_number(ValueKind kind) {
  return kind == ValueKind::boolean || kind == ValueKind::integer || kind == ValueKind::natural ||
         kind == ValueKind::real;
}

/// Plans how values of a saved type become values of the program's type. The Conversion for a type contains one
/// Conversion for each member of a structure, or one for all elements of an array, a list or an optional.
class Planner {
 public:
  Planner(std::span<const RenamedMember> renamed, std::vector<TypeDifference>& differences)
      : renamed_(renamed), differences_(differences) {}

  Conversion plan(const ValueType& from, const ValueType& to, const std::string& path) {
    using How = Conversion::How;
    Conversion made{.how = How::read, .from = &from, .to = &to, .path = path};
    if (are_written_alike(from, to)) return made;
    if (from.kind == ValueKind::structure && to.kind == ValueKind::structure) {
      made.how = How::structure;
      plan_members(made);
      return made;
    }
    if (is_number(from.kind) && is_number(to.kind)) {
      made.how = How::number;
    } else if (from.kind == to.kind && to.element != nullptr) {
      made.how = to.kind == ValueKind::array ? How::array : How::elements;
      made.parts.push_back(plan(*from.element, *to.element, path + "[]"));
      if (to.kind != ValueKind::array || from.count == to.count) return made;
    } else if (to.kind == ValueKind::optional) {
      made.how = How::wrap;
      made.parts.push_back(plan(from, *to.element, path));
      if (made.parts.back().how == How::skip) {
        made.how = How::skip;
        return made;
      }
    } else {
      made.how = How::skip;
      add(TypeDifference::Kind::impossible, path);
      return made;
    }
    add(TypeDifference::Kind::converted, path);
    return made;
  }

 private:
  void add(TypeDifference::Kind kind, const std::string& path) { differences_.push_back({kind, path}); }

  static std::string path_of(const std::string& above, std::string_view name) {
    return (above.empty() ? "" : above + '.') + std::string(name);
  }

  /// Returns: whether a RenamedMember gives the name `name` to one of the members in the file (those of `made.from`).
  bool is_name_of_renamed(const Conversion& made, std::string_view name) const {
    return std::ranges::any_of(made.from->members, [&](const ValueMember& member) {
      const auto rename = std::ranges::find(renamed_, path_of(made.path, member.name), &RenamedMember::from);
      return rename != renamed_.end() && rename->to == name;
    });
  }

  void plan_members(Conversion& made) {
    std::vector<bool> found(made.to->members.size(), false);
    for (const ValueMember& member : made.from->members) {
      const std::string path = path_of(made.path, member.name);
      const auto rename = std::ranges::find(renamed_, path, &RenamedMember::from);
      const std::string_view name = rename != renamed_.end() ? rename->to : member.name;
      const auto target = std::ranges::find(made.to->members, name, &ValueMember::name);
      const auto index = static_cast<std::size_t>(target - made.to->members.begin());
      const bool is_for_other = rename == renamed_.end() && is_name_of_renamed(made, name);
      if (target == made.to->members.end() || found[index] || is_for_other) {
        made.parts.emplace_back();
        made.parts.back().from = member.type;
        add(TypeDifference::Kind::left_out, path);
        continue;
      }
      found[index] = true;
      const std::size_t before = differences_.size();
      made.parts.push_back(plan(*member.type, *target->type, path));
      made.parts.back().offset = target->offset;
      if (name != member.name && differences_.size() == before) add(TypeDifference::Kind::converted, path);
    }
    for (std::size_t i = 0; i < found.size(); ++i) {
      if (!found[i]) add(TypeDifference::Kind::filled_in, path_of(made.path, made.to->members[i].name));
    }
  }

  std::span<const RenamedMember> renamed_;
  std::vector<TypeDifference>& differences_;
};

/// Calls `visit` with a number 0 that has the C++ type described by `type`, so that `visit` can be a template.
/// Returns: what `visit` returns.
/// Contract: `type` describes a number or a bool.
template <class Visit>
bool with_zero(const ValueType& type, Visit visit) {
  // NOLINTBEGIN(bugprone-branch-clone): the types of the numbers differ.
  if (type.kind == ValueKind::boolean) return visit(false);
  if (type.kind == ValueKind::real) return type.size == 4 ? visit(0.0f) : visit(0.0);
  const bool is_natural = type.kind == ValueKind::natural;
  switch (type.size) {
    case 1:
      return is_natural ? visit(std::uint8_t()) : visit(std::int8_t());
    case 2:
      return is_natural ? visit(std::uint16_t()) : visit(std::int16_t());
    case 4:
      return is_natural ? visit(std::uint32_t()) : visit(std::int32_t());
    default:
      return is_natural ? visit(std::uint64_t()) : visit(std::int64_t());
  }
  // NOLINTEND(bugprone-branch-clone)
}

/// Returns: whether a number can be converted to type To without changing its value. Exception: if both types are float
/// or double, a number in the range of To fits even if the conversion rounds it; infinity and NaN fit, too.
template <class To, class From>
bool fits(From number) {
  if constexpr (std::is_same_v<From, bool>) {
    return fits<To>(static_cast<std::uint8_t>(number));
  } else if constexpr (std::is_same_v<To, bool>) {
    return number == From(0) || number == From(1);
  } else if constexpr (std::is_integral_v<To> && std::is_integral_v<From>) {
    return std::in_range<To>(number);
  } else if constexpr (std::is_integral_v<To>) {
    const double least = static_cast<double>(std::numeric_limits<To>::min());
    const double end = std::ldexp(1.0, std::numeric_limits<To>::digits);
    const double real = number;
    return std::trunc(real) == real && real >= least && real < end;
  } else if constexpr (std::is_integral_v<From>) {
    const To real = static_cast<To>(number);
    return fits<From>(real) && static_cast<From>(real) == number;
  } else {
    return !std::isfinite(number) ||
           std::abs(static_cast<double>(number)) <= static_cast<double>(std::numeric_limits<To>::max());
  }
}

bool convert_number(const Conversion& conversion, void* value, ByteReader& reader, std::string* fault) {
  alignas(8) std::byte bytes[8] = {};
  if (!read_values(*conversion.from, bytes, 1, reader)) return false;
  const bool has_fit = with_zero(*conversion.from, [&]<class From>(From from) {
    std::memcpy(&from, bytes, sizeof from);
    return with_zero(*conversion.to, [&]<class To>(To to) {
      if (!fits<To>(from)) return false;
      to = static_cast<To>(from);  // NOLINT(bugprone-signed-char-misuse): a number, no character
      std::memcpy(value, &to, sizeof to);
      return true;
    });
  });
  if (has_fit || fault == nullptr) return true;
  *fault = "the value " + to_text(*conversion.from, bytes) + " of \"" + conversion.path + "\" does not fit";
  return false;
}

/// Reads a value of the file into an optional of the program. If the value is a number that does not fit and may be
/// skipped (`fault` is null), the optional stays as it was.
/// Returns: false in the cases in which convert_values returns false.
bool wrap_value(const Conversion& conversion, void* value, ByteReader& reader, std::string* fault) {
  const Conversion& part = conversion.parts.front();
  const bool was_set = conversion.to->size_of(value) != 0;
  std::string unfit;
  const bool may_skip = fault == nullptr && part.how == Conversion::How::number;
  void* const inner = conversion.to->resize(value, 1);
  if (convert_values(part, inner, 1, reader, may_skip ? &unfit : fault)) return true;
  if (unfit.empty()) return false;
  if (!was_set) conversion.to->resize(value, 0);
  return true;
}

bool convert_elements(const Conversion& conversion, void* value, ByteReader& reader, std::string* fault) {
  const ValueType& to = *conversion.to;
  const Conversion& part = conversion.parts.front();
  const std::size_t least = least_bytes(*conversion.from->element);
  const std::size_t size = read_element_count(to.kind, least, to.element->size, reader);
  if (reader.failed()) return false;
  if (to.kind == ValueKind::optional && size == 1) {
    return part.how == Conversion::How::skip ? skip_values(*part.from, 1, reader)
                                             : wrap_value(conversion, value, reader, fault);
  }
  void* const elements = to.resize(value, size);
  return convert_values(part, elements, size, reader, fault);
}

bool convert_one(const Conversion& conversion, void* value, ByteReader& reader, std::string* fault) {
  switch (conversion.how) {
    case Conversion::How::number:
      return convert_number(conversion, value, reader, fault);
    case Conversion::How::structure:
      for (const Conversion& part : conversion.parts) {
        if (!convert_values(part, at_offset(value, part.offset), 1, reader, fault)) return false;
      }
      return true;
    case Conversion::How::array: {
      const std::size_t count = std::min(conversion.from->count, conversion.to->count);
      return convert_values(conversion.parts.front(), value, count, reader, fault) &&
             skip_values(*conversion.from->element, conversion.from->count - count, reader);
    }
    case Conversion::How::elements:
      return convert_elements(conversion, value, reader, fault);
    case Conversion::How::wrap:
      return wrap_value(conversion, value, reader, fault);
    case Conversion::How::read:
    case Conversion::How::skip:
      break;
  }
  return false;
}

}  // namespace

Conversion plan_conversion(const ValueType& from, const ValueType& to, std::span<const RenamedMember> renamed,
                           std::vector<TypeDifference>& differences) {
  return Planner(renamed, differences).plan(from, to, "");
}

bool convert_values(const Conversion& conversion, void* values, std::size_t count, ByteReader& reader,
                    std::string* fault) {
  if (conversion.how == Conversion::How::skip) return skip_values(*conversion.from, count, reader);
  if (conversion.how == Conversion::How::read) return read_values(*conversion.to, values, count, reader);
  for (std::size_t i = 0; i < count; ++i) {
    if (!convert_one(conversion, at_offset(values, i * conversion.to->size), reader, fault)) return false;
  }
  return true;
}

}  // namespace strata::detail
