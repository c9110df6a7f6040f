#include "subtree_parts.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <unordered_map>

#include "../matching/matcher.hpp"

namespace strata::detail {
namespace {

/// `begin_by_parents` divides rows into parts, each for one thread. To get parts of about the same size, it first
/// counts the children of the rows' parents. Parents in this number of successive rows share one counter, so all their
/// children are in the same part.
constexpr std::uint32_t kParentsTogether = 16;
/// `count_first` finds out how many successive rows have their parents in one run (successive rows of a block of
/// parents that belong to the same part). It tests the parents of this number of rows at once, by comparing only the
/// lowest and the highest row number of these parents with the first and the last row of the run.
constexpr std::size_t kRowsTogether = 64;
/// Rows are divided into parts, each for one thread; a piece is a run of rows of one block in the same part. A depth
/// with R rows in B blocks is not divided into P parts if that gives more than R / kRowsPerPiece + 2 * (P + B) pieces:
/// then dividing it is not worthwhile.
constexpr std::size_t kRowsPerPiece = 16;

}  // namespace

void SubtreeParts::Map::clear() {
  blocks.clear();
  runs.clear();
}

void SubtreeParts::Map::add(const Block& block, std::uint32_t end, std::uint32_t part) {
  const auto next = static_cast<std::uint32_t>(runs.size());
  if (blocks.empty() || blocks.back().block != &block) {
    blocks.push_back({&block, next, next});
  } else if (runs.back().part == part) {
    runs.back().end = end;
    return;
  }
  runs.push_back({end, part});
  blocks.back().end_run = next + 1;
}

void SubtreeParts::Map::complete() {
  std::sort(blocks.begin(), blocks.end(),
            [](const BlockRuns& a, const BlockRuns& b) { return std::less<>()(a.block, b.block); });
}

const SubtreeParts::BlockRuns* SubtreeParts::Map::find(const Block& block) const {
  const auto found = std::lower_bound(
      blocks.begin(), blocks.end(), &block,
      [](const BlockRuns& runs_of, const Block* sought) { return std::less<>()(runs_of.block, sought); });
  return found != blocks.end() && found->block == &block ? &*found : nullptr;
}

/// Puts each row into the part of its parent. A part is a set of rows for one thread.
class SubtreeParts::Follower {
 public:
  explicit Follower(SubtreeParts& parts) : parts_(parts) {}

  /// Adds `count` rows of the cursor's block, from row `row` on, to the part (rows for one thread) of their parent. The
  /// parent is in row `parent` of the block `origin`.
  /// Returns: false if the parent has no part; then no row has been added. Also false if there are more than
  /// `most_pieces()` pieces with these rows, because the parts of successive rows alternate too often.
  bool take(const PieceCursor& rows, std::uint32_t row, std::uint32_t count, const Block& origin,
            std::uint32_t parent) {
    if ((&origin != origin_ || !has(parent)) && !seek(origin, parent)) return false;
    add(rows, row, count);
    return parts_.pieces_.size() <= most_pieces();
  }
  /// Adds `parents.size()` rows of the cursor's block, from row `row` on, to the parts (rows for one thread) of their
  /// parents. The parent of row `row + i` is in row `parents[i]` of the block `origin`.
  /// Returns: false if a parent has no part, or if the parts of successive rows alternate so often that there are more
  /// than `most_pieces()` pieces. Some of the rows may have been added then.
  bool take_rows(const PieceCursor& rows, std::uint32_t row, std::span<const std::uint16_t> parents,
                 const Block& origin) {
    while (!parents.empty()) {
      const std::size_t count = &origin == origin_ ? count_first(parents) : 0;
      if (count == 0) {
        if (!seek(origin, parents.front())) return false;
        continue;
      }
      add(rows, row, static_cast<std::uint32_t>(count));
      if (parts_.pieces_.size() > most_pieces()) return false;
      row += static_cast<std::uint32_t>(count);
      parents = parents.subspan(count);
    }
    return true;
  }

 private:
  bool has(std::uint32_t parent) const { return parent >= begin_ && parent < end_; }

  /// Returns: how many of the first elements of `parents`, which are row numbers in the block `origin_`, are in the
  /// current run. A run is successive rows of a block of parents that belong to the same part.
  std::size_t count_first(std::span<const std::uint16_t> parents) const {
    std::size_t count = 0;
    for (; count + kRowsTogether <= parents.size(); count += kRowsTogether) {
      std::uint16_t least = parents[count];
      std::uint16_t greatest = least;
      for (const std::uint16_t parent : parents.subspan(count, kRowsTogether)) {
        least = std::min(least, parent);
        greatest = std::max(greatest, parent);
      }
      if (!has(least) || !has(greatest)) break;
    }
    while (count < parents.size() && has(parents[count])) ++count;
    return count;
  }

