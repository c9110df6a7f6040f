// SystemCommands: holds the Commands object that a system receives. If several threads visit the system's rows, holds
// one more for each part of the rows.
#pragma once

#include <cstddef>
#include <memory>

#include "../../../query/systems/part_recorders.hpp"
#include "../../../query/systems/system_body.hpp"
#include "../commands.hpp"

namespace strata::detail {

struct WorldParts;

/// Holds the Commands that a system receives. If one thread visits all rows of the system, the system receives the
/// object for the whole system. If several threads visit parts of the rows, each part has its own object (see
/// PartRecorders).
class SystemCommands {
 public:
  STRATA_API explicit SystemCommands(WorldParts& parts);

  /// Returns: the Commands that the system receives when it is called for this part of its rows. If `part` is
  /// SystemCall::kAllRows (one thread visits all rows), these are the Commands for the whole system.
  Commands& of(std::size_t part) { return part == SystemCall::kAllRows ? commands_ : parts_->of(part); }

  CommandBuffer& buffer() { return commands_.buffer(); }
  PartRecorders& recorders() { return *parts_; }

 private:
  class Parts : public PartRecorders {
   public:
    using PartRecorders::PartRecorders;
    virtual Commands& of(std::size_t part) = 0;
  };
  class AllParts;

  // Declared before `commands_`, and so destroyed after it: commands that were moved from a part's recorder to
  // `commands_` may still refer to values that the recorder stores.
  std::unique_ptr<Parts> parts_;
  Commands commands_;
};

}  // namespace strata::detail
