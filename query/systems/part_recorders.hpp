// PartRecorders: the command buffers of a system whose rows are visited by several threads, one for each part of the
// rows.
#pragma once

#include <cstddef>
#include <vector>

#include "../../storage/apart_recorders.hpp"

namespace strata::detail {

/// Records the commands (changes of the world, to be made later) of a system whose rows are visited by several threads
/// (System::par). The rows are divided into parts. One thread visits a part, and each part has a command buffer of its
/// own. At the end, `merge` moves the commands of all parts to the buffer of the system, in the order of the parts,
/// which is the order of the rows. So the order of the commands does not depend on which thread has visited a part, or
/// when.
///
/// Threads: one at a time, except that several threads may each record in a part of their own.
class PartRecorders {
 public:
  /// The rows of a system that records commands are divided into at most this number of parts, because each part costs
  /// memory: a buffer, some reserved entity handles, and slots (the world's records for entity indices). A part that
  /// creates more entities than it has reserved handles takes every n-th of the new slots, so that no two parts take
  /// the same slot; n is the number of parts of all systems that record at the same time. The new slots in between may
  /// stay unused.
  static constexpr std::size_t kMostParts = 64;

  PartRecorders(const PartRecorders&) = delete;
  PartRecorders& operator=(const PartRecorders&) = delete;
  virtual ~PartRecorders() = default;

  /// Makes sure that there is a recorder for each of `parts` parts.
  /// Errors: std::bad_alloc.
  void prepare(std::size_t parts);
  ApartRecorder& operator[](std::size_t part) { return recorders_[part]; }

  /// Moves the recorded commands of all parts to the buffer of the system.
  /// Errors: std::bad_alloc; the commands of some parts are not moved then.
  void merge();
  /// Discards the commands that `merge` has not moved.
  void drop() noexcept;
  /// Frees the memory of the values that parts have recorded. Does nothing if the buffer of the system has commands,
  /// because commands that `merge` has moved there still use these values.
  void free_values() noexcept;

 protected:
  /// `merged` is the buffer of the system, to which `merge` moves the commands of all parts.
  explicit PartRecorders(CommandBuffer& merged) : merged_(merged) {}

 private:
  /// Returns: a new buffer, for one more part. The buffer lives as long as this object.
  virtual CommandBuffer& make_buffer() = 0;

  CommandBuffer& merged_;
  std::vector<ApartRecorder> recorders_;  // By part.
};

}  // namespace strata::detail
