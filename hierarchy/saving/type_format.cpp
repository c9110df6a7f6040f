#include "type_format.hpp"

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

}  // namespace strata::detail