  std::size_t most_pieces() const {
    return 2 * (parts_.parts() + parts_.present_.blocks.size()) + rows_ / kRowsPerPiece;
  }

  void add(const PieceCursor& rows, std::uint32_t row, std::uint32_t count) {
    parts_.add(rows, row, count, part_);
    rows_ += count;
  }

  /// Finds the run that contains row `parent` of the block `origin`, and makes it the current run. A run is a sequence
  /// of successive rows of a block of parents that belong to the same part.
  /// Returns: false if that row is in no part.
  bool seek(const Block& origin, std::uint32_t parent) {
    if (&origin != origin_) {
      const BlockRuns* const found = parts_.above_.find(origin);
      if (found == nullptr) return false;
      origin_ = &origin;
      runs_ = std::span(parts_.above_.runs).subspan(found->first_run, found->end_run - found->first_run);
    }
    const auto run = std::upper_bound(runs_.begin(), runs_.end(), parent,
                                      [](std::uint32_t row, const Run& of) { return row < of.end; });
    if (run == runs_.end()) return false;
    begin_ = run == runs_.begin() ? 0 : std::prev(run)->end;
    end_ = run->end;
    part_ = run->part;
    return true;
  }

  SubtreeParts& parts_;
  const Block* origin_ = nullptr;
  std::span<const Run> runs_;  // The runs of `origin_`.
  std::uint32_t begin_ = 0;    // The first row of the current run.
  std::uint32_t end_ = 0;      // The row after the last one of the current run.
  std::uint32_t part_ = 0;
  std::size_t rows_ = 0;
};

/// Counts the children of the parents of a depth, so that these parents can be divided into parts with about the same
/// number of children each. There is one counter for each kParentsTogether successive rows in a block of parents.
class SubtreeParts::Counter {
 public:
  bool take(const PieceCursor&, std::uint32_t, std::uint32_t count, const Block& origin,
            std::uint32_t parent) {
    if (blocks_.empty() || &origin != blocks_[present_].block) find(origin);
    children_[blocks_[present_].first + parent / kParentsTogether] += count;
    return true;
  }
  bool take_rows(const PieceCursor& rows, std::uint32_t row, std::span<const std::uint16_t> parents,
                 const Block& origin) {
    for (const std::uint16_t parent : parents) take(rows, row, 1, origin, parent);
    return true;
  }

  /// Divides the rows of parents into parts with about `rows_per_part` children each, and writes the parts to
  /// `map`.
  /// Returns: the number of parts.
  std::uint32_t divide(std::size_t rows_per_part, Map& map) const {
    std::uint32_t part = 0;
    std::size_t rows = 0;
    for (const ParentBlock& of : blocks_) {
      for (std::uint32_t row = 0; row < of.block->count; row += kParentsTogether) {
        if (rows >= rows_per_part) ++part, rows = 0;
        rows += children_[of.first + row / kParentsTogether];
        map.add(*of.block, std::min(row + kParentsTogether, of.block->count), part);
      }
    }
    return part + 1;
  }

 private:
  struct ParentBlock {
    const Block* block;
    std::size_t first;  // Index in `children_` of the block's first counter.
  };

  void find(const Block& origin) {
    const auto [position, is_new] = positions_.try_emplace(&origin, blocks_.size());
    present_ = position->second;
    if (!is_new) return;
    blocks_.push_back({&origin, children_.size()});
    children_.resize(children_.size() + origin.count / kParentsTogether + 1);
  }

