#include "value_copies.hpp"

#include <cstring>

#include "../../core/value_buffer.hpp"
#include "../../core/values/value_bytes.hpp"

namespace strata::detail {
namespace {

/// Builds copies of `count` values in the uninitialised memory `to`. Values whose type has no copy constructor are
/// written as bytes and read again.
/// Errors: std::bad_alloc, and what copying or the program's functions for writing and reading (see members_of) throw;
/// there are no copies then.
void build_copies(const ComponentInfo& info, void* to, const void* from, std::uint32_t count) {
  if (info.can_copy()) return info.copy_values(to, from, count);
  ByteWriter writer;
  write_values(*info.value, from, count, writer);
  info.value->make != nullptr ? info.value->make(to, count)
                              : static_cast<void>(std::memset(to, 0, count * info.size));
  Rollback destroy([&] { info.destroy_values(to, count); });
  ByteReader reader(writer.written());
  STRATA_EXPECTS(read_values(*info.value, to, count, reader),
                 "component \"" + info.name + "\" does not read what it writes: correct its OwnFormat");
  destroy.dismiss();
}

}  // namespace

void ValueCopies::build_rows() {
  // Look-ups by handle do not find the new entities yet (see NewEntities::hide_entities). So find their rows by `runs`,
  // the list of new rows.
  EntityTransfer::for_each_pair(
      transfer_.rows(), made_.runs(), [&](Place here, Place there, std::uint32_t count) {
        for (const Column& column : here.block->format->columns()) {
          const ComponentId id = transfer_.components().find(column.id);
          if (id == Registry::kUnknown) continue;
          const void* const from = here.block->value(column.prefix, here.row, column.size);
          void* const to = there.block->value(there.block->format->prefix_of(id), there.row, column.size);
          made_.build(*column.component, to, count,
                      [&](void* values) { build_copies(*column.component, values, from, count); });
        }
      });
}

void ValueCopies::build_members() {
  for (const EntityTransfer::Members& members : transfer_.members()) {
    const ComponentInfo& info = members.pool->component();
    SparsePool& pool = transfer_.to().store.side().get(transfer_.components().find(members.pool->id()));
    ValueBuffer buffer(info, transfer_.to().store.memory());
    for (const std::uint32_t position : members.positions) {
      const Entity original = transfer_.entities()[position];
      made_.insert(pool, transfer_.created()[position], buffer,
                   [&](void* to) { build_copies(info, to, members.pool->find(original), 1); });
    }
  }
}

}  // namespace strata::detail
