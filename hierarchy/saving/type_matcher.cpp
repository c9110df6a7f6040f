#include "type_matcher.hpp"

#include <algorithm>
#include <utility>

namespace strata::detail {
namespace {

/// Returns: the type that stands for the values of a tag: a structure without members, because a tag has no values.
const ValueType& type_of_tag() {
  static constexpr ValueType kNothing;
  return kNothing;
}

}  // namespace

const Migration* TypeMatcher::find_migration(std::string_view saved_name) const {
  const auto found = std::ranges::find(state_.rules.migrations, saved_name, &Migration::saved_name);
  return found != state_.rules.migrations.end() ? &*found : nullptr;
}

bool TypeMatcher::is_as_in_file(const SavedValues& saved, const ValueType* to) {
  if (to == nullptr || saved.type == nullptr) return to == saved.type;
  return are_written_alike(*saved.type, *to);
}

std::string TypeMatcher::describe_difference(const SavedValues& saved, const ValueType& to) const {
  using Kind = TypeDifference::Kind;
  std::vector<TypeDifference> differences;
  static_cast<void>(plan_conversion(*saved.type, to, {}, differences));
  std::string text = " has other members in the program";
  if (!differences.empty() && !differences.front().path.empty()) {
    const auto& [kind, path] = differences.front();
    text += ": " + in_quotes(path) +
            (kind == Kind::filled_in  ? " is not in the file"
             : kind == Kind::left_out ? " is in the file only"
                                      : " has another type");
  }
  if (state_.rules.changed == ChangedComponents::refuse)
    text += "; set LoadOptions::changed to convert or skip it, or give a migration";
  return text;
}

bool TypeMatcher::plan(SavedValues& saved, const ValueType* to, const Migration* how) {
  using Kind = TypeDifference::Kind;
  const ValueType& from_type = saved.type != nullptr ? *saved.type : type_of_tag();
  std::vector<TypeDifference> differences;
  saved.conversion = std::make_unique<Conversion>(plan_conversion(
      from_type, to != nullptr ? *to : type_of_tag(),
      how != nullptr ? std::span(how->members) : std::span<const RenamedMember>(), differences));
  saved.convert = how != nullptr ? how->convert : nullptr;
  for (const TypeDifference& difference : differences) {
    const std::string which = difference.path.empty() ? "" : "." + difference.path;
    if (difference.kind == Kind::impossible && saved.convert == nullptr)
      return state_.refuse(in_quotes(saved.name + which) +
                           " cannot be converted to its type in the program: give a Migration with convert");
    const bool is_filled = difference.kind == Kind::filled_in;
    const bool is_left_out = difference.kind == Kind::left_out;
    note(is_filled     ? LoadNote::Kind::filled_in
         : is_left_out ? LoadNote::Kind::left_out
                       : LoadNote::Kind::converted,
         saved, difference.path,
         is_filled     ? " is not in the file: it has its initial value"
         : is_left_out ? " is left out: the program does not have it"
                       : " is converted to its type in the program");
  }
  return true;
}

void TypeMatcher::note(LoadNote::Kind kind, const SavedValues& saved, std::string member,
                       const std::string& what) {
  std::string sentence = in_quotes(saved.name + (member.empty() ? "" : '.' + member)) + what;
  state_.notes.push_back({kind, saved.name, std::move(member), std::move(sentence)});
}

}  // namespace strata::detail
