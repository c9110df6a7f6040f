#include "value_bytes.hpp"

#include <bit>

#include "../entity_map.hpp"
#include "hash.hpp"

namespace strata::detail {
namespace {

/// Returns: the type of the elements of a text.
const ValueType& character_type() {
  static constexpr ValueType kCharacter{.kind = ValueKind::natural, .size = 1};
  return kCharacter;
}
const ValueType& element_of(const ValueType& type) {
  return type.kind == ValueKind::text ? character_type() : *type.element;
}

/// Returns: the number that is stored at `value` in `bytes` bytes, 8 at most, in the byte order of this machine.
std::uint64_t load_number(const void* value, std::size_t bytes) {
  const auto* const from = static_cast<const unsigned char*>(value);
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < bytes; ++i) {
    const std::size_t at = std::endian::native == std::endian::little ? i : bytes - 1 - i;
    number |= std::uint64_t{from[at]} << (8 * i);
  }
  return number;
}
void store_number(void* value, std::size_t bytes, std::uint64_t number) {
  auto* const to = static_cast<unsigned char*>(value);
  for (std::size_t i = 0; i < bytes; ++i) {
    const std::size_t at = std::endian::native == std::endian::little ? i : bytes - 1 - i;
    to[at] = static_cast<unsigned char>(number >> (8 * i));
  }
}

void write_one(const ValueType& type, const void* value, ByteWriter& writer) {
  switch (type.kind) {
    case ValueKind::structure:
      for (const ValueMember& member : type.members)
        write_values(*member.type, at_offset(value, member.offset), 1, writer);
      return;
    case ValueKind::array:
      return write_values(*type.element, value, type.count, writer);
    case ValueKind::list:
    case ValueKind::optional:
    case ValueKind::text: {
      const std::size_t size = type.size_of(value);
      writer.write_size(size);
      if (size != 0) write_values(element_of(type), type.elements(value), size, writer);
      return;
    }
    case ValueKind::bytes:
      return writer.write_bytes(value, type.size);
    case ValueKind::own_format: {
      const std::size_t begin = writer.begin_part();
      type.write(value, writer);
      return writer.end_part(begin);
    }
    default:
      writer.write_number(load_number(value, type.size), type.size);
  }
}

/// Reads a list, an optional or a text into `value`: first the number of its elements, then the elements.
/// Returns: false if the bytes are not such a value; in that case, the reader has failed.
bool read_elements(const ValueType& type, void* value, ByteReader& reader) {
  const ValueType& element = element_of(type);
  const std::size_t size = read_element_count(type.kind, least_bytes(element), element.size, reader);
  if (reader.failed()) return false;
  void* const elements = type.resize(value, size);
  return size == 0 || read_values(element, elements, size, reader);
}

bool read_one(const ValueType& type, void* value, ByteReader& reader) {
  switch (type.kind) {
    case ValueKind::structure:
      for (const ValueMember& member : type.members) {
        if (!read_values(*member.type, at_offset(value, member.offset), 1, reader)) return false;
      }
      return !reader.failed();
    case ValueKind::array:
      return read_values(*type.element, value, type.count, reader);
    case ValueKind::list:
    case ValueKind::optional:
    case ValueKind::text:
      return read_elements(type, value, reader);
    case ValueKind::own_format: {
      const std::size_t rest = reader.begin_part();
      if (!reader.failed() && !type.read(value, reader)) reader.fail();
      reader.end_part(rest);
      return !reader.failed();
    }
    case ValueKind::boolean: {
      const std::uint64_t number = reader.read_number(1);
      if (number > 1) reader.fail();
      if (!reader.failed()) *static_cast<bool*>(value) = number != 0;
      return !reader.failed();
    }
    default: {
      const std::uint64_t number = reader.read_number(type.size);
      if (!reader.failed()) store_number(value, type.size, number);
      return !reader.failed();
    }
  }
}

}  // namespace

bool can_copy_bytes(const ValueType& type) {
  return type.kind == ValueKind::bytes || (std::endian::native == std::endian::little && is_unpadded(type));
}

void write_values(const ValueType& type, const void* values, std::size_t count, ByteWriter& writer) {
  if (can_copy_bytes(type)) return writer.write_bytes(values, count * type.size);
  for (std::size_t i = 0; i < count; ++i) write_one(type, at_offset(values, i * type.size), writer);
}

std::size_t read_element_count(ValueKind kind, std::size_t least, std::size_t memory, ByteReader& reader) {
  if (kind != ValueKind::optional) return reader.read_count(least, memory);
  const std::uint64_t size = reader.read_size();
  if (size > 1 || !reader.allow(static_cast<std::size_t>(size), memory)) reader.fail();
  return reader.failed() ? 0 : static_cast<std::size_t>(size);
}

bool read_values(const ValueType& type, void* values, std::size_t count, ByteReader& reader) {
  if (can_copy_bytes(type)) {
    const std::byte* const from = reader.read_bytes(count * type.size);
    if (from != nullptr && count != 0) std::memcpy(values, from, count * type.size);
    return from != nullptr || !reader.failed();
  }
  for (std::size_t i = 0; i < count; ++i) {
    if (!read_one(type, at_offset(values, i * type.size), reader)) return false;
  }
  return !reader.failed();
}

std::uint64_t hash_values(const ValueType& type, const void* values, std::size_t count) {
  if (can_copy_bytes(type)) return hash_bytes({static_cast<const std::byte*>(values), count * type.size});
  ByteWriter writer;
  write_values(type, values, count, writer);
  return hash_bytes(writer.written());
}

void remap_references(const ValueType& type, void* values, std::size_t count, const EntityMap& map) {
  if (!has_entities(type)) return;
  for (std::size_t i = 0; i < count; ++i) {
    void* const value = at_offset(values, i * type.size);
    if (type.kind == ValueKind::entity) {
      auto& entity = *static_cast<Entity*>(value);
      entity = map(entity);
    } else if (type.kind == ValueKind::array) {
      remap_references(*type.element, value, type.count, map);
    } else if (type.element != nullptr) {
      const std::size_t size = type.size_of(value);
      // `elements` returns a pointer to const, because its argument is const. The value is not const here, so its
      // elements may be changed.
      if (size != 0) remap_references(*type.element, const_cast<void*>(type.elements(value)), size, map);
    }
    for (const ValueMember& member : type.members)
      remap_references(*member.type, at_offset(value, member.offset), 1, map);
  }
}

}  // namespace strata::detail
