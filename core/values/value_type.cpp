#include "value_type.hpp"

#include <algorithm>
#include <vector>

namespace strata::detail {
namespace {

using Path = std::vector<const ValueType*>;

bool has_number_size(std::size_t size) {
  return size == 1 || size == 2 || size == 4 || size == 8;
}

/// Returns: what is wrong with the type itself, apart from its members, as the end of a sentence ("is a boolean of
/// another size than bool"); empty if nothing is wrong.
std::string find_own_fault(const ValueType& type) {
  const bool is_sequence = type.kind == ValueKind::list || type.kind == ValueKind::optional;
  switch (type.kind) {
    case ValueKind::boolean:
      return type.size == sizeof(bool) ? "" : "is a boolean of another size than bool";
    case ValueKind::integer:
    case ValueKind::natural:
      return has_number_size(type.size) ? "" : "is a number that has not 1, 2, 4 or 8 bytes";
    case ValueKind::real:
      return type.size == 4 || type.size == 8 ? "" : "is a real number that has not 4 or 8 bytes";
    case ValueKind::entity:
      return type.size == 8 ? "" : "is an entity handle that has not 8 bytes";
    case ValueKind::array:
    case ValueKind::list:
    case ValueKind::optional:
    case ValueKind::text:
      if (type.kind != ValueKind::text && type.element == nullptr) return "has no type of its elements";
      if (type.kind == ValueKind::array)
        return type.count == 0 || type.size == type.count * type.element->size
                   ? ""
                   : "is an array of another size than its elements";
      if (type.size_of == nullptr || type.elements == nullptr || type.resize == nullptr)
        return "lacks one of the functions size_of, elements and resize";
      return is_sequence && type.element->size == 0 ? "has elements without a size" : "";
    case ValueKind::own_format:
      return type.write != nullptr && type.read != nullptr ? "" : "lacks one of the functions write and read";
    case ValueKind::structure:
    case ValueKind::bytes:
      return "";
  }
  return "is of an unknown kind";
}

/// Returns: what is wrong with a member of a structure: with its name, or because it has no type or does not fit into
/// the structure. Empty if nothing is wrong. Does not look for faults in what the member's type describes.
std::string find_member_fault(const ValueType& type, std::size_t index) {
  const ValueMember& member = type.members[index];
  if (member.name.empty()) return "has a member without a name";
  const std::string named = "has a member \"" + std::string(member.name) + "\" ";
  for (std::size_t i = 0; i < index; ++i) {
    if (type.members[i].name == member.name) return named + "twice";
  }
  if (member.type == nullptr) return named + "without a type";
  const bool fits = member.offset <= type.size && member.type->size <= type.size - member.offset;
  return fits ? "" : named + "that does not fit into it";
}

std::string find_fault_in(const ValueType& type, const std::string& name, Path& path) {
  const std::string subject = name.empty() ? "the value" : "\"" + name + '"';
  if (path.size() == kMaxNesting || std::find(path.begin(), path.end(), &type) != path.end())
    return subject + " contains itself, or is nested too deeply";
  if (const std::string fault = find_own_fault(type); !fault.empty()) return subject + ' ' + fault;
  path.push_back(&type);
  std::string fault;
  for (std::size_t i = 0; i < type.members.size() && fault.empty(); ++i) {
    fault = find_member_fault(type, i);
    if (!fault.empty()) {
      fault.insert(0, subject + ' ');
    } else {
      const ValueMember& member = type.members[i];
      fault = find_fault_in(*member.type, (name.empty() ? "" : name + '.') + std::string(member.name), path);
    }
  }
  if (type.element != nullptr && fault.empty()) fault = find_fault_in(*type.element, name + "[]", path);
  path.pop_back();
  if (fault.empty() && type.kind == ValueKind::list && least_bytes(*type.element) == 0)
    return subject + " has elements that take no bytes";
  return fault;
}

}  // namespace

std::string find_fault(const ValueType& type) {
  Path path;
  return find_fault_in(type, "", path);
}

namespace {

/// Calls `visit(type)` for a type and the types inside it, down to kMaxNesting levels, until a call returns true.
/// Returns: whether a call returned true.
template <class Visit>
bool any_of(const ValueType& type, Visit visit, std::size_t depth = 0) {
  if (visit(type)) return true;
  if (depth == kMaxNesting) return false;  // Nested too deeply: find_fault refuses the type.
  for (const ValueMember& member : type.members) {
    if (member.type != nullptr && any_of(*member.type, visit, depth + 1)) return true;
  }
  return type.element != nullptr && any_of(*type.element, visit, depth + 1);
}

}  // namespace

bool has_entities(const ValueType& type) {
  return any_of(type, [](const ValueType& part) { return part.kind == ValueKind::entity; });
}

std::size_t least_bytes(const ValueType& type) {
  switch (type.kind) {
    case ValueKind::structure: {
      std::size_t sum = 0;
      for (const ValueMember& member : type.members) sum += least_bytes(*member.type);
      return sum;
    }
    case ValueKind::array:
      return type.count * least_bytes(*type.element);
    case ValueKind::list:
    case ValueKind::optional:
    case ValueKind::text:
      return 1;  // The size, which takes at least one byte.
    case ValueKind::own_format:
      return 4;
    default:
      return type.size;
  }
}

bool is_unpadded(const ValueType& type) {
  switch (type.kind) {
    case ValueKind::structure: {
      std::size_t end = 0;
      for (const ValueMember& member : type.members) {
        if (member.offset != end || !is_unpadded(*member.type)) return false;
        end += member.type->size;
      }
      return end == type.size;
    }
    case ValueKind::array:
      return is_unpadded(*type.element) && type.size == type.count * type.element->size;
    case ValueKind::integer:
    case ValueKind::natural:
    case ValueKind::real:
    case ValueKind::entity:
    case ValueKind::bytes:
      return true;
    default:
      return false;
  }
}

}  // namespace strata::detail
