#include <doctest/doctest.h>
#include <strata/strata.hpp>

#include <sstream>
#include <string>
#include <vector>

#include "history_turns.hpp"

namespace strata::test::history_model_test {

namespace {

/// A whole copy of a world, as bytes, and in what order its rows and members lie.
struct Copy {
  std::string bytes;
  Order order;
  std::vector<Entity> entities;

  explicit Copy(const World& world, std::vector<Entity> known = {})
      : bytes(saved(world)), order(rows_and_members(world)), entities(std::move(known)) {}

  Disagreement differs(World& world) const {
    if (const Outcome sound = world.validate(); !sound) return "the world is broken: " + sound.message();
    if (saved(world) != bytes) return "the world is saved otherwise";
    if (std::string wrong = wrong_parent(world); !wrong.empty()) return wrong;
    const std::string moved = difference_of(order, rows_and_members(world));
    return moved.empty() ? Disagreement() : moved;
  }
};

/// Checkpoints against a list of whole copies.
class Checkpoints {
 public:
  Checkpoints(Bytes& bytes, Log& log)
      : bytes_(bytes),
        log_(log),
        world_({.layout = static_cast<Layout>(bytes.below(3)), .large_family = 3}),
        history_(world_, {.checkpoints = 6}) {}

  Disagreement turn() {
    switch (bytes_.below(6)) {
      case 0:
        return checkpoint();
      case 1:
        if (copies_.empty()) return {};
        return go_to(begin_ + bytes_.below(copies_.size()));
      case 2: {
        const bool forward = bytes_.chance(2);
        const bool possible =
            !copies_.empty() && position_ != (forward ? begin_ + copies_.size() - 1 : begin_);
        log_(forward ? "redo" : "undo");
        if ((forward ? history_.redo() : history_.undo()) != possible)
          return "undo or redo answers otherwise";
        if (!possible) return {};
        return compare_with(forward ? position_ + 1 : position_ - 1);
      }
      default:
        change_world(entities_, bytes_, log_, world_);
        return {};
    }
  }
  Disagreement compare() const { return {}; }

 private:
  Disagreement checkpoint() {
    log_("checkpoint");
    const Outcome taken = history_.checkpoint(std::to_string(copies_.size()));
    if (!taken) return taken.message();
    if (!copies_.empty()) copies_.resize(static_cast<std::size_t>(position_ + 1 - begin_), Copy(world_));
    copies_.emplace_back(world_, entities_);
    if (copies_.size() > 6) {
      copies_.erase(copies_.begin());
      ++begin_;
    }
    position_ = begin_ + copies_.size() - 1;
    if (Disagreement wrong = compare_digest()) return wrong;
    if (history_.begin() != begin_ || history_.position() != position_ || history_.end() != position_ + 1)
      return "the checkpoints have other numbers";
    return copies_.back().differs(world_);
  }
  Disagreement go_to(std::uint64_t number) {
    log_("restore ", number);
    const Outcome restored = history_.restore(number);
    if (!restored) return restored.message();
    return compare_with(number);
  }
  Disagreement compare_with(std::uint64_t number) {
    position_ = number;
    const Copy& copy = copies_[static_cast<std::size_t>(number - begin_)];
    entities_ = copy.entities;
    if (Disagreement wrong = copy.differs(world_)) return wrong;
    return compare_digest();
  }
  /// Compares the digest of the checkpoint at which the world is; of some only, so that others lie between them.
  Disagreement compare_digest() const {
    if (bytes_.chance(3) || history_.digest(history_.position()) == digest(world_)) return {};
    return "the digest of the checkpoint is another one than that of the world";
  }

  Bytes& bytes_;
  Log& log_;
  World world_;
  History history_;
  std::vector<Entity> entities_;
  std::vector<Copy> copies_;
  std::uint64_t begin_ = 0;
  std::uint64_t position_ = 0;
};

Disagreement checkpoints_come_back(Bytes& bytes, Log& log) {
  if (!bytes.turn()) return {};
  Checkpoints test(bytes, log);
  return take_turns(test, bytes);
}

/// A world that goes astray and back after every seventh turn ends as one that does not.
Disagreement rollback_leaves_no_trace(Bytes& bytes, Log& log) {
  if (!bytes.turn()) return {};
  const WorldOptions options{.layout = static_cast<Layout>(bytes.below(3)), .large_family = 3};
  World straight(options);
  World rolled(options);
  History history(rolled, {.checkpoints = 2});
  std::vector<Entity> entities;
  std::vector<Entity> astray;
  for (std::size_t turn = 0; bytes.turn(); ++turn) {
    if (turn % 14 < 7) {
      change_world<false>(entities, bytes, log, straight, rolled);
      continue;
    }
    if (turn % 14 == 7 && !history.checkpoint()) return "no checkpoint is taken";
    if (turn % 14 == 7) astray = entities;
    log("astray:");
    change_world(astray, bytes, log, rolled);
    if (turn % 14 != 13) continue;
    log("back");
    if (!history.restore(history.position())) return "the checkpoint is not restored";
    if (const Outcome sound = rolled.validate(); !sound) return "the world is broken: " + sound.message();
    for (const WorldDifference& difference : find_differences(straight, rolled)) return difference.sentence;
    if (digest(straight) != digest(rolled)) return "the digest is another one";
    if (std::string wrong = wrong_parent(rolled); !wrong.empty()) return wrong;
    const std::string moved = difference_of(rows_and_members(straight), rows_and_members(rolled));
    if (!moved.empty()) return moved;
  }
  return {};
}

}  // namespace

TEST_SUITE("api/history") {
  STRATA_MODEL_TEST("checkpoints are whole copies", checkpoints_come_back, .runs = 120, .turns = 100);
  STRATA_MODEL_TEST("rollback leaves no trace", rollback_leaves_no_trace, .runs = 80, .turns = 120);
}

}  // namespace strata::test::history_model_test
