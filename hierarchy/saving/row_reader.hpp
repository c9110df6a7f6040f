// RowReader: fills the tables and pools (sparse sets) of a world from a file.
#pragma once

#include <vector>

#include "../creation/new_entities.hpp"
#include "chunks.hpp"
#include "load_state.hpp"

namespace strata::detail {

/// Reads rows of tables and members of pools (sparse sets) with their values. The table of a row depends on the parent
/// of its entity, so parents are read before rows (see TreeReader).
class RowReader {
 public:
  explicit RowReader(LoadState& state)
      : state_(state), made_(state.parts.store, state.parts.links, state.parts.rows) {}

  // `read_rows` reads one chunk (part of the file) with rows of tables, `read_members` one with members of a pool.
  // These two functions and `close` return whether what they read or check is valid; if not, the file is refused.

  bool read_rows(ByteReader& from);
  /// Called after all rows were read. Checks that each entity has a row. Also checks the states (such as disabled) that
  /// the file stores as inherited by an entity: exactly those that were set for the subtree of one of its ancestors.
  bool close();
  bool read_members(ByteReader& from);

  /// Returns: the number of rows in all chunks of rows that were read so far.
  std::uint32_t count() const { return rows_; }

 private:
  /// Successive rows of a chunk (a part of the file) that go to one table.
  struct Stretch {
    Table* table;
    std::uint32_t count;
  };

  bool read_signature(ByteReader& from);
  bool is_listed(const SavedComponent& component) const;
  Archetype* read_archetype(ByteReader& from);
  bool read_indices(ByteReader& from, const Archetype& archetype);
  bool plan_rows(Archetype& archetype);
  bool refuse_row(std::uint32_t index);
  bool append_rows();
  bool read_columns(ByteReader& from);
  bool close_states();
  bool read_member(const SavedComponent& component, SparsePool& pool, Entity entity, ValueBuffer& buffer,
                   ByteReader& from);

  LoadState& state_;
  NewEntities made_;
  std::vector<const SavedComponent*> components_;  // Components of the rows of the present chunk.
  std::vector<std::uint32_t> indices_;             // Slot indices of the entities in the present chunk.
  std::vector<Stretch> stretches_;
  std::uint32_t rows_ = 0;  // The number of rows that were read from all chunks.
  bool has_states_ = false;
};

}  // namespace strata::detail
