#include "saved_types.hpp"

#include <algorithm>

namespace strata::detail {

void write_type(const ValueType& type, ByteWriter& writer) {
  writer.write(type.kind);
  switch (type.kind) {
    case ValueKind::structure:
      writer.write_size(type.members.size());
      for (const ValueMember& member : type.members) {
        writer.write_text(member.name);
        write_type(*member.type, writer);
      }
      return;
    case ValueKind::array:
      writer.write_size(type.count);
      return write_type(*type.element, writer);
    case ValueKind::list:
    case ValueKind::optional:
      return write_type(*type.element, writer);
    case ValueKind::text:
    case ValueKind::own_format:
      return;
    default:
      writer.write_size(type.size);
  }
}

bool are_written_alike(const ValueType& first, const ValueType& second) {
  ByteWriter of_first;
  ByteWriter of_second;
  write_type(first, of_first);
  write_type(second, of_second);
  return std::ranges::equal(of_first.written(), of_second.written());
}

namespace {

/// The most bytes that a value may take in a file, not counting the elements of lists, optionals and texts. A
/// description of a type with larger values, for example in a damaged file, is refused.
constexpr std::size_t kMostBytes = std::size_t{1} << 40;

bool has_size_of_kind(const ValueType& type) {
  switch (type.kind) {
    case ValueKind::boolean:
      return type.size == 1;
    case ValueKind::integer:
    case ValueKind::natural:
      return type.size == 1 || type.size == 2 || type.size == 4 || type.size == 8;
    case ValueKind::real:
      return type.size == 4 || type.size == 8;
    case ValueKind::entity:
      return type.size == 8;
    default:
      return type.size <= kMostBytes;
  }
}

/// Returns: whether every value of a type is written in exactly `least_bytes(type)` bytes.
bool has_fixed_bytes(const ValueType& type) {
  switch (type.kind) {
    case ValueKind::structure:
      return std::ranges::all_of(type.members,
                                 [](const ValueMember& member) { return has_fixed_bytes(*member.type); });
    case ValueKind::array:
      return has_fixed_bytes(*type.element);
    case ValueKind::list:
    case ValueKind::optional:
    case ValueKind::text:
    case ValueKind::own_format:
      return false;
    default:
      return true;
  }
}

bool skip_one(const ValueType& type, ByteReader& reader) {
  switch (type.kind) {
    case ValueKind::structure:
      for (const ValueMember& member : type.members) {
        if (!skip_values(*member.type, 1, reader)) return false;
      }
      return true;
    case ValueKind::array:
      return skip_values(*type.element, type.count, reader);
    case ValueKind::list:
      return skip_values(*type.element, reader.read_count(least_bytes(*type.element)), reader);
    case ValueKind::optional: {
      const std::uint64_t count = reader.read_size();
      if (count > 1) reader.fail();
      return count == 0 ? !reader.failed() : skip_values(*type.element, 1, reader);
    }
    case ValueKind::text:
      return reader.read_text().data() != nullptr || !reader.failed();
    case ValueKind::own_format: {
      const auto bytes = reader.read<std::uint32_t>();
      return reader.read_bytes(bytes) != nullptr || !reader.failed();
    }
    default:
      return reader.read_bytes(type.size) != nullptr;
  }
}

}  // namespace

bool skip_values(const ValueType& type, std::size_t count, ByteReader& reader) {
  if (has_fixed_bytes(type)) {
    const std::size_t bytes = least_bytes(type);
    if (bytes != 0 && count > reader.left() / bytes) reader.fail();
    reader.read_bytes(reader.failed() ? 0 : bytes * count);
    return !reader.failed();
  }
  for (; count != 0 && !reader.failed(); --count) skip_one(type, reader);
  return !reader.failed();
}

const ValueType* SavedTypes::read_nested(ByteReader& reader, std::size_t depth) {
  ValueType type;
  type.kind = reader.read<ValueKind>();
  if (type.kind > ValueKind::own_format || depth == kMaxNesting) reader.fail();
  if (reader.failed() || !read_parts(reader, type, depth) || least_bytes(type) > kMostBytes) {
    reader.fail();
    return nullptr;
  }
  types_.push_back(type);
  return &types_.back();
}

/// Reads the description of a type, except for its kind, which is read already.
/// Returns: false if the description is not valid.
bool SavedTypes::read_parts(ByteReader& reader, ValueType& type, std::size_t depth) {
  switch (type.kind) {
    case ValueKind::structure:
      return read_members(reader, type, depth);
    case ValueKind::array:
      type.count = reader.read_size();
      type.element = read_nested(reader, depth + 1);
      return type.element != nullptr &&
             type.count <= kMostBytes / std::max<std::size_t>(least_bytes(*type.element), 1);
    case ValueKind::list:
    case ValueKind::optional:
      type.element = read_nested(reader, depth + 1);
      return type.element != nullptr && (type.kind != ValueKind::list || least_bytes(*type.element) != 0);
    case ValueKind::text:
    case ValueKind::own_format:
      return true;
    default:
      type.size = reader.read_size();
      return has_size_of_kind(type);
  }
}

bool SavedTypes::read_members(ByteReader& reader, ValueType& type, std::size_t depth) {
  const std::size_t count =
      reader.read_count(2, sizeof(ValueMember) + sizeof(ValueType) + sizeof(std::string));
  std::vector<ValueMember> members(count);
  for (ValueMember& member : members) {
    names_.emplace_back(reader.read_text());
    member.name = names_.back();
    member.type = read_nested(reader, depth + 1);
    if (member.type == nullptr) return false;
  }
  members_.push_back(std::move(members));
  type.members = members_.back();
  return true;
}

}  // namespace strata::detail
