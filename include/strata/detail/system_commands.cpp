#include "system_commands.hpp"

#include <vector>

#include "world_parts.hpp"

namespace strata::detail {

/// Holds one Commands for each of the parts into which a system's rows are divided for several threads. Makes further
/// ones when the rows are divided into more parts than before.
class SystemCommands::AllParts final : public Parts {
 public:
  AllParts(WorldParts& world, CommandBuffer& merged) : Parts(merged), world_(world) {}

  Commands& of(std::size_t part) override { return *commands_[part]; }

 private:
  CommandBuffer& make_buffer() override {
    commands_.push_back(
        std::make_unique<Commands>(world_.store, world_.hierarchy, world_.layers, world_.states));
    return commands_.back()->buffer();
  }

  WorldParts& world_;
  std::vector<std::unique_ptr<Commands>> commands_;
};

SystemCommands::SystemCommands(WorldParts& parts)
    : commands_(parts.store, parts.hierarchy, parts.layers, parts.states) {
  commands_.buffer().limit_rounds(parts.commands.buffer().most_rounds());
  parts_ = std::make_unique<AllParts>(parts, commands_.buffer());
}

}  // namespace strata::detail