  std::vector<ParentBlock> blocks_;  // The blocks of parents, in the order in which they were found.
  std::unordered_map<const Block*, std::size_t> positions_;
  std::size_t present_ = 0;
  std::vector<std::uint32_t> children_;
};

/// Passes all rows of a depth, with the places of their parents' rows, to a visitor: a Follower, which puts each row
/// into the part of its parent, or a Counter, which counts the children of parents.
/// Returns: false if the rows of a table have different parents and the places of these are not cached (see Origins),
/// or if the visitor has returned false.
template <class Visitor>
bool SubtreeParts::visit(std::span<const TablePiece> depth, Visitor& visitor) const {
  for (PieceCursor rows(matcher_, depth); rows.next();) {
    const Place parent = find_shared_parent(rows);
    const std::uint32_t count = rows.end_row() - rows.first_row();
    const bool passed = parent.block != nullptr
                            ? visitor.take(rows, rows.first_row(), count, *parent.block, parent.row)
                            : visit_origins(rows, visitor);
    if (!passed) return false;
  }
  return true;
}

/// Returns: where the parent of the rows of the cursor's block is, if all rows of the table have the same parent; a
/// null block if they have different parents or none.
Place SubtreeParts::find_shared_parent(const PieceCursor& rows) const {
  const Relation& relation = *matcher_.relation();
  const ComponentId id = matcher_.terms()[matcher_.related_terms().front()].id;
  const void* value = nullptr;
  Place place = {};
  if (relation.find_shared(rows.tables().subspan(rows.table(), 1), rows.rank(), id, &value) != 0)
    return place;
  const Block& block = rows.block();
  relation.find_places({block.format->entities(block) + rows.first_row(), 1}, &place);
  return place;
}

template <class Visitor>
bool SubtreeParts::visit_origins(const PieceCursor& rows, Visitor& visitor) const {
  const Origins* const origins = Relation::find_origins(rows.block());
  if (origins == nullptr) return false;
  if (origins->form == Origins::Form::places) {
    for (std::uint32_t row = rows.first_row(); row < rows.end_row(); ++row) {
      const Block* const origin = origins->blocks()[row];
      if (origin == nullptr || !visitor.take(rows, row, 1, *origin, origins->rows()[row])) return false;
    }
    return true;
  }
  for (const OriginSegment& segment : origins->segments()) {
    const std::uint32_t end = std::min(segment.first + segment.count, rows.end_row());
    if (end <= rows.first_row() || segment.first >= end) continue;
    const bool passed = origins->form == Origins::Form::groups
                            ? visit_groups(rows, segment, origins->groups(), end, visitor)
                            : visit_rows(rows, segment, origins->rows(), end, visitor);
    if (!passed) return false;
  }
  return true;
}

template <class Visitor>
bool SubtreeParts::visit_groups(const PieceCursor& rows, const OriginSegment& segment,
                                const OriginGroup* groups, std::uint32_t end, Visitor& visitor) const {
  const OriginGroup* group = groups + segment.first_group;
  for (std::uint32_t row = segment.first; row < end; row += (group++)->count) {
    const std::uint32_t from = std::max(row, rows.first_row());
    const std::uint32_t to = std::min(row + group->count, end);
    if (from < to && !visitor.take(rows, from, to - from, *segment.origin, group->origin)) return false;
  }
  return true;
}

template <class Visitor>
bool SubtreeParts::visit_rows(const PieceCursor& rows, const OriginSegment& segment,
                              const std::uint16_t* parents, std::uint32_t end, Visitor& visitor) const {
  const std::uint32_t row = std::max(segment.first, rows.first_row());
  return visitor.take_rows(rows, row, {parents + row, end - row}, *segment.origin);
}

void SubtreeParts::begin(std::span<const TablePiece> depth, std::size_t rows, std::size_t parts) {
  start(parts);
  std::size_t position = 0;
  std::size_t part = 0;
  for (PieceCursor blocks(matcher_, depth); blocks.next();) {
    for (std::uint32_t row = blocks.first_row(); row < blocks.end_row();) {
      const std::size_t part_end =
          part + 1 < parts ? (part + 1) * rows / parts : std::numeric_limits<std::size_t>::max();
      const auto count =
          static_cast<std::uint32_t>(std::min<std::size_t>(blocks.end_row() - row, part_end - position));
      if (count != 0) add(blocks, row, count, static_cast<std::uint32_t>(part));
      row += count;
      position += count;
      if (position == part_end) ++part;
    }
  }
  present_.complete();
}

bool SubtreeParts::begin_by_parents(std::span<const TablePiece> depth, std::size_t rows_per_part) {
  Counter counter;
  if (!visit(depth, counter)) return false;
  above_.clear();
  start(counter.divide(rows_per_part, above_));
  above_.complete();
  return follow(depth);
}

bool SubtreeParts::descend(std::span<const TablePiece> depth) {
  std::swap(above_, present_);
  present_.clear();
  pieces_.clear();
  return follow(depth);
}

void SubtreeParts::start(std::size_t parts) {
  present_.clear();
  pieces_.clear();
  part_rows_.assign(parts, 0);
}

bool SubtreeParts::follow(std::span<const TablePiece> depth) {
  Follower follower(*this);
  if (!visit(depth, follower)) return false;
  present_.complete();
  return true;
}

/// Adds `count` rows of the cursor's block, from `row` on, to a part.
void SubtreeParts::add(const PieceCursor& rows, std::uint32_t row, std::uint32_t count, std::uint32_t part) {
  part_rows_[part] += count;
  present_.add(rows.block(), row + count, part);
  PartPiece* const last = pieces_.empty() ? nullptr : &pieces_.back();
  if (last != nullptr && last->piece.block == &rows.block() && last->part == part) {
    last->piece.row_end += count;
    return;
  }
  const auto table = static_cast<std::uint32_t>(rows.table());
  const auto match = static_cast<std::uint32_t>(rows.match());
  pieces_.push_back(
      {{rows.tables(), match, rows.rank(), table, table + 1, &rows.block(), row, row + count}, part});
}

}  // namespace strata::detail
