// SubtreeParts: divides the rows of successive depths of the hierarchy into parts for several threads. A child is in
// the same part as its parent, so no thread has to wait for another one between these depths.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "../batches/piece_cursor.hpp"

namespace strata::detail {

/// A piece of the rows of a depth (see TablePiece), and the index of the part that these rows belong to.
struct PartPiece {
  TablePiece piece;
  std::uint32_t part;
};

/// Divides the rows of neighbouring depths into parts, from the top down. The rows of the first depth are divided
/// evenly (`begin`), or so that siblings are in one part (`begin_by_parents`). Each row of the following depths gets
/// the part of its parent (`descend`). So a visit of one part of these depths neither reads nor writes parents or
/// children of rows in another part. If the rows of a table are sorted in the order of their parents' rows, the rows of
/// one part are adjacent in the table; otherwise they may be many short runs.
///
/// The parts depend only on the world and on the arguments, not on the number of threads.
/// Contract: `Matcher::prepare` was called, so that the places of the parents' rows are known; no structural change
/// while this object is in use.
class SubtreeParts {
 public:
  explicit SubtreeParts(const Matcher& matcher) : matcher_(matcher) {}

  /// Divides the rows of a depth into `parts` parts of about `rows` / `parts` rows, in the order of the rows. `rows` is
  /// the number of rows of the depth, or an estimate. If the depth has more rows, the last part gets the additional
  /// ones. If it has fewer, the last parts are smaller or empty.
  /// Contract: parts > 0.
  void begin(std::span<const TablePiece> depth, std::size_t rows, std::size_t parts);

  /// Divides the rows of a depth into parts of about `rows_per_part` rows, so that siblings are in the same part.
  /// Returns: false if there are no cached locations for the parents of some rows (see Relation::find_origins), or if
  /// the parts of successive rows alternate so often that dividing the depth this way is not worthwhile.
  /// Contract: the rows have parents.
  bool begin_by_parents(std::span<const TablePiece> depth, std::size_t rows_per_part);

  /// Goes to the next depth, whose rows get the parts of their parents.
  /// Returns: false if there are no cached locations for the parents of some rows (see Relation::find_origins), if some
  /// parents are not in the depth above, or if the parts of successive rows alternate so often that dividing the depth
  /// this way is not worthwhile. If so, the next call has to be `begin` or `begin_by_parents`.
  bool descend(std::span<const TablePiece> depth);

  std::size_t parts() const { return part_rows_.size(); }
  /// Returns: for each part, the number of its rows in all depths together: the depth that was passed to the last
  /// `begin` or `begin_by_parents`, and the depths that were passed to `descend` since then.
  std::span<const std::size_t> part_rows() const { return part_rows_; }
  /// Returns: the rows of the depth that was divided last, in their order, as pieces. All rows of a piece belong to the
  /// same part.
  std::span<const PartPiece> pieces() const { return pieces_; }

 private:
  /// A run of rows of a block that have the same part. It begins at the `end` of the previous run of the block (the
  /// first run at row 0), and ends before row `end`.
  struct Run {
    std::uint32_t end;
    std::uint32_t part;
  };
  /// The runs of a block: the elements of Map::runs from index `first_run` up to, but without, `end_run`.
  struct BlockRuns {
    const Block* block;
    std::uint32_t first_run;
    std::uint32_t end_run;
  };
  /// The part of each row of one depth, as runs of rows in the blocks of that depth.
  struct Map {
    std::vector<BlockRuns> blocks;  // After `complete`, in the order of the blocks' addresses.
    std::vector<Run> runs;

    void clear();
    void add(const Block& block, std::uint32_t end, std::uint32_t part);
    void complete();
    const BlockRuns* find(const Block& block) const;
  };
  class Follower;
  class Counter;

  template <class Visitor>
  bool visit(std::span<const TablePiece> depth, Visitor& visitor) const;
  Place find_shared_parent(const PieceCursor& rows) const;
  template <class Visitor>
  bool visit_origins(const PieceCursor& rows, Visitor& visitor) const;
  template <class Visitor>
  bool visit_groups(const PieceCursor& rows, const OriginSegment& segment, const OriginGroup* groups,
                    std::uint32_t end, Visitor& visitor) const;
  template <class Visitor>
  bool visit_rows(const PieceCursor& rows, const OriginSegment& segment, const std::uint16_t* parents,
                  std::uint32_t end, Visitor& visitor) const;
  void start(std::size_t parts);
  bool follow(std::span<const TablePiece> depth);
  void add(const PieceCursor& rows, std::uint32_t row, std::uint32_t count, std::uint32_t part);

  const Matcher& matcher_;
  Map above_;
  Map present_;
  std::vector<PartPiece> pieces_;
  std::vector<std::size_t> part_rows_;
};

}  // namespace strata::detail
