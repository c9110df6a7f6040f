// SystemCommands: the Commands that a system receives.
#pragma once

#include <cstddef>
#include <memory>

#include "../../../query/systems/part_recorders.hpp"
#include "../../../query/systems/system_body.hpp"
#include "../commands.hpp"

namespace strata::detail {

struct WorldParts;

/// The Commands of a system, and those that it receives instead while several threads visit its rows: each part of the
/// rows has Commands of its own (see PartRecorders).
class SystemCommands {
 public:
  STRATA_API explicit SystemCommands(WorldParts& parts);

  /// Returns: what the system receives in a SystemCall for this part of its rows.
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

  // Declared first, because `commands_` may refer to values that were recorded for parts.
  std::unique_ptr<Parts> parts_;
  Commands commands_;
};

}  // namespace strata::detail
